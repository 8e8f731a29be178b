import pg from 'pg'

/** Rows of one table, all with the same columns in the same order. Values are texts as PostgreSQL reads them. */
export interface Rows {
  readonly table: string
  readonly rows: readonly Row[]
}

export type Row = Readonly<Record<string, string | null>>

/** Sends all rows in one COPY FROM STDIN. */
export function copyIn(client: pg.Client, { table, rows }: Rows): Promise<void> {
  const columns = Object.keys(rows[0] ?? {}).join(', ')
  return new Promise((resolve, reject) => {
    const copy = new CopyIn(`copy ${table} (${columns}) from stdin`, textOf(rows))
    copy.callback = (error) => (error ? reject(error) : resolve())
    client.query(copy)
  })
}

/** The text format of COPY: one row a line, tabs between values, backslash escapes. */
function textOf(rows: readonly Row[]): string {
  return rows.map((row) => `${Object.values(row).map(escape).join('\t')}\n`).join('')
}

const escapes: Readonly<Record<string, string>> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' }

const escape = (value: string | null): string =>
  value === null ? '\\N' : value.replace(/[\\\t\n\r]/g, (character) => escapes[character] ?? character)

/** An array of texts as PostgreSQL reads it. */
export const arrayOf = (values: readonly string[]): string =>
  `{${values.map((value) => `"${value.replace(/[\\"]/g, '\\$&')}"`).join(',')}}`

/** The driver knows COPY's messages but leaves it to a query of one's own to answer them. */
class CopyIn extends pg.Query {
  declare callback: (error: Error | null) => void
  readonly #text: string

  constructor(statement: string, text: string) {
    super(statement)
    this.#text = text
  }

  handleCopyInResponse(connection: CopyConnection): void {
    connection.sendCopyFromChunk(Buffer.from(this.#text))
    connection.endCopyFrom()
  }
}

interface CopyConnection {
  readonly sendCopyFromChunk: (chunk: Buffer) => void
  readonly endCopyFrom: () => void
}
