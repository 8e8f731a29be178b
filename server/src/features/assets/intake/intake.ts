import type { Ctx } from '#platform/context.ts'
import { newUuid } from '#platform/uuid.ts'
import { wrongWith, type Rejected } from './observation-validation.ts'
import { describe, NOTHING_PERSONAL } from '../attributes/asset-values.ts'
import { arrivalOf, firstSight, fold, type Arrival } from './merge-observations.ts'
import * as store from './observation-read-store.ts'
import type { Observation } from '../observation.ts'
import { hashOf, type KnownSource, type Observed } from './observation-record.ts'
import { reidentify, type Declared, type Described, type Outcome } from './recluster.ts'
import { appearance } from './visible-changes.ts'

/** What became of a batch. Counts are of observations that were taken. */
export interface Intake {
  readonly observed: number
  /** Made a new asset. */
  readonly created: number
  /** Changed what is shown of an asset that existed: an attribute, a tag, an identifier, or which things are one. */
  readonly updated: number
  /** Told nothing new of that, whatever else it said. */
  readonly unchanged: number
  readonly rejected: readonly Rejected[]
}

/** Takes a batch in, inside the caller's transaction. A bad observation is refused, the others go in. */
export async function takeIn(
  ctx: Ctx,
  source: KnownSource,
  observations: readonly Observation[],
): Promise<Intake> {
  const now = ctx.now()
  const rejected: Rejected[] = []
  const arrivals = observations.flatMap((observation, index): Arrival[] => {
    const wrong = wrongWith(observation, now)
    if (wrong) rejected.push({ index, ...wrong })
    return wrong ? [] : [arrivalOf(observation, index)]
  })
  await store.lockTenant(ctx)
  const news = await withoutRepeats(
    ctx,
    source,
    Map.groupBy(arrivals, ({ sourceKey }) => sourceKey),
  )
  const folded = await foldIn(ctx, source, news)
  const changed = folded.flatMap(({ known, observed }) => (isSame(known, observed) ? [] : [observed]))
  const declared = await whatPeopleSaid(ctx, folded)
  const relabelled = new Set(folded.filter(isRelabelled).map((each) => each.observed.id))
  const formerly = new Map(folded.flatMap(({ known }) => (known ? [[known.id, known]] : [])))
  const outcome =
    changed.length > 0 ? await reidentify(ctx, { changed, formerly, relabelled, declared }) : undefined
  const { created, updated } = outcome ? count(folded, outcome) : { created: 0, updated: 0 }
  const observed = arrivals.length
  return { observed, created, updated, unchanged: observed - created - updated, rejected }
}

type BySourceKey = Map<string, Arrival[]>

/** The fast way: sightings that say nothing new move a time stamp and are done. */
async function withoutRepeats(ctx: Ctx, source: KnownSource, arrivals: BySourceKey): Promise<BySourceKey> {
  const repeats = [...arrivals].flatMap(([sourceKey, [first, ...others]]) => {
    if (!first || others.some((other) => other.payloadHash !== first.payloadHash)) return []
    const seenAt = Math.max(first.seenAt, ...others.map((other) => other.seenAt))
    return [{ sourceKey, payloadHash: first.payloadHash, seenAt }]
  })
  if (repeats.length === 0) return arrivals
  const done = new Set(await store.touch(ctx, source, repeats))
  return new Map([...arrivals].filter(([sourceKey]) => !done.has(sourceKey)))
}

interface Folded {
  readonly arrivals: readonly Arrival[]
  readonly known: Observed | undefined
  readonly observed: Observed
}

async function foldIn(ctx: Ctx, source: KnownSource, news: BySourceKey): Promise<Folded[]> {
  if (news.size === 0) return []
  const known = await store.observedByKey(ctx, source, [...news.keys()])
  const byKey = new Map(known.map((observed) => [observed.sourceKey, observed]))
  return [...news].flatMap(([sourceKey, arrivals]): Folded[] => {
    const before = byKey.get(sourceKey)
    const [first, ...rest] = arrivals
    if (!first) return []
    const start = before ? fold(before, first) : firstSight(first, source, newUuid(ctx.now()))
    return [{ arrivals, known: before, observed: rest.reduce(fold, start) }]
  })
}

function isSame(known: Observed | undefined, observed: Observed): boolean {
  return (
    known !== undefined &&
    known.lastSeen === observed.lastSeen &&
    known.firstSeen === observed.firstSeen &&
    !saysMore(known, observed) &&
    !isRelabelled({ known, observed })
  )
}

function isRelabelled({ known, observed }: Pick<Folded, 'known' | 'observed'>): boolean {
  return known !== undefined && JSON.stringify(known.identifiers) !== JSON.stringify(observed.identifiers)
}

function saysMore(known: Observed | undefined, observed: Observed): boolean {
  return (
    known === undefined ||
    known.payloadHash !== observed.payloadHash ||
    hashOf(known.kept) !== hashOf(observed.kept) ||
    known.identifiers.length !== observed.identifiers.length
  )
}

/** An observation that names an asset is of that asset. */
async function whatPeopleSaid(ctx: Ctx, folded: readonly Folded[]): Promise<Declared[]> {
  const named = folded.flatMap(({ arrivals, observed }) =>
    arrivals.flatMap(({ assetId }) => (assetId === undefined ? [] : [{ assetId, id: observed.id }])),
  )
  const partners = await store.observationsOfAssets(ctx, [...new Set(named.map(({ assetId }) => assetId))])
  return named.flatMap(({ assetId, id }) =>
    partners
      .filter((partner) => partner.assetId === assetId && partner.observationId !== id)
      .map(({ observationId }): Declared => ({ kind: 'must_link', a: id, b: observationId, reason: NAMED })),
  )
}

const NAMED = 'the source names the asset'

function count(folded: readonly Folded[], outcome: Outcome): { created: number; updated: number } {
  const fresh = new Set(outcome.came)
  const makers = new Map<string, Folded>()
  let created = 0
  let updated = 0
  for (const each of folded) {
    const assetId = outcome.assetOf.get(each.observed.id) ?? ''
    const isMaker = each.known === undefined && fresh.delete(assetId)
    if (isMaker) {
      makers.set(assetId, each)
      created++
    }
    // the same key may come more than once in a batch
    const told = new Set(each.arrivals.map(({ payloadHash }) => payloadHash)).size - (isMaker ? 1 : 0)
    if (told === 0 || !saysMore(each.known, each.observed)) continue
    const maker = makers.get(assetId)
    if (maker ? showsMoreThan(maker, outcome.described.get(assetId)) : outcome.lookNew.has(assetId))
      updated += told
  }
  return { created, updated }
}

/** Of the observations that make one new asset the first made it, and the others changed it if it shows. */
function showsMoreThan({ observed, arrivals: [first] }: Folded, made: Described | undefined): boolean {
  if (!first || !made) return false
  const alone = [firstSight(first, observed.source, observed.id)]
  const { row } = describe(made.row.id, alone, NOTHING_PERSONAL)
  return appearance(row, alone) !== appearance(made.row, made.members)
}
