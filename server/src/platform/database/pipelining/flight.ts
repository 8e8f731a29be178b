import pg from 'pg'

/**
 * A transaction of one statement that is sent whole and answered whole: `begin`, the statement and `commit` one by one are
 * three messages of node-postgres, each of which the server answers in a packet of its own.
 */
export interface Flight {
  /** Resolves when the transaction has begun. */
  readonly begun: Promise<unknown>
  readonly answered: Promise<pg.QueryResult>
  /** Of the commit, where the statement writes; else it ends with the answer. */
  readonly ended: Promise<unknown> | undefined
}

/** What begins a transaction. */
export interface Beginning {
  /** All its statements. */
  readonly text: string
  /** The one that flights find prepared by no connection; absent: they find all. */
  readonly unprepared?: string | undefined
}

export interface FlownQuery {
  readonly query: pg.QueryConfig
  /** Its commit may take longer than itself. */
  readonly writes: boolean
}

/** For connections that keep what they have prepared, all of one role. */
export interface Flights {
  /** To do with each new connection. */
  readonly prepare: (client: pg.ClientBase) => Promise<unknown>
  /** Undefined where the connection has not prepared the statement: running it once does. */
  readonly start: (client: pg.ClientBase, beginning: Beginning, flown: FlownQuery) => Flight | undefined
}

/** Names of prepared statements. */
const [BEGIN, ROLE, COMMIT] = ['begin', 'role', 'commit'] as const

export function openFlights(role: string): Flights {
  const wire = openWriter()
  const run = (statement: string): void => {
    wire.bind({ statement })
    wire.execute({ portal: '' })
  }
  const [first, flush, last, sync] = [
    wire.written(() => [BEGIN, ROLE].forEach(run)),
    wire.written(() => wire.flush()),
    wire.written(() => [run(COMMIT), wire.sync()]),
    wire.written(() => wire.sync()),
  ]
  const unprepared = (text: string): Buffer => wire.written(() => [wire.parse({ text, name: '' }), run('')])
  return {
    prepare: (client) =>
      Promise.all([
        client.query({ name: BEGIN, text: 'begin' }),
        client.query({ name: ROLE, text: `set local role ${role}` }),
        client.query({ name: COMMIT, text: 'commit' }),
      ]),
    start(client, { unprepared: more }, { query, writes }) {
      const { parsedStatements } = (client as unknown as { connection: Wire }).connection
      if (!query.name || parsedStatements[query.name] !== query.text) return undefined
      const statement = new FlownStatement(client, query, more === undefined ? 2 : 3)
      statement.submit = ({ stream }) => {
        const own = wire.written(() => statement.prepare(wire))
        const before = [first, ...(more === undefined ? [] : [unprepared(more)]), flush]
        const all = [...before, own, ...(writes ? [flush] : []), last]
        if (stream.writable) stream.write(statement.isRefused ? sync : Buffer.concat(all))
      }
      client.query(statement as unknown as pg.Query)
      const { ended, ...flight } = statement.flight
      return { ...flight, ended: writes ? ended : undefined }
    },
  }
}

/** What of node-postgres 8.23 its types do not have. */
interface Wire {
  readonly stream: { readonly writable: boolean; readonly write: (bytes: Buffer) => unknown }
  readonly parsedStatements: Readonly<Record<string, string>>
  readonly parse: (message: { text: string; name: string }) => void
  readonly bind: (message: { statement: string }) => void
  readonly execute: (message: { portal: string }) => void
  readonly flush: () => void
  readonly sync: () => void
}

interface WiredQuery {
  name: string | undefined
  values: unknown[] | undefined
  callback: (error: Error | null, result: pg.QueryResult) => void
  submit: (wire: Wire) => void
  /** Sends the statement with its values, and with `_getRows` that it is to be executed. */
  prepare: (wire: Wire) => void
  handleCommandComplete(message: unknown, wire: Wire): void
  readonly _result: pg.QueryResult
  /** A row could not be read. */
  readonly _canceledDueToError: unknown
}

const WiredQuery = pg.Query as unknown as new (text: string) => WiredQuery

/** The query of node-postgres, between what begins its transaction and the commit. */
class FlownStatement extends WiredQuery {
  readonly flight: Flight
  /** Its values cannot be sent. */
  isRefused = false
  readonly #before: number
  readonly #begun = Promise.withResolvers<void>()
  readonly #answered = Promise.withResolvers<pg.QueryResult>()
  #completed = 0

  constructor(client: pg.ClientBase, { name, text, values }: pg.QueryConfig, before: number) {
    super(text)
    this.name = name
    this.values = values
    this.#before = before
    const ended = Promise.withResolvers<void>()
    const [begun, answered] = [this.#begun, this.#answered]
    // whoever asks for one of them need not ask for the others
    for (const { promise } of [begun, answered, ended] as const) promise.catch(ignore)
    this.flight = { begun: begun.promise, answered: answered.promise, ended: ended.promise }
    const fail = (error: Error): void => [begun, answered, ended].forEach(({ reject }) => reject(error))
    this.callback = (error, result) => {
      this.isRefused = error !== null
      if (!error) {
        answered.resolve(result)
        ended.resolve()
      } else if (!(error instanceof pg.DatabaseError)) fail(error)
      // the server has left out the commit
      else
        client.query('rollback').then(
          () => fail(error),
          () => fail(error),
        )
    }
  }

  override handleCommandComplete(message: unknown, wire: Wire): void {
    this.#completed++
    if (this.#completed === this.#before) this.#begun.resolve()
    if (this.#completed !== this.#before + 1) return
    super.handleCommandComplete(message, wire)
    if (!this._canceledDueToError) this.#answered.resolve(this._result)
  }

  hasBeenParsed(): boolean {
    return true
  }

  _getRows(wire: Wire): void {
    wire.execute({ portal: '' })
  }
}

interface Writer extends Wire {
  /** The bytes of the messages that `write` writes. */
  readonly written: (write: () => unknown) => Buffer
}

function openWriter(): Writer {
  let chunks: Buffer[] = []
  const stream = { writable: true, write: (bytes: Buffer) => chunks.push(bytes) }
  const wire = new pg.Connection({ stream: stream as never }) as unknown as Wire
  return Object.assign(wire, {
    written(write: () => unknown) {
      chunks = []
      write()
      return Buffer.concat(chunks)
    },
  })
}

function ignore(): void {}
