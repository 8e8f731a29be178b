import type { CommandInput, CommandResult } from '#platform/cli/command.ts'
import { invalid } from '#platform/errors.ts'
import { benchFailover } from './failover.ts'

const SECONDS_DEFAULT = 180
const SECONDS_MAX = 3_600

export function failover({ options }: CommandInput): Promise<CommandResult> {
  const seconds = options['seconds'] === undefined ? SECONDS_DEFAULT : Number(options['seconds'])
  if (!Number.isInteger(seconds) || seconds < 1 || seconds > SECONDS_MAX)
    throw invalid('seconds', `must be a whole number from 1 to ${SECONDS_MAX}`)
  return benchFailover({
    databaseUrl: String(options['database']),
    seconds,
    say: (text) => void process.stderr.write(`${new Date().toISOString()} ${text}\n`),
  })
}
