import pg from 'pg'

/**
 * Sends several statements with one Sync at their end: PostgreSQL answers all of them at once instead of one by one, and
 * does none of those behind one that fails, which leaves the transaction open. Rejects with the error of that one.
 */
export function inOneSync(
  client: pg.ClientBase,
  queries: readonly pg.QueryConfig[],
): Promise<readonly pg.QueryResult[]> {
  const { promise, resolve, reject } = Promise.withResolvers<readonly pg.QueryResult[]>()
  const results: pg.QueryResult[] = []
  const types = (client as unknown as { readonly _types: unknown })._types
  const statements = queries.map((query) => {
    const told = (error: Error | null, result: pg.QueryResult) =>
      error ? reject(error) : results.push(result)
    const statement = new pg.Query({ ...query }, told as never) as unknown as Statement
    statement._result._types = types
    return statement
  })
  client.query(
    new StatementsInOneSync(statements, {
      onAnswered: () => resolve(results),
      onFailed: (error) => reject(error),
    }),
  )
  return promise
}

/** What the driver's own query does with messages of the server; its type declares next to nothing of that. */
interface Statement {
  readonly name: string | undefined
  readonly text: string
  readonly _result: { _types: unknown }
  readonly prepare: (connection: pg.Connection) => void
  readonly handleRowDescription: (message: unknown) => void
  readonly handleDataRow: (message: unknown) => void
  readonly handleCommandComplete: (message: unknown, connection: pg.Connection) => void
  readonly handleReadyForQuery: (connection: pg.Connection) => void
}

interface Told {
  readonly onAnswered: () => void
  readonly onFailed: (error: Error) => void
}

/** To the driver one query, which takes the messages to each of its statements in turn. */
class StatementsInOneSync extends pg.Query {
  /** Of the statement that is answered now: under this name the driver notes that it is prepared. */
  declare name: string | undefined
  declare text: string
  readonly #statements: readonly Statement[]
  readonly #told: Told
  #at = 0

  constructor(statements: readonly Statement[], told: Told) {
    super({ text: '' })
    this.#statements = statements
    this.#told = told
    this.#turnTo(0)
    this.submit = (connection) => this.#send(connection)
  }

  #send(connection: pg.Connection): void {
    const unsynced = Object.create(connection, { sync: { value: () => {} } }) as pg.Connection
    for (const statement of this.#statements) statement.prepare(unsynced)
    connection.sync()
  }

  #turnTo(at: number): void {
    this.#at = at
    this.name = this.#current?.name
    this.text = this.#current?.text ?? ''
  }

  get #current(): Statement | undefined {
    return this.#statements[this.#at]
  }

  handleRowDescription(message: unknown): void {
    this.#current?.handleRowDescription(message)
  }

  handleDataRow(message: unknown): void {
    this.#current?.handleDataRow(message)
  }

  handleCommandComplete(message: unknown, connection: pg.Connection): void {
    this.#current?.handleCommandComplete(message, connection)
    this.#turnTo(this.#at + 1)
  }

  handleReadyForQuery(connection: pg.Connection): void {
    for (const statement of this.#statements) statement.handleReadyForQuery(connection)
    this.#told.onAnswered()
  }

  /** Those behind it are not prepared either. */
  handleError(error: Error, connection: pg.Connection): void {
    const { submittedNamedStatements: submitted } = connection as unknown as {
      readonly submittedNamedStatements: Record<string, string>
    }
    for (const { name } of this.#statements.slice(this.#at)) if (name !== undefined) delete submitted[name]
    this.#told.onFailed(error)
  }
}
