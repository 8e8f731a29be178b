import type { Agent } from './agent.ts'
import { tags } from './ber.ts'
import type { WaitOptions } from './udp-channel.ts'
import { SnmpFault } from './snmp-error.ts'
import { compareOids, isBelow, oid, oidText, type Oid } from './oid.ts'
import type { Question, Value, Variable } from './pdu.ts'
import type { Cells, Cut, Row, Source, Table } from '../mibs/table.ts'

/** Variables per response: at first one unfragmented packet, then as many as agent and network path handle. */
const VARIABLES = { first: 24, max: 160 }
/** After large packets were lost on the path, responses stay this small. */
const VARIABLES_LEAST_MAX = 8
const SCALARS_AT_ONCE = 16
/** A table is left when it takes longer; what it gave stays. */
const TABLE_MS_MAX = 60_000
/** What every agent has: if not even this is answered, the agent is gone. */
const SYS_UP_TIME = oid('1.3.6.1.2.1.1.3.0')
/** Where asking for less may help, there is no point in waiting long. */
const SHORT: WaitOptions = { firstMs: 1_500, tries: 2 }

/** Reads tables and scalars of one agent, one question at a time, and keeps what went wrong. */
export class Walk implements Source {
  readonly #agent: Agent
  readonly cuts: Cut[] = []
  #variables = VARIABLES.first
  #variablesMax: number = VARIABLES.max
  #over: SnmpFault | undefined

  constructor(agent: Agent) {
    this.#agent = agent
  }

  isCut(table: string): boolean {
    return this.cuts.some((cut) => cut.table === table)
  }

  async rows<Column extends string>(table: Table<Column>): Promise<readonly Row<Column>[]> {
    const reading = new Reading(table)
    try {
      if (this.#over) throw this.#over
      await this.#read(reading)
    } catch (error) {
      this.#note(table.name, error, reading.rows.size)
    }
    if (reading.fault) this.cuts.push({ table: table.name, why: reading.fault, rows: reading.rows.size })
    return [...reading.rows.values()]
  }

  async scalars<Name extends string>(
    group: string,
    oids: Readonly<Record<Name, string>>,
  ): Promise<Cells<Name>> {
    const wanted = (Object.entries(oids) as [Name, string][]).map(([name, text]) => ({
      name,
      oid: oid(text),
    }))
    const found: { [name in Name]?: Value } = {}
    try {
      for (let at = 0; at < wanted.length; at += SCALARS_AT_ONCE) {
        if (this.#over) throw this.#over
        const some = wanted.slice(at, at + SCALARS_AT_ONCE)
        for (const { oid, value } of await this.#get(some.map((it) => it.oid))) {
          const name = some.find((it) => compareOids(it.oid, oid) === 0)?.name
          if (name !== undefined && value !== null) found[name] = value
        }
      }
    } catch (error) {
      this.#note(group, error, Object.keys(found).length)
    }
    return found as Cells<Name>
  }

  /** Halves the question where the agent cannot answer it whole; SNMPv1 refuses all for the sake of one. */
  async #get(oids: readonly Oid[]): Promise<readonly Variable[]> {
    if (oids.length === 0) return []
    try {
      return await this.#agent.ask({ kind: 'get', oids }, oids.length > 1 ? SHORT : undefined)
    } catch (error) {
      if (!(error instanceof SnmpFault) || !isAboutTheQuestion(error)) throw error
      if (error.kind === 'silent') await this.#assertThere()
      if (oids.length === 1) return ignoreOrThrow(error)
      const { index } = error
      if (index !== undefined && index >= 0 && index < oids.length) return this.#get(oids.toSpliced(index, 1))
      const half = Math.ceil(oids.length / 2)
      return [...(await this.#get(oids.slice(0, half))), ...(await this.#get(oids.slice(half)))]
    }
  }

  async #read(reading: Reading<string>): Promise<void> {
    const until = performance.now() + TABLE_MS_MAX
    let width = this.#agent.version === '1' ? Math.min(reading.open.length, 8) : reading.open.length
    let silences = 0
    while (reading.open.length > 0) {
      if (performance.now() > until)
        throw new SnmpFault('failed', `took longer than ${TABLE_MS_MAX / 1000} s`)
      const columns = reading.open.slice(0, width)
      const repetitions = Math.max(1, Math.floor(this.#variables / columns.length))
      const isLeast = columns.length === 1 && repetitions === 1
      try {
        const answer = await this.#agent.ask(
          this.#questionFor(columns, repetitions),
          isLeast ? undefined : SHORT,
        )
        reading.take(columns, answer)
        if (answer.length >= columns.length * repetitions)
          this.#variables = Math.min(this.#variables * 2, this.#variablesMax)
      } catch (error) {
        if (!(error instanceof SnmpFault) || !isAboutTheQuestion(error)) throw error
        if (error.kind === 'noSuchName') reading.end(columns, error.index)
        else if (isLeast) throw error
        else if (error.kind === 'silent') {
          await this.#assertThere()
          if (++silences > 1) width = 1
          this.#askForLess(silences > 1 ? 1 : Math.floor(this.#variables / 2))
        } else if (repetitions > 1) this.#askForLess(Math.floor(this.#variables / 2))
        else width = Math.max(1, Math.floor(columns.length / 2))
      }
    }
  }

  #questionFor(columns: readonly Cursor[], repetitions: number): Question {
    const oids = columns.map((column) => column.at)
    return this.#agent.version === '1' ? { kind: 'getNext', oids } : { kind: 'getBulk', oids, repetitions }
  }

  #askForLess(variables: number): void {
    this.#variables = Math.max(1, variables)
    this.#variablesMax = Math.max(this.#variables, VARIABLES_LEAST_MAX)
  }

  /** Agents drop what they cannot answer; one that answers nothing any more is not waited for, table by table. */
  async #assertThere(): Promise<void> {
    try {
      await this.#agent.ask({ kind: 'get', oids: [SYS_UP_TIME] })
    } catch (error) {
      if (error instanceof SnmpFault && error.kind === 'silent')
        throw new SnmpFault('closed', 'the agent stopped answering')
      if (!(error instanceof SnmpFault) || !isAboutTheQuestion(error)) throw error
    }
  }

