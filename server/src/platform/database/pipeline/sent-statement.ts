import type pg from 'pg'

export interface Statement {
  readonly text: string
  readonly values?: readonly unknown[] | undefined
  /** Each connection prepares the text once under its name; a statement without a name each time. */
  readonly name?: string | undefined
  /** Its answer is sent as soon as it is done, not with that of the last statement. */
  readonly isFlushed?: boolean
}

export interface Answer {
  readonly rows: unknown[]
  /** Null for statements that have no rows to count, such as `commit`. */
  readonly rowCount: number | null
  /** The word of the command, as PostgreSQL answers it: `COMMIT`. */
  readonly command: string
}

/** With what has come of its answer so far. */
export class SentStatement {
  readonly name: string | undefined
  readonly text: string
  readonly values: readonly unknown[] | undefined
  readonly isFlushed: boolean
  readonly answer = Promise.withResolvers<Answer>()
  /** The connection prepares it with this message, under its name. */
  isNew = false
  /** Of its rows; undefined until PostgreSQL has said what they are like, and where it has none. */
  reader: RowReader | undefined
  readonly #rows: unknown[] = []
  #tag = ''
  #unreadable: { readonly error: unknown } | undefined

  constructor({ name, text, values, isFlushed = false }: Statement) {
    this.name = name
    this.text = text
    this.values = values
    this.isFlushed = isFlushed
  }

  take(values: readonly (string | null)[]): void {
    if (this.#unreadable || !this.reader) return
    try {
      this.#rows.push(this.reader(values))
    } catch (error) {
      this.#unreadable = { error }
    }
  }

  complete(tag: string): void {
    this.#tag = tag
  }

  /** It is done; where one of its rows could not be read, it fails all the same. */
  settle(): void {
    if (this.#unreadable) this.answer.reject(this.#unreadable.error)
    else this.answer.resolve({ rows: this.#rows, ...readTag(this.#tag) })
  }
}

/** `SELECT 50`, `INSERT 0 1`, `COMMIT`, `CREATE TABLE`. */
function readTag(tag: string): Pick<Answer, 'command' | 'rowCount'> {
  const [command = ''] = tag.split(' ', 1)
  const last = tag.slice(tag.lastIndexOf(' ') + 1)
  return { command, rowCount: /^\d+$/.test(last) ? Number(last) : null }
}

export type RowReader = (values: readonly (string | null)[]) => Record<string, unknown>

export interface Field {
  readonly name: string
  readonly dataTypeID: number
}

/** Rows begin as a copy of one that is empty, so that all have their columns in one order, as engines of JavaScript like it. */
export function rowReader(fields: readonly Field[], types: pg.CustomTypesConfig): RowReader {
  const names = fields.map(({ name }) => name)
  const parsers = fields.map(
    ({ dataTypeID }) => types.getTypeParser(dataTypeID, 'text') as (text: string) => unknown,
  )
  const empty: Record<string, unknown> = Object.fromEntries(names.map((name) => [name, null]))
  return (values) => {
    const row = { ...empty }
    for (let at = 0; at < names.length; at++) {
      const value = values[at] ?? null
      row[names[at] as string] = value === null ? null : parsers[at]?.(value)
    }
    return row
  }
}
