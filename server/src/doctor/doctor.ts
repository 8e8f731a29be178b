import type { Config } from '../config.ts'
import { databaseChecks } from './database-checks.ts'
import { machineChecks } from './machine-checks.ts'
import type { Check } from './check.ts'
import type { CommandResult } from '#platform/cli/command.ts'

/** Looks at everything the product needs. It changes nothing, except that the embedded database is made and started. */
export async function runChecks(config: Config): Promise<CommandResult> {
  const checks = [...(await machineChecks(config)), ...(await databaseChecks(config))]
  const isHealthy = checks.every((it) => it.state !== 'fail')
  return {
    json: { healthy: isHealthy, checks: checks },
    text: [...checks.map(toLines), '', isHealthy ? 'Ready.' : 'Not ready: see FAIL above.'].join('\n'),
    ...(isHealthy ? {} : { isBad: true }),
  }
}

function toLines({ check, state, message, advice }: Check): string {
  const line = `${state.toUpperCase().padEnd(4)}  ${check.padEnd(14)}  ${message}`
  return advice ? `${line}\n${' '.repeat(22)}${advice}` : line
}
