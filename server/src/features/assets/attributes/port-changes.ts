import type { NewChange } from '#features/changes/changes.ts'
import type { ComputedAsset } from '../asset.ts'

/** The open TCP ports that were known of an asset. */
export interface PortsBefore {
  readonly id: string
  readonly openPorts: readonly number[]
  /** Of which it was known whether they are open; null: of all. */
  readonly knownPorts: readonly number[] | null
}

/** The subject names at most so many ports; `before` and `after` name all. */
const NAMED_MAX = 12

/**
 * Ports that are open and were known not to be, and ports that were open and are known not to be: what nobody asked about
 * before, or asks about no longer, has neither opened nor closed. Nor has what came with assets that were joined to it, of
 * which `before` has a line each, or went with those that `parted` from it. One change of each kind for an asset.
 */
export function portChanges(
  before: readonly PortsBefore[],
  after: readonly ComputedAsset[],
  parted: ReadonlyMap<string, readonly ComputedAsset[]>,
): NewChange[] {
  const computed = new Map(after.map((asset) => [asset.id, asset]))
  return [...Map.groupBy(before, ({ id }) => id)].flatMap(([id, lines]): NewChange[] => {
    const asset = computed.get(id)
    const { openPorts, knownPorts = null } = asset?.facets.facts ?? {}
    if (!asset || !openPorts) return []
    const wereOpen = lines.flatMap((it) => it.openPorts)
    const wentAlong = (parted.get(id) ?? []).flatMap(({ facets }) => facets.facts.openPorts ?? [])
    const about = { assetId: asset.id, assetName: asset.name }
    const opened = without(openPorts, wereOpen).filter(isKnownIn(knownOf(lines)))
    const closed = without(wereOpen, [...openPorts, ...wentAlong]).filter(isKnownIn(knownPorts))
    return [
      ...(opened.length > 0
        ? [{ ...about, kind: 'port_opened' as const, subject: named(opened), after: opened }]
        : []),
      ...(closed.length > 0
        ? [{ ...about, kind: 'port_closed' as const, subject: named(closed), before: closed }]
        : []),
    ]
  })
}

function knownOf(lines: readonly PortsBefore[]): readonly number[] | null {
  const known = lines.flatMap(({ knownPorts }) => knownPorts ?? [])
  return lines.some(({ knownPorts }) => knownPorts === null) ? null : known
}

function without(ports: readonly number[], others: readonly number[]): number[] {
  const known = new Set(others)
  return [...new Set(ports)].filter((port) => !known.has(port)).toSorted((a, b) => a - b)
}

function isKnownIn(known: readonly number[] | null): (port: number) => boolean {
  const among = known && new Set(known)
  return (port) => among?.has(port) ?? true
}

const named = (ports: readonly number[]): string =>
  ports.length <= NAMED_MAX
    ? ports.join(', ')
    : `${ports.slice(0, NAMED_MAX).join(', ')} and ${ports.length - NAMED_MAX} more`
