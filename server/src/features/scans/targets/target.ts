import { checkedName } from '#platform/validation/checked-name.ts'
import { invalid } from '#platform/errors.ts'
import { parseAddress, parseNetwork, unfit } from './ip-network.ts'
import { checkedEntries, type TargetEntries } from './target-entries.ts'
import { industrialReads, type IndustrialRead } from '../probes/sweep/industrial/industrial-reads.ts'
import { isHostName } from '../probes/sweep/names/host-names.ts'
import type { ProbeTarget } from '../probes/probe.ts'

/** `range`: anything but one network or one host. */
export const targetKinds = ['cidr', 'host', 'range'] as const

export interface Target extends TargetEntries {
  readonly id: string
  readonly name: string
  readonly kind: (typeof targetKinds)[number]
  /**
   * The network in canonical form, the address in canonical form, or the host name in lower case; of a range its
   * entries, joined by ", ".
   */
  readonly address: string
  /** The collectors that scan it in place of the server; none: the server does. */
  readonly collectorIds: readonly string[]
  /** The site whose network it is of, and with it what is found; null: that of its collectors, else of the server. */
  readonly siteId: string | null
  /** The network that what is found is of, as the intake calls it. */
  readonly scope: string
  /** In these protocols of machines and buildings its sweeps ask devices who they are; none unless somebody turned them on. */
  readonly industrialReads: readonly IndustrialRead[]
  readonly createdAt: string
}

/** Exactly one of `cidr`, `host` and `entries`. */
export interface NewTarget {
  readonly name: string
  readonly cidr?: string
  readonly host?: string
  /** Networks, ranges, addresses and host names. */
  readonly entries?: readonly string[]
  /** The same, to be left out; with `entries` only. */
  readonly exclusions?: readonly string[]
  /** None unless given. With collectors a host is given by its address: names are looked up where the server is. */
  readonly collectorIds?: readonly string[]
  /** Of a place that is a site; none unless given. */
  readonly siteId?: string | null
  /** Of `industrialReads`; none unless given. */
  readonly industrialReads?: readonly string[]
}

export type TargetFields = Omit<Target, 'id' | 'createdAt' | 'scope'>

/** What a scan looks at. */
export type ScanAim = Pick<Target, 'kind' | 'address' | 'entries' | 'exclusions'>

const NAME_LENGTH_MAX = 200

/** Refuses, naming the field, what cannot be scanned; answers the rest in canonical form. */
export function checkedTarget(input: NewTarget): TargetFields {
  const name = checkedName('name', input.name, NAME_LENGTH_MAX)
  const { collectorIds = [], siteId = null } = input
  const aim = checkedAim(input)
  if (collectorIds.length > 0 && aim.kind === 'host' && parseAddress(aim.address) === undefined)
    throw invalid('host', 'must be an address where collectors scan: names are looked up where the server is')
  return { name, ...aim, collectorIds, siteId, industrialReads: checkedReads(input.industrialReads) }
}

function checkedReads(reads: readonly string[] = []): IndustrialRead[] {
  const unknown = reads.findIndex((it) => !industrialReads.includes(it as IndustrialRead))
  if (unknown !== -1)
    throw invalid(`industrialReads[${unknown}]`, `must be one of ${industrialReads.join(', ')}`)
  return industrialReads.filter((it) => reads.includes(it))
}

function checkedAim({ cidr, host, entries, exclusions = [] }: NewTarget): ScanAim {
  if (cidr !== undefined && host !== undefined) throw invalid('host', 'give either cidr or host, not both')
  if (entries !== undefined && (cidr !== undefined || host !== undefined))
    throw invalid('entries', 'give either entries, cidr or host')
  if (entries !== undefined) return aimOf(checkedEntries(entries, exclusions))
  if (exclusions.length > 0) throw invalid('exclusions', 'go with entries')
  const address = cidr === undefined ? checkedHost(host) : checkedCidr(cidr)
  return { kind: cidr === undefined ? 'host' : 'cidr', address, entries: [address], exclusions: [] }
}

/** One network or one host is what it was before targets had several entries. */
export function aimOf({ entries, exclusions }: TargetEntries): ScanAim {
  const [first = ''] = entries
  if (entries.length > 1 || exclusions.length > 0 || isSpan(first))
    return { kind: 'range', address: entries.join(', '), entries, exclusions }
  return { kind: first.includes('/') ? 'cidr' : 'host', address: first, entries, exclusions }
}

const isSpan = (entry: string): boolean =>
  parseAddress(entry.split('-')[0] ?? '') !== undefined && entry.includes('-')

export function asProbeTarget({ kind, address, entries, exclusions }: ScanAim): ProbeTarget {
  if (kind === 'range') return { kind, entries, exclusions }
  return kind === 'cidr' ? { kind, cidr: address } : { kind, host: address }
}

function checkedCidr(text: string): string {
  const network = parseNetwork(text)
  if (typeof network === 'string') throw invalid('cidr', network)
  return network.cidr
}

function checkedHost(text: string | undefined): string {
  if (text === undefined) throw invalid('cidr', 'give either cidr or host')
  const host = text.trim().replace(/\.$/, '').toLowerCase()
  const address = parseAddress(host)
  const fault = address === undefined ? undefined : unfit(address)
  if (fault !== undefined) throw invalid('host', fault)
  if (address === undefined && !isHostName(host))
    throw invalid('host', 'must be an IP address or a host name')
  return address ?? host
}
