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

/**
 * A host is the same by asset and address, else by its asset (it has moved, which is `changed`, not new), else by its
 * address unless that belongs to another asset now. A device with several addresses has a row for each; every row is
 * compared with one of the earlier run and no two with the same.
 */
export function compareHosts(before: readonly Compared[], now: readonly Compared[]): Comparison {
  const earlierOf = pairs(before, now)
  const changes = now.map((host): Change => {
    const { address } = host
    const earlier = earlierOf.get(host)
    if (!earlier) return { address, change: 'new', changedFields: [] }
    const changedFields = differenceOf(earlier, host)
    return { address, change: changedFields.length > 0 ? 'changed' : 'unchanged', changedFields }
  })
  const met = new Set(earlierOf.values())
  const found = new Set(now.map(({ address }) => address))
  // a device whose address another one has now is gone too, but its row would have the same key
  const gone = before.filter((it) => !met.has(it) && !found.has(it.address))
  return { changes, gone: gone.map(({ address }) => address) }
}

function pairs(before: readonly Compared[], now: readonly Compared[]): Map<Compared, Compared> {
  const found = new Map<Compared, Compared>()
  const left = new Set(before)
  const pair = (
    keyOf: (host: Compared) => string | null,
    isSame: (one: Compared, other: Compared) => boolean = always,
  ): void => {
    const byKey = Map.groupBy(left, keyOf)
    for (const host of now) {
      const key = found.has(host) ? null : keyOf(host)
      const earlier =
        key === null ? undefined : byKey.get(key)?.find((it) => left.has(it) && isSame(it, host))
      if (!earlier) continue
      found.set(host, earlier)
      left.delete(earlier)
    }
  }
  pair(({ address, assetId }) => (assetId === null ? null : `${assetId} ${address}`))
  pair(({ assetId }) => assetId)
  pair(
    ({ address }) => address,
    (a, b) => a.assetId === null || b.assetId === null || a.assetId === b.assetId,
  )
  return found
}

const always = (): boolean => true

function differenceOf(before: Compared, now: Compared): string[] {
  const fields: string[] = FIELDS.filter((field) => (before.seen[field] ?? '') !== (now.seen[field] ?? ''))
  const ports = (it: Compared): string => (it.seen.ports ?? []).toSorted((a, b) => a - b).join()
  if (ports(before) !== ports(now)) fields.push('ports')
  if (before.address !== now.address) fields.push('address')
  if ((before.outcome === 'logged_in') !== (now.outcome === 'logged_in')) fields.push('login')
  return fields
}
