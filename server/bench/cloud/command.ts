import type { CommandInput, CommandResult } from '#platform/cli/command.ts'
import { invalid } from '#platform/errors.ts'
import { crashInPageTwo } from './crash-in-page-two.ts'
import { manyConnections } from './many-connections.ts'
import { largeConnection } from './large-connection.ts'
import type { Finding } from './finding.ts'
import { readMoto } from './moto-reading.ts'

const MOST = 500_000

/** Reads large and many connections of a stand-in for Azure and, with `--moto`, an estate at moto. */
export async function benchCloud({ options }: CommandInput): Promise<CommandResult> {
  const size = (name: string, fallback: number): number => {
    const given = options[name] === undefined ? fallback : Number(options[name])
    if (!Number.isInteger(given) || given < 0 || given > MOST)
      throw invalid(name, `must be a whole number from 0 to ${MOST}`)
    return given
  }
  const [resources, connections] = [size('resources', 100_000), size('connections', 200)]
  const findings: Finding[] = []
  const measure = async (run: () => Promise<readonly Finding[]>) => {
    for (const finding of await run()) {
      findings.push(finding)
      process.stderr.write(`${lineOf(finding)}\n`)
    }
  }
  if (typeof options['moto'] === 'string') {
    const address = options['moto']
    await measure(() => readMoto(address))
  }
  if (resources > 0) await measure(() => largeConnection(resources))
  if (resources > 0) await measure(crashInPageTwo)
  if (connections > 0) await measure(() => manyConnections(connections))
  return {
    json: findings,
    text: findings.map(lineOf).join('\n'),
    ...(findings.some(({ isMet }) => !isMet) && { isBad: true }),
  }
}

const lineOf = ({ what, found, isMet }: Finding): string =>
  `${isMet ? 'met        ' : 'FALLS SHORT'}  ${what}: ${found}`
