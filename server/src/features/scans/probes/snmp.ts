import { lookup } from 'node:dns/promises'
import type { Observation } from '#features/assets/observation.ts'
import { ProbeFailure, type Probe, type ProbeOptions, type ProbeTarget } from './probe.ts'
import { observationOf } from './snmp/describe.ts'
import { readDevice } from './snmp/read-device.ts'
import { signIn } from './snmp/sign-in.ts'

/**
 * Asks one device over SNMP what it is, what it has, and what it is connected to. Only reads: there is no way in here
 * to write to a device. What a table lacks, and why, is said in the facts.
 */
export const snmp: Probe = {
  type: 'snmp',
  title: 'SNMP',
  accepts: (target) =>
    target.kind === 'host' ? true : 'SNMP looks at one host; give a target with a host name or an address',
  run,
}

async function* run(target: ProbeTarget, options: ProbeOptions): AsyncGenerator<Observation> {
  if (target.kind !== 'host') throw new ProbeFailure('SNMP looks at one host')
  const progress = { total: 1, ratePerSecond: 0, remainingSeconds: 0 }
  options.onProgress?.({ ...progress, done: 0, found: 0 })
  const address = await addressOf(target.host)
  const { agent, channel } = await signIn(address, options.access, options.signal)
  try {
    const device = await readDevice(agent)
    options.signal.throwIfAborted()
    for (const [part, told] of Object.entries(device)) options.onRaw?.({ address, part, text: asText(told) })
    yield observationOf(device, address, options.now())
    options.onProgress?.({ ...progress, done: 1, found: 1 })
  } finally {
    channel.close()
  }
}

/** Octets in hexadecimal, as the tools of SNMP print them. */
function asText(told: unknown): string {
  const plain = (_: string, value: unknown): unknown => {
    if (value instanceof Set || value instanceof Map) return [...value]
    const isOctets = typeof value === 'object' && value !== null && 'type' in value && value.type === 'Buffer'
    return isOctets && 'data' in value ? Buffer.from(value.data as number[]).toString('hex') : value
  }
  return JSON.stringify(told, plain, 1) ?? ''
}

async function addressOf(host: string): Promise<string> {
  try {
    return (await lookup(host)).address
  } catch {
    throw new ProbeFailure(
      `the host name ${host} does not resolve; check the name and this machine's name servers`,
    )
  }
}