  #note(table: string, error: unknown, rows: number): void {
    if (!(error instanceof SnmpFault)) throw error
    this.cuts.push({ table, why: error.message, rows })
    if (error.kind === 'closed' || error.kind === 'spent') this.#over ??= error
  }
}

const isAboutTheQuestion = ({ kind }: SnmpFault): boolean =>
  kind === 'tooBig' || kind === 'silent' || kind === 'noSuchName' || kind === 'failed'

/** One thing that is not there, or that the agent stumbles over, is no harm. */
function ignoreOrThrow(error: SnmpFault): [] {
  if (error.kind === 'silent') throw error
  return []
}

interface Cursor {
  readonly column: string
  readonly root: Oid
  at: Oid
}

/** A table while it is read. */
class Reading<Column extends string> {
  readonly rows = new Map<string, Row<Column>>()
  open: Cursor[]
  fault: string | undefined
  readonly #rowsMax: number

  constructor({ entry, columns, rowsMax }: Table<Column>) {
    this.#rowsMax = rowsMax
    this.open = Object.entries<number>(columns).map(([column, number]) => {
      const root = [...entry, number]
      return { column, root, at: root }
    })
  }

  /** RFC 3416, 4.2.3: the successors of the first column, of the second, and so on, then the next ones of each. */
  take(columns: readonly Cursor[], answer: readonly Variable[]): void {
    if (answer.length === 0) throw new SnmpFault('failed', 'the agent answers with nothing')
    const ended = new Set<Cursor>()
    for (const [i, variable] of answer.entries()) {
      const cursor = columns[i % columns.length]
      if (!cursor || ended.has(cursor)) continue
      if (!this.#takeOne(cursor, variable)) ended.add(cursor)
    }
    this.open = this.open.filter((cursor) => !ended.has(cursor))
  }

  /** SNMPv1 says so when it has no successor of the one with this index; without one, of none. */
  end(columns: readonly Cursor[], index = -1): void {
    const gone = columns[index] ? [columns[index]] : columns
    this.open = this.open.filter((cursor) => !gone.includes(cursor))
  }

  /** Whether the column goes on. */
  #takeOne(cursor: Cursor, { oid, tag, value }: Variable): boolean {
    if (tag === tags.endOfMibView || value === null || !isBelow(cursor.root, oid)) return false
    if (compareOids(oid, cursor.at) <= 0) {
      this.fault = 'the agent answers out of order and would never come to an end'
      return false
    }
    cursor.at = oid
    const index = oid.slice(cursor.root.length)
    const key = oidText(index)
    let row = this.rows.get(key)
    if (!row && this.rows.size >= this.#rowsMax) {
      this.fault = `has more than ${this.#rowsMax} rows`
      return false
    }
    row ??= { index, cells: {} }
    this.rows.set(key, row)
    ;(row.cells as Record<string, Value>)[cursor.column] = value
    return true
  }
}
