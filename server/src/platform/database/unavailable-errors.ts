import pg from 'pg'
import { moving } from '../errors.ts'

/** The database cannot serve now: it is away, starts, is full, or takes no writes. It passes without our doing. */
export class DatabaseUnavailable extends Error {
  /** The connection was lost during the commit: the change may have been committed. */
  readonly mayBeTaken: boolean

  constructor(
    message: string,
    { cause, mayBeTaken = false }: { cause?: unknown; mayBeTaken?: boolean } = {},
  ) {
    super(message, { cause })
    this.name = 'DatabaseUnavailable'
    this.mayBeTaken = mayBeTaken
  }
}

/**
 * PostgreSQL manual, Appendix A: class 08 connection exception, 53300 too_many_connections, 57P01 admin_shutdown,
 * 57P02 crash_shutdown, 57P03 cannot_connect_now, 25006 read_only_sql_transaction. PgBouncer reports with class 08.
 */
const STATES = /^(?:08...|53300|57P0[123]|25006)$/

/** What `refuse_moving` raises. */
const TENANT_MOVING = 'RCM01'

/** Codes of sockets and of the look-up of a host's name; ENOENT is a unix socket that is not there yet. */
const SYSTEM_ERRORS = new Set([
  'EAI_AGAIN',
  'ECONNABORTED',
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTDOWN',
  'EHOSTUNREACH',
  'ENETDOWN',
  'ENETUNREACH',
  'ENOENT',
  'ENOTFOUND',
  'EPIPE',
  'ETIMEDOUT',
])

/** Messages of node-postgres, whose own errors have no code. */
const SENTENCES =
  /^(?:Connection terminated|timeout expired|Query read timeout|Client (?:has encountered a connection error|was closed))/

/** Of an error that a database connection threw: a DatabaseUnavailable where it is one, else the error itself. */
export function asUnavailable(error: unknown, mayBeTaken = false): unknown {
  if (error instanceof DatabaseUnavailable) {
    return mayBeTaken && !error.mayBeTaken
      ? new DatabaseUnavailable(error.message, { cause: error.cause, mayBeTaken })
      : error
  }
  if (error instanceof pg.DatabaseError && error.code === TENANT_MOVING) return moving()
  if (!isUnavailable(error)) return error
  return new DatabaseUnavailable(sentenceOf(error), { cause: error, mayBeTaken })
}

function isUnavailable(error: unknown): boolean {
  if (error instanceof AggregateError) return error.errors.length > 0 && error.errors.every(isUnavailable)
  if (error instanceof DatabaseUnavailable) return true
  if (!(error instanceof Error)) return false
  const code = String((error as NodeJS.ErrnoException).code ?? '')
  if (error instanceof pg.DatabaseError) return STATES.test(code)
  return SYSTEM_ERRORS.has(code) || SENTENCES.test(error.message)
}

/** An error of several addresses has no words of its own. */
const sentenceOf = (error: unknown): string =>
  error instanceof AggregateError ? error.errors.map(sentenceOf).join('; ') : (error as Error).message

/**
 * Rejects with DatabaseUnavailable when there is no answer after `ms`. A process that was busy for longer than that
 * reads what has arrived meanwhile before it judges: timers run before sockets are read.
 */
export async function inTime<T>(answer: Promise<T>, ms: number): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>()
  const giveUp = (): void => reject(new DatabaseUnavailable(`the database did not answer for ${ms} ms`))
  const timer = setTimeout(() => setImmediate(() => setImmediate(giveUp)), ms)
  try {
    return await Promise.race([answer, late])
  } finally {
    clearTimeout(timer)
  }
}
