import type { DiscoveryHost, Seen } from '../discovery.ts'
import type { Change } from '../host-store.ts'

type Compared = Pick<DiscoveryHost, 'address' | 'assetId' | 'seen' | 'outcome'>

export interface Comparison {
  /** One for each host of the later run. */
  readonly changes: readonly Change[]
  /** Addresses of the earlier run whose host the later one did not find. */
  readonly gone: readonly string[]
}

const FIELDS = ['name', 'os', 'vendor', 'model'] as const satisfies readonly (keyof Seen)[]

/** A host is the same by its asset, else by its address: what has moved to another address is `changed`, not new. */
export function compareHosts(before: readonly Compared[], now: readonly Compared[]): Comparison {
  const byAsset = new Map(before.flatMap((it) => (it.assetId === null ? [] : [[it.assetId, it]])))
  const byAddress = new Map(before.map((it) => [it.address, it]))
  const met = new Set<string>()
  const changes = now.map((host): Change => {
    const { address, assetId } = host
    const sameAddress = byAddress.get(address)
    const isOther = assetId !== null && sameAddress?.assetId != null && sameAddress.assetId !== assetId
    const earlier =
      (assetId === null ? undefined : byAsset.get(assetId)) ?? (isOther ? undefined : sameAddress)
    if (!earlier) return { address, change: 'new', changedFields: [] }
    met.add(earlier.address)
    const changedFields = differenceOf(earlier, host)
    return { address, change: changedFields.length > 0 ? 'changed' : 'unchanged', changedFields }
  })
  const found = new Set(now.map(({ address }) => address))
  // a device whose address another one has now is gone too, but its row would have the same key
  const gone = before.filter(({ address }) => !met.has(address) && !found.has(address))
  return { changes, gone: gone.map(({ address }) => address) }
}

function differenceOf(before: Compared, now: Compared): string[] {
  const fields: string[] = FIELDS.filter((field) => (before.seen[field] ?? '') !== (now.seen[field] ?? ''))
  const ports = (it: Compared): string => (it.seen.ports ?? []).toSorted((a, b) => a - b).join()
  if (ports(before) !== ports(now)) fields.push('ports')
  if (before.address !== now.address) fields.push('address')
  if ((before.outcome === 'logged_in') !== (now.outcome === 'logged_in')) fields.push('login')
  return fields
}
