import { sql } from 'kysely'
import type { Db, LastWork, Query, Statements, SubjectsWritten, TransactionEnd } from './db.ts'
import type { DatabasePool, LentConnection } from './pool.ts'
import type { Answer, Statement } from './pipeline/sent-statement.ts'
import type { MatchCache } from './cache/match-cache.ts'
import type { Asked, LastVersion, RowCache } from './cache/row-cache.ts'
import type { compile } from './sql.ts'
import {
  hasWritten,
  noteStatement,
  noteSubjects,
  nothingWritten,
  replaceVersion,
  type Written,
} from './cache/tenant-version.ts'
import { openTransactionEnd } from './transaction-end.ts'
import { asUnavailable, DatabaseUnavailable, inTime } from './unavailable-errors.ts'

/** Together with the two seconds after which a silent database is given up, a caller has its answer within ten. */
const COMMIT_MS = 7_000

/** Said with `begin`: the settings are a query, behind which a transaction can no longer become so. */
const ON_ONE_STATE = sql`begin isolation level repeatable read, read only`
const OPEN_ALREADY = 'the transaction that is open sees what others commit'

export interface Binding {
  readonly pool: DatabasePool
  /** Role, tenant and whatever else holds until the end of a transaction: what is sent first in it. */
  readonly settings: readonly Statement[]
  readonly begin: Statement
  readonly commit: Statement
  /** Undefined for the engines, which serve all tenants. */
  readonly tenantId: string | undefined
  readonly wake: (topics: Iterable<string>) => void
  readonly compile: typeof compile
  readonly cache: RowCache & MatchCache
}

/** Statements and transactions of one tenant, or of the engines. */
export function bound(binding: Binding): Db {
  const { pool, wake, compile, tenantId, cache } = binding
  const begin = [binding.begin, ...binding.settings]
  const about = (subjects?: SubjectsWritten): Statements =>
    queries(compile, (query) => {
      const written = nothingWritten()
      noteStatement(written, query.text, subjects)
      if (typeof subjects !== 'function')
        return single(binding, query, { written, last: lastStatements(binding, written) })
      // its rows have to be read before the last statements can be written
      return pool.lend(begin, (connection) =>
        inTransaction(connection, binding, (_db, send) => send(query, subjects)),
      )
    })
  const statements = about()
  const db: Db = {
    ...statements,
    about,
    cached: cachedOf(binding, statements, { isClean: () => true }),
    ...(tenantId === undefined && { withoutDisk: withoutDisk(binding) }),
    ...(tenantId !== undefined && {
      matches: (query) => cache.matches(tenantId, query, db),
      cachedMatches: (query) => cache.cachedMatches(tenantId, query, db),
      cacheIfAskedAgain: (query) => cache.cacheIfAskedAgain(tenantId, query, db),
    }),
    transaction: (work, isolation) =>
      pool.lend(isolation ? [compile(ON_ONE_STATE), ...binding.settings] : begin, (connection) =>
        inTransaction(connection, { ...binding, isOfOneState: isolation !== undefined }, work),
      ),
    afterCommit: (topic) => wake([topic]),
    beforeCommit() {
      throw new Error('there is no transaction')
    },
  }
  return db
}

interface SingleStatement {
  readonly written: Written
  readonly last: readonly Statement[]
}

/** A transaction of one statement: a message of its own, which needs no `begin` and no `commit`. */
function single(
  { pool, settings }: Pick<Binding, 'pool' | 'settings'>,
  query: Statement,
  { written, last }: SingleStatement,
): Promise<Answer> {
  return pool.lend(settings, async (connection) => {
    const isWriting = hasWritten(written)
    // the limit of a commit that waits for a standby begins with this answer
    const answered = connection.send({ ...query, isFlushed: isWriting })
    const committing = Promise.all([...last.map(connection.send), connection.asTransaction()])
    const inLimit = isWriting
      ? answered.then(
          () => limited(connection, committing),
          () => committing,
        )
      : committing
    const [answer, committed] = await Promise.allSettled([answered, inLimit])
    const failure = answer.status === 'rejected' ? answer : committed
    if (failure.status === 'rejected') throw asUnavailable(failure.reason, !READS.test(query.text))
    return (answer as PromiseFulfilledResult<Answer>).value
  })
}

/** Such a commit waits for nothing, so both are answered at once. */
function withoutDisk({ compile, ...binding }: Binding): Statements {
  const settings = [...binding.settings, compile(sql`select set_config('synchronous_commit', 'off', true)`)]
  return queries(compile, (query) =>
    single({ ...binding, settings }, query, { written: nothingWritten(), last: [] }),
  )
}

/** The last statements before the commit of a transaction that may have written. */
const lastStatements = ({ tenantId, compile }: Binding, written: Written): Statement[] =>
  tenantId !== undefined && hasWritten(written) ? replaceVersion(tenantId, written).map(compile) : []

/** A query that is sent together with the commit, and who takes its rows. */
interface Question {
  readonly query: Statement
  readonly told: (rows: unknown[]) => void
}

const asked = <R>(query: Statement, told: (rows: R[]) => void): Question => ({
  query,
  told: (rows) => told(rows as R[]),
})

interface LastMessage {
  readonly last: readonly Statement[]
  readonly questions?: readonly Question[]
  readonly commit: Statement
}

