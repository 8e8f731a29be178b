import pg from 'pg'
import { prepareValue } from 'pg/lib/utils.js'
import {
  rowReader,
  SentStatement,
  type Answer,
  type Field,
  type RowReader,
  type Statement,
} from './sent-statement.ts'

/**
 * Statements that are sent in one turn of the event loop are one message, and are answered together, as in what
 * PostgreSQL calls pipeline mode: each message that is sent or answered by itself wakes the process on the other side.
 * PostgreSQL does none of the statements behind one that fails, a commit included; all these reject with its error. A
 * transaction that was begun is open then, for the caller to roll back.
 */
export interface Pipeline {
  readonly send: (statement: Statement) => Promise<Answer>
  /**
   * Makes the message of this turn, in which nothing begins a transaction, one by itself: PostgreSQL commits it at its
   * end, which this waits for, or does nothing of it. To be called in the turn in which its statements are sent.
   */
  readonly asTransaction: () => Promise<void>
  /** How many statements the connection was asked to prepare; it keeps them until it ends. */
  readonly preparedCount: () => number
}

/** The client must have been opened with `pipeline`, which lets it send a message before the one before is answered. */
export function openPipeline(client: pg.ClientBase): Pipeline {
  const messages = openMessages(client)
  let batch: StatementBatch | undefined
  const submit = (its: StatementBatch): void => {
    batch = undefined
    client.query(its)
  }
  const ofThisTurn = (): StatementBatch => {
    if (batch) return batch
    batch = new StatementBatch(messages)
    process.nextTick(submit, batch)
    return batch
  }
  return {
    send: (statement) => ofThisTurn().add(statement).catch(rethrowFromHere),
    asTransaction: () => ofThisTurn().asTransaction().catch(rethrowFromHere),
    preparedCount: messages.preparedCount,
  }
}

/** An error that was read from a socket has nothing of the caller in its stack. */
function rethrowFromHere(error: unknown): never {
  if (error instanceof Error) Error.captureStackTrace(error)
  throw error
}

/**
 * Several statements that are one query to node-postgres, whose own query sends a Sync with each. What of version 8.23 its
 * types do not have is declared below and in pg-parts.d.ts; `pipeline.test.ts` holds what has to stay.
 */
class StatementBatch extends pg.Query {
  /** Of the statement that is answered next: under this name node-postgres notes that the connection has prepared it. */
  declare name: string | undefined
  declare text: string
  readonly #messages: Messages
  readonly #statements: SentStatement[] = []
  #answered = 0
  /** Present where the message is a transaction. */
  #end: PromiseWithResolvers<void> | undefined

  constructor(messages: Messages) {
    super('')
    this.#messages = messages
    this.submit = () => this.#submit()
  }

  /** Before the batch is submitted. */
  add(statement: Statement): Promise<Answer> {
    const sent = new SentStatement(statement)
    this.#statements.push(sent)
    return sent.answer.promise
  }

  /** Before the batch is submitted. */
  asTransaction(): Promise<void> {
    this.#end ??= Promise.withResolvers()
    return this.#end.promise
  }

  /** What cannot be sent is refused like a statement that fails, with all behind it; of a transaction nothing is sent. */
  #submit(): void {
    for (const [at, statement] of this.#statements.entries()) {
      const error = this.#messages.add(statement)
      if (!error) continue
      if (this.#end) this.#messages.clear()
      this.#reject(error, this.#end ? 0 : at)
    }
    this.#turnTo(0)
    this.#messages.send({ isTransaction: this.#end !== undefined })
  }

  #turnTo(at: number): void {
    this.#answered = at
    this.name = this.#next?.name
    this.text = this.#next?.text ?? ''
  }

  get #next(): SentStatement | undefined {
    return this.#statements[this.#answered]
  }

  handleRowDescription({ fields }: { readonly fields: readonly Field[] }): void {
    const statement = this.#next
    if (statement) statement.reader = this.#messages.readerOf(fields)
  }

  handleDataRow({ fields }: { readonly fields: readonly (string | null)[] }): void {
    this.#next?.take(fields)
  }

  handleCommandComplete({ text }: { readonly text: string }): void {
    this.#next?.complete(text)
    this.handleEmptyQuery()
  }

  handleEmptyQuery(): void {
    const statement = this.#next
    if (statement) {
      this.#messages.remember(statement)
      statement.settle()
    }
    this.#turnTo(this.#answered + 1)
  }

  handleReadyForQuery(): void {
    this.#end?.resolve()
  }

  /** Behind the last statement it is that of the commit. */
  handleError(error: Error): void {
    this.#reject(error, this.#answered)
  }

  #reject(error: Error, from: number): void {
    for (const statement of this.#statements.splice(from)) {
      this.#messages.forget(statement)
      statement.answer.reject(error)
    }
    this.#end?.reject(error)
  }
}

