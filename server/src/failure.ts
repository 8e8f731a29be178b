import { ConfigError } from './config.ts'
import { UsageError } from '#platform/cli/command-line.ts'
import { Refusal } from '#platform/errors.ts'

/** Exit codes. */
export const DONE = 0
export const REFUSED = 1
export const WRONG_USAGE = 2

/** Why a command has failed, for people and programs. */
export interface Failure {
  readonly code: string
  readonly message: string
  readonly text: string
  readonly exitCode: number
}

export function describeFailure(error: unknown): Failure {
  if (error instanceof UsageError) {
    const { message, usage } = error
    return { code: 'usage', message, text: `${message}\n${usage}`, exitCode: WRONG_USAGE }
  }
  if (error instanceof Refusal) {
    return { code: error.code, message: error.message, text: error.message, exitCode: REFUSED }
  }
  if (error instanceof ConfigError) {
    const text = ['The settings do not fit:', ...error.problems.map((it) => `  ${it}`)].join('\n')
    return { code: 'invalid_settings', message: error.problems.join('; '), text, exitCode: REFUSED }
  }
  const message = [...causes(error)].join(': ')
  return { code: 'internal_error', message, text: message, exitCode: REFUSED }
}

/** An error's own words and those of what caused it. */
function* causes(error: unknown): Generator<string> {
  for (let at = error; at instanceof Error; at = at.cause)
    yield at instanceof AggregateError
      ? at.errors.map((one) => [...causes(one)].join(': ')).join('; ')
      : at.message
}

export const ended = (text: string): string => {
  const shown = visible(text)
  return shown.endsWith('\n') || shown === '' ? shown : `${shown}\n`
}

/** Names come from devices that anybody may have set up; to a terminal, what is in them is no command. */
const visible = (text: string): string =>
  text.replaceAll(UNSEEN, (it) => `\\x${it.charCodeAt(0).toString(16).padStart(2, '0')}`)

/** Control characters of C0 and C1, but for the tab and the end of a line. */
const UNSEEN = /(?![\t\n])\p{Cc}/gu
