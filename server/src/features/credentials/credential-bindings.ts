import { isIP, isIPv4 } from 'node:net'
import ipaddr from 'ipaddr.js'
import { invalid } from '#platform/errors.ts'
import { isUuid } from '#platform/uuid.ts'

/** The networks and targets to which a credential may be sent, and no others. */
export interface Bindings {
  readonly cidrs: readonly string[]
  /** Scan targets: the addresses that such a host has at the time of the scan. */
  readonly targetIds: readonly string[]
}

const BINDINGS_MAX = 100

export function checkedBindings({ cidrs, targetIds }: Bindings): Bindings {
  const checked = {
    cidrs: [...new Set(cidrs.map(checkedCidr))],
    targetIds: [...new Set(targetIds.map(checkedTarget))],
  }
  const count = checked.cidrs.length + checked.targetIds.length
  if (count === 0) throw invalid('cidrs', 'give at least one network or target where it may be shown')
  if (count > BINDINGS_MAX) throw invalid('cidrs', `at most ${BINDINGS_MAX} networks and targets`)
  return checked
}

/** Whether there is a place among these that was not covered before. */
export function reachesFurther(before: Bindings, after: Bindings): boolean {
  return (
    after.targetIds.some((id) => !before.targetIds.includes(id)) ||
    after.cidrs.some((cidr) => !before.cidrs.some((wider) => contains(wider, cidr)))
  )
}

function checkedTarget(id: string): string {
  if (!isUuid(id)) throw invalid('targetIds', 'must be the UUIDs of scan targets')
  return id.toLowerCase()
}

/** In canonical form; a single address is a network of one. */
function checkedCidr(text: string): string {
  const [address = '', bits, ...rest] = text.trim().split('/')
  const width = isIPv4(address) ? 32 : 128
  if (
    isIP(address) === 0 ||
    address.includes('%') ||
    rest.length > 0 ||
    !/^\d{1,3}$/.test(bits ?? String(width))
  )
    throw invalid('cidrs', `${text.slice(0, 64)} is no network; write one such as 192.0.2.0/24`)
  const prefix = Number(bits ?? width)
  if (prefix > width) throw invalid('cidrs', `the prefix of ${address} is at most /${width}`)
  if (prefix === 0) throw invalid('cidrs', 'a credential for every address would be anybody’s')
  const parsed = ipaddr.parse(address)
  const bytes = parsed
    .toByteArray()
    .map((byte, at) => byte & (0xff << Math.max(0, Math.min(8, 8 * (at + 1) - prefix))))
  return `${ipaddr.fromByteArray(bytes).toString()}/${prefix}`
}

function contains(wider: string, narrower: string): boolean {
  const [range, bits] = ipaddr.parseCIDR(wider)
  const [address, prefix] = ipaddr.parseCIDR(narrower)
  return range.kind() === address.kind() && prefix >= bits && address.match(range, bits)
}
