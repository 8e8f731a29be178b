import type { LookupAddress } from 'node:dns'
import { lookup as systemLookup } from 'node:dns/promises'
import { addressOf } from './resolve-host.ts'
import {
  isWithin,
  networksOfSpans,
  spanOfAddress,
  spansWithout,
  type AddressSpan,
} from '../../targets/address-span.ts'
import { parseNetwork, single, unfit, type Network } from '../../targets/ip-network.ts'
import { readEntries } from '../../targets/target-entries.ts'
import { ProbeFailure, type ProbeTarget } from '../probe.ts'

/** All addresses of a host name, the first the one to use; rejects when it has none. */
type Resolve = (name: string, options: { readonly all: true }) => Promise<readonly LookupAddress[]>

/** The addresses of a target; a host name has the one that this machine's name servers give first. */
export async function rangeOf(target: ProbeTarget): Promise<Network> {
  if (target.kind === 'range') throw new ProbeFailure('this looks at one host or one network')
  const range = target.kind === 'cidr' ? parseNetwork(target.cidr) : single(await addressOf(target.host))
  if (typeof range === 'string') throw new ProbeFailure(range)
  return range
}

/**
 * The networks of a target, each address once. Those that are written as addresses come first, always in the same
 * order; what host names lead to comes last. A name that leads nowhere is left out, unless nothing else is there. An
 * excluded name is excluded at all its addresses, and throws when it leads nowhere: its host would be looked at.
 */
export async function networksOf(
  target: ProbeTarget,
  resolve: Resolve = systemLookup,
): Promise<readonly Network[]> {
  if (target.kind !== 'range') return [await rangeOf(target)]
  const { spans, names, excludedNames, excludedSpans } = readEntries(target)
  const without = [...excludedSpans, ...(await spansOfExcluded(excludedNames, resolve))]
  const written = spansWithout(spans, without)
  const named = spansWithout(await spansOfNames(names, resolve), [...written, ...without])
  const networks = [...networksOfSpans(written), ...networksOfSpans(named)]
  if (networks.length === 0)
    throw new ProbeFailure(
      names.length === 0
        ? 'the exclusions leave no address to look at'
        : `none of the host names resolves: ${names.join(', ')}; check this machine's name servers`,
    )
  return networks
}

/** Whether an address belongs to the target, without its host names. */
export function coversAddress(target: ProbeTarget & { readonly kind: 'range' }, address: string): boolean {
  const span = spanOfAddress(address)
  return span !== undefined && isWithin(span, readEntries(target).spans)
}

async function spansOfNames(names: readonly string[], resolve: Resolve): Promise<AddressSpan[]> {
  const found = await Promise.all(names.map((name) => resolve(name, { all: true }).catch(() => [])))
  return found.flatMap((answers) => answers.slice(0, 1).flatMap(spansOfAnswer))
}

async function spansOfExcluded(names: readonly string[], resolve: Resolve): Promise<AddressSpan[]> {
  const found = names.map(async (name) => {
    const spans = (await resolve(name, { all: true }).catch(() => [])).flatMap(spansOfAnswer)
    if (spans.length > 0) return spans
    throw new ProbeFailure(
      `the excluded host name ${name} does not resolve, so nothing is looked at; check this machine's name servers, or exclude its addresses instead`,
    )
  })
  return (await Promise.all(found)).flat()
}

const spansOfAnswer = ({ address }: LookupAddress): AddressSpan[] => {
  const span = unfit(address) === undefined ? spanOfAddress(address) : undefined
  return span ? [span] : []
}