/** What is to be written to the connection of one client, and what is known of what it has prepared. */
interface Messages {
  /** Adds nothing where the statement's values cannot be sent, and returns why. */
  readonly add: (statement: SentStatement) => Error | undefined
  readonly clear: () => void
  readonly readerOf: (fields: readonly Field[]) => RowReader
  /** The connection has it prepared: what its rows are like does not change, so PostgreSQL is not asked again. */
  readonly remember: (statement: SentStatement) => void
  /** The connection has not prepared it. */
  readonly forget: (statement: SentStatement) => void
  readonly send: (message: { readonly isTransaction: boolean }) => void
  readonly preparedCount: () => number
}

/** Those without content, as "Message Formats" in the manual of PostgreSQL has them: a letter and the length. */
const [FLUSH, SYNC] = [Buffer.from('H\0\0\0\x04'), Buffer.from('S\0\0\0\x04')]

/** PostgreSQL refuses such a statement when its columns have become others; what `fetch` gives is up to the cursor. */
const PLANNED = /^\s*(?:select|insert|update|delete|with)\b/i

function openMessages(client: pg.ClientBase): Messages {
  const { connection, _types: types } = client as unknown as DriverClient
  let written: Buffer[] = []
  const collecting = Object.create(connection, {
    _send: { value: (bytes: Buffer) => written.push(bytes) },
  }) as DriverConnection
  const readers = new Map<string, RowReader | undefined>()
  let preparedCount = 0
  const forget = ({ isNew, name }: SentStatement): void => {
    if (isNew && name !== undefined) delete connection.submittedNamedStatements[name]
  }
  return {
    add(statement) {
      const count = written.length
      try {
        writeStatement(collecting, statement, readers)
      } catch (error) {
        written.length = count
        return error as Error
      }
      if (statement.isNew && statement.name !== undefined) preparedCount++
      if (statement.isFlushed) written.push(FLUSH)
      return undefined
    },
    clear: () => void (written = []),
    readerOf: (fields) => rowReader(fields, types),
    remember({ name, text, reader }) {
      if (name !== undefined && PLANNED.test(text)) readers.set(name, reader)
    },
    forget,
    send({ isTransaction }) {
      // right before the Sync it would be an answer more for nothing, unless that commits, which may take long
      if (!isTransaction && written.at(-1) === FLUSH) written.pop()
      connection._send(Buffer.concat([...written, SYNC]))
      written = []
    },
    preparedCount: () => preparedCount,
  }
}

/** Throws where the values cannot be sent. */
function writeStatement(
  connection: DriverConnection,
  statement: SentStatement,
  readers: ReadonlyMap<string, RowReader | undefined>,
): void {
  const { name, text, values } = statement
  statement.isNew = name === undefined || !isPrepared(connection, name)
  if (statement.isNew) {
    connection.parse({ text, name })
    if (name !== undefined) connection.submittedNamedStatements[name] = text
  }
  connection.bind({ statement: name, values, valueMapper: prepareValue })
  if (name !== undefined && readers.has(name)) statement.reader = readers.get(name)
  else connection.describe({ type: 'P', name: '' })
  connection.execute({})
}

const isPrepared = (
  { parsedStatements, submittedNamedStatements }: DriverConnection,
  name: string,
): boolean => name in parsedStatements || name in submittedNamedStatements

interface DriverClient {
  readonly connection: DriverConnection
  readonly _types: pg.CustomTypesConfig
}

interface DriverConnection {
  /** Texts by name. */
  readonly parsedStatements: Record<string, string>
  /** The same of statements that are about to be prepared. */
  readonly submittedNamedStatements: Record<string, string>
  readonly _send: (bytes: Buffer) => unknown
  readonly parse: (statement: Pick<Statement, 'text' | 'name'>) => void
  readonly bind: (
    bound: Pick<Statement, 'values'> & {
      readonly statement: string | undefined
      readonly valueMapper: (value: unknown) => unknown
    },
  ) => void
  readonly describe: (portal: { readonly type: 'P'; readonly name: string }) => void
  readonly execute: (portal: object) => void
}