/** Sends the last statements, the questions and the commit together. Where one fails, the transaction is undone. */
async function commitWith(
  connection: LentConnection,
  { last, questions = [], commit }: LastMessage,
): Promise<TransactionEnd> {
  // the questions behind what may have to wait for other transactions of the tenant
  const all = [...last, ...questions.map((it) => it.query), commit]
  const answers = await Promise.all(all.map(connection.send)).catch(async (error: unknown) => {
    await rollback(connection)
    throw error
  })
  for (const [n, { told }] of questions.entries()) told(answers[last.length + n]?.rows ?? [])
  return endOf(answers.at(-1))
}

/** Where the connection is lost, the database does it. */
async function rollback({ send }: LentConnection): Promise<void> {
  await send({ text: 'rollback' }).catch(ignore)
}

/** PostgreSQL answers a commit with ROLLBACK when a statement had failed. */
const endOf = (answer: Answer | undefined): TransactionEnd =>
  answer?.command === 'COMMIT' ? 'committed' : 'undone'

/** Ends the connection when a commit takes too long: it waits without limit for a synchronous standby that is away. */
function limited<T>({ destroy }: LentConnection, committing: Promise<T>): Promise<T> {
  return inTime(committing, COMMIT_MS).catch((error: unknown) => {
    if (error instanceof DatabaseUnavailable) destroy()
    throw error
  })
}

const READS = /^\s*select\b/i

type Send = (query: Statement, about?: SubjectsWritten) => Promise<Answer>

async function inTransaction<T>(
  connection: LentConnection,
  binding: Binding & Pick<Asked, 'isOfOneState'>,
  work: (db: Db, send: Send) => Promise<T>,
): Promise<T> {
  const { wake, compile, commit, isOfOneState } = binding
  const topics = new Set<string>()
  const ending = openTransactionEnd()
  const [lastWork, questions]: [Map<LastWork<never>, unknown[]>, Question[]] = [new Map(), []]
  const [written, lastVersion]: [Written, LastVersion] = [nothingWritten(), { sent: 0 }]
  // its own changes have no version before it commits
  const state = { isClean: () => !hasWritten(written), lastVersion, isOfOneState }
  const send: Send = async (query, about) => {
    ending.noteStatement(query.text)
    lastVersion.sent++
    noteStatement(written, query.text, about)
    const result = await connection.send(query).catch(rethrow)
    if (typeof about === 'function') noteSubjects(written, about(result.rows as never[]))
    return result
  }
  const about = (subjects?: SubjectsWritten): Statements => queries(compile, (query) => send(query, subjects))
  const statements = about()
  const db: Db = {
    ...statements,
    about,
    cached: cachedOf(binding, statements, state),
    transaction: (inner, isolation) => (isolation ? Promise.reject(new Error(OPEN_ALREADY)) : inner(db)),
    afterCommit: (topic) => void topics.add(topic),
    beforeCommit: (each, given) => void lastWork.set(each, [...(lastWork.get(each) ?? []), given]),
    askAtCommit: (query, told) => void questions.push(asked(compile(query), told)),
    atEnd: ending.on,
  }
  let result: T
  try {
    result = await work(db, send)
    // in one order everywhere, for each may take a lock
    const inOrder = [...lastWork].sort(([a], [b]) => (a.name < b.name ? -1 : 1))
    for (const [each, given] of inOrder) await each(db, given as never[])
  } catch (error) {
    ending.tell('undone')
    await rollback(connection)
    throw error
  }
  const last = lastStatements(binding, written)
  const committing = limited(connection, commitWith(connection, { last, questions, commit }))
  const end = await ending.told(committing).catch(rethrowOfCommit)
  refuseUndone(end)
  wake(topics)
  return result
}

/** The rows are shared with other callers only while `isClean`. */
const cachedOf =
  (
    { tenantId, cache }: Binding,
    { all }: Statements,
    transaction: Pick<Asked, 'isClean' | 'lastVersion' | 'isOfOneState'>,
  ): Db['cached'] =>
  async (query, tables) =>
    tenantId === undefined || !transaction.isClean()
      ? all(query)
      : cache.rows(tenantId, query, { all, ...transaction, tables })

/** PostgreSQL answers a commit with ROLLBACK when a statement had failed, whoever caught the error. */
function refuseUndone(end: TransactionEnd): void {
  if (end === 'undone') throw new Error('a statement of the transaction had failed, so all of it is undone')
}

function rethrow(error: unknown): never {
  throw asUnavailable(error)
}

function rethrowOfCommit(error: unknown): never {
  throw asUnavailable(error, true)
}

function queries(compile: Binding['compile'], send: (query: Statement) => Promise<Answer>): Statements {
  const rows = async <R>(query: Query<R>): Promise<R[]> => (await send(compile(query))).rows as R[]
  return {
    all: rows,
    async one<R>(query: Query<R>) {
      const found = await rows(query)
      if (found.length !== 1) throw new Error(`expected one row, got ${found.length}`)
      return found[0] as R
    },
    async maybe<R>(query: Query<R>) {
      const found = await rows(query)
      if (found.length > 1) throw new Error(`expected at most one row, got ${found.length}`)
      return found[0]
    },
    run: async (query) => (await send(compile(query))).rowCount ?? 0,
  }
}

function ignore(): void {}
