import type { NewChange } from '#features/changes/changes.ts'
import type { ComputedAsset } from '../asset.ts'

/** The open TCP ports that were known of an asset. */
export interface PortsBefore {
  readonly id: string
  readonly openPorts: readonly number[]
  /** Of which it was known whether they are open; null: of all. */
  readonly knownPorts: readonly number[] | null
}

/** Of so many ports the subject names each; `before` and `after` name all. */
const NAMED_MAX = 12

/**
 * Ports that are open and were known not to be, and ports that were open and are known not to be: what nobody asked about
 * before, or asks about no longer, has neither opened nor closed. One change of each kind for an asset.
 */
export function portChanges(before: readonly PortsBefore[], after: readonly ComputedAsset[]): NewChange[] {
  const computed = new Map(after.map((asset) => [asset.id, asset]))
  return before.flatMap((earlier): NewChange[] => {
    const asset = computed.get(earlier.id)
    const { openPorts, knownPorts = null } = asset?.facets.facts ?? {}
    if (!asset || !openPorts) return []
    const about = { assetId: asset.id, assetName: asset.name }
    const opened = without(openPorts, earlier.openPorts).filter(isKnownIn(earlier.knownPorts))
    const closed = without(earlier.openPorts, openPorts).filter(isKnownIn(knownPorts))
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

function without(ports: readonly number[], others: readonly number[]): number[] {
  const known = new Set(others)
  return ports.filter((port) => !known.has(port)).toSorted((a, b) => a - b)
}

function isKnownIn(known: readonly number[] | null): (port: number) => boolean {
  const among = known && new Set(known)
  return (port) => among?.has(port) ?? true
}

const named = (ports: readonly number[]): string =>
  ports.length <= NAMED_MAX
    ? ports.join(', ')
    : `${ports.slice(0, NAMED_MAX).join(', ')} and ${ports.length - NAMED_MAX} more`
