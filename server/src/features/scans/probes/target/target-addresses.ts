import { lookup } from 'node:dns/promises'
import { addressOf } from './resolve-host.ts'
import { networksOfSpans, spanOfAddress, spansWithout, isWithin } from '../../targets/address-span.ts'
import { parseNetwork, single, unfit, type Network } from '../../targets/ip-network.ts'
import { readEntries } from '../../targets/target-entries.ts'
import { ProbeFailure, type ProbeTarget } from '../probe.ts'

/** The addresses of a target; a host name has the one that this machine's name servers give first. */
export async function rangeOf(target: ProbeTarget): Promise<Network> {
  if (target.kind === 'range') throw new ProbeFailure('this looks at one host or one network')
  const range = target.kind === 'cidr' ? parseNetwork(target.cidr) : single(await addressOf(target.host))
  if (typeof range === 'string') throw new ProbeFailure(range)
  return range
}

/**
 * The networks of a target, each address once. Those that are written as addresses come first, always in the same
 * order; what host names lead to comes last. A name that leads nowhere is left out, unless nothing else is there.
 */
export async function networksOf(target: ProbeTarget): Promise<readonly Network[]> {
  if (target.kind !== 'range') return [await rangeOf(target)]
  const { spans, names, excludedNames, excludedSpans } = readEntries(target)
  const without = [...excludedSpans, ...(await spansOfNames(excludedNames))]
  const written = spansWithout(spans, without)
  const named = spansWithout(await spansOfNames(names), [...written, ...without])
  const networks = [...networksOfSpans(written), ...networksOfSpans(named)]
  if (networks.length === 0)
    throw new ProbeFailure(
      `none of the host names resolves: ${names.join(', ')}; check this machine's name servers`,
    )
  return networks
}

/** Whether an address belongs to the target, without its host names. */
export function coversAddress(target: ProbeTarget & { readonly kind: 'range' }, address: string): boolean {
  const span = spanOfAddress(address)
  return span !== undefined && isWithin(span, readEntries(target).spans)
}

async function spansOfNames(names: readonly string[]) {
  const found = await Promise.all(names.map((name) => lookup(name).catch(() => undefined)))
  return found.flatMap((it) =>
    it && unfit(it.address) === undefined ? (spanOfAddress(it.address) ?? []) : [],
  )
}
