import type { Config } from '../config.ts'
import { databaseFindings } from './database-checks.ts'
import { machineFindings } from './machine-checks.ts'
import type { Finding } from './check.ts'
import type { CommandResult } from '#platform/cli/command.ts'

/** Looks at everything the product needs. It changes nothing, except that the embedded database is made and started. */
export async function examine(config: Config): Promise<CommandResult> {
  const findings = [...(await machineFindings(config)), ...(await databaseFindings(config))]
  const isHealthy = findings.every((it) => it.state !== 'fail')
  return {
    json: { healthy: isHealthy, checks: findings },
    text: [...findings.map(toLines), '', isHealthy ? 'Ready.' : 'Not ready: see FAIL above.'].join('\n'),
    ...(isHealthy ? {} : { isBad: true }),
  }
}

function toLines({ check, state, message, advice }: Finding): string {
  const line = `${state.toUpperCase().padEnd(4)}  ${check.padEnd(14)}  ${message}`
  return advice ? `${line}\n${' '.repeat(22)}${advice}` : line
}
