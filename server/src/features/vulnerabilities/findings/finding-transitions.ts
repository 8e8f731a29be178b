import type { KnownFinding, LiveAttribution, LiveMatch, LostMatch } from './attribution-store.ts'
import type { Holding } from '../matching/installed-software-store.ts'

/** What begins and ceases to hold, worked out from what is installed, what matches it, and what is written. Pure. */

/** A match that begins or ends to hold, for one asset and CVE. */
export interface Shift {
  readonly assetId: string
  readonly cveId: string
  readonly matchId: number
  /** Undefined: the asset never had a finding of this CVE. */
  readonly findingId: string | undefined
  readonly happens: 'begins' | 'is_missed' | 'returns' | 'ends'
  readonly because: string | null
  /** When the asset's software was last reported. */
  readonly inventoriedAt: string | null
}

export interface Written {
  readonly findings: readonly KnownFinding[]
  readonly attributions: readonly LiveAttribution[]
}

/** A match that is written and holds no more. */
export interface Lost extends LiveAttribution {
  readonly assetId: string
  readonly cveId: string
}

const managed: ReadonlySet<string> = new Set(['dpkg', 'rpm', 'apk', 'pacman'])

/** What is written otherwise than it holds: what begins or comes back, and what is lost. */
export function differences(
  holdings: readonly Holding[],
  matches: readonly LiveMatch[],
  { findings, attributions }: Written,
): { readonly found: Shift[]; readonly lost: Lost[] } {
  const findingIds = new Map(findings.map(({ id, assetId, cveId }) => [`${assetId} ${cveId}`, id]))
  const written = new Map(attributions.map((it) => [`${it.findingId} ${it.matchId}`, it]))
  const found: Shift[] = []
  for (const { assetId, match } of expected(holdings, matches)) {
    const findingId = findingIds.get(`${assetId} ${match.cveId}`)
    const key = `${findingId} ${match.id}`
    const known = written.get(key)
    written.delete(key)
    if (known?.missedAt === null) continue
    const happens = known ? ('returns' as const) : ('begins' as const)
    const { id: matchId, cveId } = match
    found.push({ assetId, cveId, matchId, findingId, happens, because: null, inventoriedAt: null })
  }
  const byId = new Map(findings.map((finding) => [finding.id, finding]))
  const lost = [...written.values()].flatMap((it): Lost[] => {
    const finding = byId.get(it.findingId)
    return finding ? [{ ...it, assetId: finding.assetId, cveId: finding.cveId }] : []
  })
  return { found, lost }
}

interface Expected {
  readonly assetId: string
  readonly match: LiveMatch
}

/** Each once. The running kernel decides between those that are installed; hearsay counts where nothing better is known. */
function expected(holdings: readonly Holding[], matches: readonly LiveMatch[]): Iterable<Expected> {
  const bySoftware = Map.groupBy(matches, ({ softwareId }) => softwareId)
  const known = new Set(holdings.filter(({ origin }) => managed.has(origin)).map(({ assetId }) => assetId))
  const all = new Map<string, Expected>()
  for (const { assetId, kernel, ids } of holdings)
    for (const id of ids)
      for (const match of bySoftware.get(id) ?? []) {
        const isOtherKernel = match.kernel !== '' && kernel !== '' && match.kernel !== kernel
        if (isOtherKernel || (match.isHearsay && known.has(assetId))) continue
        all.set(`${assetId} ${match.id}`, { assetId, match })
      }
  return all.values()
}

export interface Circumstances {
  readonly holdings: readonly Holding[]
  readonly matches: ReadonlyMap<number, LostMatch>
  /** Names of the software that is installed, among those of what was lost. */
  readonly names: ReadonlyMap<number, string>
}

/**
 * Software that an inventory no longer lists is missed at first; the next complete inventory without it ends it. Another
 * version of it ends it at once, as does a record that changed its mind. Empty: nothing happens yet.
 */
export function losses(lost: readonly Lost[], { holdings, matches, names }: Circumstances): Shift[] {
  const byAsset = Map.groupBy(holdings, ({ assetId }) => assetId)
  return lost.flatMap((it): Shift[] => {
    const own = byAsset.get(it.assetId) ?? []
    const inventoriedAt =
      own
        .map(({ seenAt }) => seenAt)
        .toSorted()
        .at(-1) ?? null
    const because = reasonOf(own, matches.get(it.matchId), names)
    const shift = {
      assetId: it.assetId,
      cveId: it.cveId,
      matchId: it.matchId,
      findingId: it.findingId,
      inventoriedAt,
    }
    if (because !== undefined) return [{ ...shift, happens: 'ends', because }]
    if (it.missedAt === null) return [{ ...shift, happens: 'is_missed', because: null }]
    const isConfirmed = inventoriedAt !== null && Date.parse(inventoriedAt) > Date.parse(it.missedAt)
    return isConfirmed ? [{ ...shift, happens: 'ends', because: 'the software is gone' }] : []
  })
}

function reasonOf(
  own: readonly Holding[],
  match: LostMatch | undefined,
  names: ReadonlyMap<number, string>,
): string | undefined {
  if (!match || match.isEnded) return 'the record no longer says so'
  if (own.length === 0) return 'nobody reports its software any more'
  if (own.some(({ ids }) => ids.includes(match.softwareId)))
    return 'another kernel runs, or a surer source knows better'
  if (own.some(({ ids }) => ids.some((id) => names.get(id) === match.package)))
    return 'another version is installed'
  return undefined
}
