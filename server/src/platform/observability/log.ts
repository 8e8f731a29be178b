import { pino } from 'pino'
import { DatabaseUnavailable } from '../database/unavailable-errors.ts'

/** Structured lines on standard error; secrets are never passed to it. */
export type Log = Pick<pino.Logger, 'debug' | 'info' | 'warn' | 'error' | 'child'>

export const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const

export type LogLevel = (typeof LOG_LEVELS)[number]

/** While the database is away everything fails, hundreds of times a second; it is said so often. */
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

/** One warning for all that failed because the database is away, whatever level each was to be told at. */
function databaseAwayOnce(): (this: pino.Logger, args: Parameters<pino.LogFn>, method: pino.LogFn) => void {
  let toldAt = -Infinity
  let untold = 0
  return function (args, method) {
    const { err } = (args[0] ?? {}) as { err?: unknown }
    if (!(err instanceof DatabaseUnavailable)) return method.apply(this, args)
    untold += 1
    const now = performance.now()
    if (now - toldAt < DATABASE_AWAY_EVERY_MS) return
    this.warn({ reason: err.message, failures: untold, last: args[1] }, 'the database is not available')
    toldAt = now
    untold = 0
  }
}
