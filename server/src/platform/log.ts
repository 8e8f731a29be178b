import { pino } from 'pino'

/** Structured lines on standard error; secrets are never passed to it. */
export type Log = Pick<pino.Logger, 'debug' | 'info' | 'warn' | 'error' | 'child'>

export const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const

export type LogLevel = (typeof LOG_LEVELS)[number]

export function openLog(level: LogLevel): pino.Logger {
  return pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime }, pino.destination(2))
}
