import type { Observation } from '#features/assets/observation.ts'
import { probeSingleHost, type Host } from './single-host-probe.ts'
import type { Probe, ProbeOptions, ProbeTarget } from './probe.ts'
import { observationOf } from './snmp/device-observation.ts'
import { readDevice } from './snmp/read-device.ts'
import { signIn } from './snmp/protocol/authentication.ts'

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

/** More than all that one device may be asked for takes. */
const SCAN_TIMEOUT_MS = 10 * 60_000

function run(target: ProbeTarget, options: ProbeOptions): AsyncIterable<Observation> {
  return probeSingleHost(target, options, {
    needs: 'an snmp scan needs a community or a user of SNMPv3; add one that covers the host',
    totalMs: SCAN_TIMEOUT_MS,
    at: ask,
  })
}

async function* ask({ address, access, signal, now, onRaw }: Host): AsyncGenerator<Observation> {
  const { agent, channel, hasDefaultCommunity } = await signIn(address, access, signal)
  try {
    const device = await readDevice(agent)
    signal.throwIfAborted()
    for (const [part, reported] of Object.entries(device)) onRaw(part, asText(reported))
    const observation = observationOf(device, address, now())
    yield hasDefaultCommunity === undefined
      ? observation
      : { ...observation, facts: { ...observation.facts, defaultCommunity: hasDefaultCommunity } }
  } finally {
    channel.close()
  }
}

/** Octets in hexadecimal, as the tools of SNMP print them. */
function asText(reported: unknown): string {
  const plain = (_: string, value: unknown): unknown => {
    if (value instanceof Set || value instanceof Map) return [...value]
    const isOctets = typeof value === 'object' && value !== null && 'type' in value && value.type === 'Buffer'
    return isOctets && 'data' in value ? Buffer.from(value.data as number[]).toString('hex') : value
  }
  return JSON.stringify(reported, plain, 1) ?? ''
}
