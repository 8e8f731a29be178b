import { pino } from 'pino'
import { DatabaseUnavailable } from '../database/unavailable-errors.ts'

/** Structured lines on standard error; secrets are never passed to it. */
export type Log = Pick<pino.Logger, 'debug' | 'info' | 'warn' | 'error' | 'child'>

export const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const

export type LogLevel = (typeof LOG_LEVELS)[number]

/** The shortest interval between two warnings that the database is unavailable: hundreds of calls fail per second. */
const DATABASE_AWAY_EVERY_MS = 1_000

export function openLog(
  level: LogLevel,
  destination: pino.DestinationStream = pino.destination(2),
): pino.Logger {
  return pino(
    { level, base: null, timestamp: pino.stdTimeFunctions.isoTime, hooks: { logMethod: databaseAwayOnce() } },
    destination,
  )
}

/** One warning for all failures that an unavailable database caused, whatever level each was logged at. */
function databaseAwayOnce(): (this: pino.Logger, args: Parameters<pino.LogFn>, method: pino.LogFn) => void {
  let loggedAt = -Infinity
  let suppressed = 0
  return function (args, method) {
    const { err } = (args[0] ?? {}) as { err?: unknown }
    if (!(err instanceof DatabaseUnavailable)) return method.apply(this, args)
    suppressed += 1
    const now = performance.now()
    if (now - loggedAt < DATABASE_AWAY_EVERY_MS) return
    this.warn({ reason: err.message, failures: suppressed, last: args[1] }, 'the database is not available')
    loggedAt = now
    suppressed = 0
  }
}
