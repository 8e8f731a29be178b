import { addressOf } from './resolve-host.ts'
import { parseNetwork, single, type Network } from '../../targets/ip-network.ts'
import { ProbeFailure, type ProbeTarget } from '../probe.ts'

/** The addresses of a target; a host name has the one that this machine's name servers give first. */
export async function rangeOf(target: ProbeTarget): Promise<Network> {
  const range = target.kind === 'cidr' ? parseNetwork(target.cidr) : single(await addressOf(target.host))
  if (typeof range === 'string') throw new ProbeFailure(range)
  return range
}
