import { checkedName } from '#platform/validation/checked-name.ts'
import { invalid } from '#platform/errors.ts'
import { parseAddress, parseNetwork, unfit } from './ip-network.ts'
import { isHostName } from '../probes/sweep/host-names.ts'
import type { ProbeTarget } from '../probes/probe.ts'

export interface Target {
  readonly id: string
  readonly name: string
  readonly kind: 'cidr' | 'host'
  /** The network in canonical form, the address in canonical form, or the host name in lower case. */
  readonly address: string
  readonly createdAt: string
}

/** Exactly one of `cidr` and `host`. */
export interface NewTarget {
  readonly name: string
  readonly cidr?: string
  readonly host?: string
}

const NAME_LENGTH_MAX = 200

/** Refuses, naming the field, what cannot be scanned; answers the rest in canonical form. */
export function checkedTarget(input: NewTarget): Pick<Target, 'name' | 'kind' | 'address'> {
  const name = checkedName('name', input.name, NAME_LENGTH_MAX)
  if (input.cidr !== undefined && input.host !== undefined)
    throw invalid('host', 'give either cidr or host, not both')
  if (input.cidr !== undefined) return { name, kind: 'cidr', address: checkedCidr(input.cidr) }
  if (input.host !== undefined) return { name, kind: 'host', address: checkedHost(input.host) }
  throw invalid('cidr', 'give either cidr or host')
}

export const asProbeTarget = ({ kind, address }: Pick<Target, 'kind' | 'address'>): ProbeTarget =>
  kind === 'cidr' ? { kind, cidr: address } : { kind, host: address }

function checkedCidr(text: string): string {
  const network = parseNetwork(text)
  if (typeof network === 'string') throw invalid('cidr', network)
  return network.cidr
}

function checkedHost(text: string): string {
  const host = text.trim().replace(/\.$/, '').toLowerCase()
  const address = parseAddress(host)
  const fault = address === undefined ? undefined : unfit(address)
  if (fault !== undefined) throw invalid('host', fault)
  if (address === undefined && !isHostName(host))
    throw invalid('host', 'must be an IP address or a host name')
  return address ?? host
}
