import type { KnownFinding, LiveAttribution, LiveMatch, LostMatch, Transition } from './attribution.ts'
import { pairOf, type SoftwareSet } from '../matching/software-set.ts'

/**
 * When attributions of findings begin and end: compares installed software and its matches with what is stored. Pure.
 */

export interface Written {
  readonly findings: readonly KnownFinding[]
  readonly attributions: readonly LiveAttribution[]
}

/** A stored attribution whose match no longer holds. */
export interface Lost extends LiveAttribution {
  readonly assetId: string
  readonly cveId: string
}

const managed: ReadonlySet<string> = new Set(['dpkg', 'rpm', 'apk', 'pacman'])

/** `found`: matches to store, new or returned; `lost`: stored attributions that no longer hold. */
export function compareAttributions(
  sets: readonly SoftwareSet[],
  matches: readonly LiveMatch[],
  { findings, attributions }: Written,
): { readonly found: Transition[]; readonly lost: Lost[] } {
  const findingIds = new Map(findings.map(({ id, assetId, cveId }) => [`${assetId} ${cveId}`, id]))
  const written = new Map(attributions.map((it) => [`${it.findingId} ${it.matchId}`, it]))
  const found: Transition[] = []
  for (const { assetId, match, isUnconfirmed } of expected(sets, matches)) {
    const findingId = findingIds.get(`${assetId} ${match.cveId}`)
    const key = `${findingId} ${match.id}`
    const known = written.get(key)
    written.delete(key)
    const happens = happeningOf(known, isUnconfirmed)
    if (happens === undefined) continue
    const { id: matchId, cveId } = match
    const because = happens === 'turns' ? TURNS_BECAUSE : null
    found.push({ assetId, cveId, matchId, findingId, happens, isUnconfirmed, because, inventoriedAt: null })
  }
  const byId = new Map(findings.map((finding) => [finding.id, finding]))
  const lost = [...written.values()].flatMap((it): Lost[] => {
    const finding = byId.get(it.findingId)
    return finding ? [{ ...it, assetId: finding.assetId, cveId: finding.cveId }] : []
  })
  return { found, lost }
}

const TURNS_BECAUSE = 'more or less is known of the packages of the distribution'

function happeningOf(
  known: LiveAttribution | undefined,
  isUnconfirmed: boolean,
): 'begins' | 'returns' | 'turns' | undefined {
  if (!known) return 'begins'
  if (known.missedAt !== null) return 'returns'
  return known.isUnconfirmed === isUnconfirmed ? undefined : 'turns'
}

interface Expected {
  readonly assetId: string
  readonly match: LiveMatch
  readonly isUnconfirmed: boolean
}

/**
 * The matches that hold, each once. Of several installed kernels the running one counts; matches of banners and SNMP
 * count only on assets without a package manager's list.
 */
function expected(sets: readonly SoftwareSet[], matches: readonly LiveMatch[]): Iterable<Expected> {
  const bySoftware = Map.groupBy(matches, ({ softwareId }) => softwareId)
  const known = new Set(sets.filter(({ origin }) => managed.has(origin)).map(({ assetId }) => assetId))
  const all = new Map<string, Expected>()
  for (const { assetId, kernel, ids, except, unconfirmed } of sets)
    for (const id of ids)
      for (const match of bySoftware.get(id) ?? []) {
        const isOtherKernel = match.kernel !== '' && kernel !== '' && match.kernel !== kernel
        if (except?.has(pairOf(id, match.cveId))) continue
        if (isOtherKernel || (match.isSelfReported && known.has(assetId))) continue
        all.set(`${assetId} ${match.id}`, { assetId, match, isUnconfirmed: unconfirmed?.has(id) ?? false })
      }
  return all.values()
}

export interface InstalledNow {
  readonly sets: readonly SoftwareSet[]
  readonly matches: ReadonlyMap<number, LostMatch>
  /** Names of the software that is installed, among those of what was lost. */
  readonly names: ReadonlyMap<number, string>
}

/**
 * Software that an inventory no longer lists is marked as missed; the next complete inventory without it ends the
 * attribution. Another installed version ends it at once, as does a changed advisory. Empty: nothing to do yet.
 */
export function endedTransitions(
  lost: readonly Lost[],
  { sets, matches, names }: InstalledNow,
): Transition[] {
  const byAsset = Map.groupBy(sets, ({ assetId }) => assetId)
  return lost.flatMap((it): Transition[] => {
    const own = byAsset.get(it.assetId) ?? []
    const inventoriedAt =
      own
        .map(({ seenAt }) => seenAt)
        .toSorted()
        .at(-1) ?? null
    const because = reasonOf(own, matches.get(it.matchId), names)
    const transition = {
      assetId: it.assetId,
      cveId: it.cveId,
      matchId: it.matchId,
      findingId: it.findingId,
      isUnconfirmed: it.isUnconfirmed,
      inventoriedAt,
    }
    if (because !== undefined) return [{ ...transition, happens: 'ends', because }]
    if (it.missedAt === null) return [{ ...transition, happens: 'is_missed', because: null }]
    const isConfirmed = inventoriedAt !== null && Date.parse(inventoriedAt) > Date.parse(it.missedAt)
    return isConfirmed ? [{ ...transition, happens: 'ends', because: 'the software is gone' }] : []
  })
}

function reasonOf(
  own: readonly SoftwareSet[],
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
