import pg from 'pg'

export interface Statement extends Pick<pg.QueryConfig, 'text' | 'values' | 'name'> {
  /** Its answer is sent as soon as it is done, not with that of the last statement. */
  readonly isFlushed?: boolean
}

/**
 * Statements that are sent in one turn of the event loop are one message, and are answered together, as in what
 * PostgreSQL calls pipeline mode: each message that is sent or answered by itself wakes the process on the other side.
 * PostgreSQL does none of the statements behind one that fails, a commit included; all these reject with its error. A
 * transaction that was begun is open then, for the caller to roll back.
 */
export interface Pipeline {
  readonly send: (statement: Statement) => Promise<pg.QueryResult>
}

/** The client must have been opened with `pipeline`, which lets it send a message before the one before is answered. */
export function openPipeline(client: pg.ClientBase): Pipeline {
  const messages = openMessages(client)
  let batch: StatementBatch | undefined
  const submit = (its: StatementBatch): void => {
    batch = undefined
    client.query(its)
  }
  return {
    send(statement) {
      if (!batch) {
        batch = new StatementBatch(messages)
        process.nextTick(submit, batch)
      }
      return batch.add(statement).catch(rethrowFromHere)
    },
  }
}

/** An error that was read from a socket has nothing of the caller in its stack. */
function rethrowFromHere(error: unknown): never {
  if (error instanceof Error) Error.captureStackTrace(error)
  throw error
}

/**
 * Several statements that are one query to node-postgres, whose own query sends a Sync with each. What of version 8.23 its
 * types do not have is declared below; `pipeline.test.ts` holds what has to stay.
 */
class StatementBatch extends pg.Query {
  /** Of the statement that is answered next: under this name node-postgres notes that the connection has prepared it. */
  declare name: string | undefined
  declare text: string
  readonly #messages: Messages
  readonly #statements: SentStatement[] = []
  #answered = 0

  constructor(messages: Messages) {
    super('')
    this.#messages = messages
    this.submit = () => this.#submit()
  }

  /** Before the batch is submitted. */
  add(statement: Statement): Promise<pg.QueryResult> {
    const sent = new SentStatement(statement, this.#messages.types)
    this.#statements.push(sent)
    return sent.answer.promise
  }

  /** What cannot be sent is refused like a statement that fails, with all behind it. */
  #submit(): void {
    for (const [at, statement] of this.#statements.entries()) {
      const error = this.#messages.add(statement)
      if (error) this.#reject(error, at)
    }
    this.#turnTo(0)
    this.#messages.send()
  }

  #turnTo(at: number): void {
    this.#answered = at
    this.name = this.#next?.query.name
    this.text = this.#next?.query.text ?? ''
  }

  get #next(): SentStatement | undefined {
    return this.#statements[this.#answered]
  }

  handleRowDescription(message: unknown): void {
    this.#next?.query.handleRowDescription(message)
  }

  handleDataRow(message: unknown): void {
    this.#next?.query.handleDataRow(message)
  }

  handleCommandComplete(message: unknown, connection: DriverConnection): void {
    this.#next?.query.handleCommandComplete(message, connection)
    this.handleEmptyQuery()
  }

  handleEmptyQuery(): void {
    this.#next?.settle()
    this.#turnTo(this.#answered + 1)
  }

  handleReadyForQuery(): void {}

  handleError(error: Error): void {
    this.#reject(error, this.#answered)
  }

  #reject(error: Error, from: number): void {
    for (const statement of this.#statements.splice(from)) {
      this.#messages.forget(statement)
      statement.answer.reject(error)
    }
  }
}

class SentStatement {
  readonly query: DriverQuery
  readonly isFlushed: boolean
  readonly answer = Promise.withResolvers<pg.QueryResult>()
  /** The connection prepares it with this message, under its name. */
  isNew = false

  constructor({ isFlushed = false, ...config }: Statement, types: unknown) {
    this.query = new pg.Query(config) as unknown as DriverQuery
    this.query._result._types = types
    this.isFlushed = isFlushed
  }

  /** It is done; where one of its rows could not be read, it fails all the same. */
  settle(): void {
    const error = this.query._canceledDueToError
    if (error) this.answer.reject(error)
    else this.answer.resolve(this.query._result)
  }
}

/** What is to be written to the connection of one client. */
interface Messages {
  /** How the client reads values. */
  readonly types: unknown
  /** Adds nothing where the statement's values cannot be sent, and returns why. */
  readonly add: (statement: SentStatement) => Error | undefined
  /** The connection has not prepared it. */
  readonly forget: (statement: SentStatement) => void
  readonly send: () => void
}

/** Those without content, as "Message Formats" in the manual of PostgreSQL has them: a letter and the length. */
const [FLUSH, SYNC] = [Buffer.from('H\0\0\0\x04'), Buffer.from('S\0\0\0\x04')]

function openMessages(client: pg.ClientBase): Messages {
  const { connection, _types: types } = client as unknown as DriverClient
  let written: Buffer[] = []
  const collecting = Object.create(connection, {
    _send: { value: (bytes: Buffer) => written.push(bytes) },
    sync: { value() {} },
  }) as DriverConnection
  const forget = ({ isNew, query: { name } }: SentStatement): void => {
    if (isNew && name !== undefined) delete connection.submittedNamedStatements[name]
  }
  return {
    types,
    add(statement) {
      const { query, isFlushed } = statement
      const count = written.length
      let refused: Error | undefined
      query.callback = (error) => (refused = error)
      statement.isNew = !query.hasBeenParsed(connection)
      query.prepare(collecting)
      if (refused) written.length = count
      else if (isFlushed) written.push(FLUSH)
      return refused
    },
    forget,
    send() {
      // right before the Sync it would be an answer more for nothing
      if (written.at(-1) === FLUSH) written.pop()
      connection._send(Buffer.concat([...written, SYNC]))
      written = []
    },
  }
}

interface DriverClient {
  readonly connection: DriverConnection
  readonly _types: unknown
}

interface DriverConnection {
  /** Texts by name, of statements that are about to be prepared. */
  readonly submittedNamedStatements: Record<string, string>
  readonly _send: (bytes: Buffer) => unknown
}

interface DriverQuery {
  readonly name: string | undefined
  readonly text: string
  readonly _result: pg.QueryResult & { _types: unknown }
  /** A row could not be read. */
  readonly _canceledDueToError: Error | false
  /** Called before anything is sent, where that fails. */
  callback: (error: Error) => void
  readonly hasBeenParsed: (connection: DriverConnection) => boolean
  readonly prepare: (connection: DriverConnection) => void
  readonly handleRowDescription: (message: unknown) => void
  readonly handleDataRow: (message: unknown) => void
  readonly handleCommandComplete: (message: unknown, connection: DriverConnection) => void
}
