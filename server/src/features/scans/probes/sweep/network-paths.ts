import type { ProbeTarget } from '../probe.ts'
import { cidrsOf, parseSpan, spanOfAddress, type AddressSpan } from '../../targets/address-span.ts'

/** Addresses that are reached the same way, as far as the target says: one of its entries. */
export interface NetworkPath {
  readonly name: string
  /** The fewest networks that are its addresses. */
  readonly networks: readonly string[]
}

/**
 * The path on which an address lies: the first entry of the target that names it. People write an entry for each site, so
 * how long answers take is learned for each. Undefined: a host name led there, or the target is one network or host.
 */
export function pathsOf(target: ProbeTarget): (address: string) => NetworkPath | undefined {
  if (target.kind !== 'range') return () => undefined
  const paths = target.entries.flatMap((entry) => {
    const span = parseSpan(entry)
    return typeof span === 'object' ? [{ name: entry, networks: cidrsOf(span), span }] : []
  })
  return (address) => {
    const at = spanOfAddress(address)
    return at && paths.find(({ span }) => holds(span, at))
  }
}

const holds = (span: AddressSpan, at: AddressSpan): boolean =>
  span.family === at.family && span.first <= at.first && at.last <= span.last
