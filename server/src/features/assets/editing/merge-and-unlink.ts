import { record } from '#features/audit/audit.ts'
import { emit } from '#features/events/events.ts'
import { atomically, permit, type Ctx } from '#platform/context.ts'
import { conflict, invalid } from '#platform/errors.ts'
import { isSameUuid } from '#platform/uuid.ts'
import { unlinked } from '../asset-events.ts'
import type { Asset } from '../asset.ts'
import { getAsset } from '../asset-by-id.ts'
import { cluster } from '../identity/identity.ts'
import * as store from '../intake/observation-read-store.ts'
import { dropConstraints } from '../intake/observation-write-store.ts'
import { matchRecordOf, type ObservationRecord } from '../intake/observation-record.ts'
import { rememberedNames } from '../remembered-names/remembered-name-store.ts'
import { recluster, type NewConstraint } from '../intake/recluster.ts'
import { toChange } from './change-within-limit.ts'
import * as suggestions from './merge-suggestion-store.ts'
import { isWeak, valueKey, type SharedValues } from '../identity/match-record.ts'

/** Merge, unlink and keep apart: decisions of people, stored as constraints that take precedence over every score. */

export interface MergeRequest {
  readonly assetIdA: string
  readonly assetIdB: string
  readonly reason: string
}

/** Returns the survivor, the older asset; it keeps its own edits and takes over those that it lacks. */
export async function mergeAssets(ctx: Ctx, { assetIdA, assetIdB, reason }: MergeRequest): Promise<Asset> {
  permit(ctx, 'assets:write')
  checkReason(reason)
  if (isSameUuid(assetIdA, assetIdB)) throw invalid('assets', 'an asset cannot be merged with itself')
  return atomically(await toChange(ctx, [assetIdA, assetIdB]), async (inner) => {
    await store.lockTenant(inner)
    for (const id of [assetIdA, assetIdB]) await getAsset(inner, id)
    await suggestions.remove(inner, assetIdA, assetIdB)
    const members = await store.observedOfAssets(inner, [assetIdA, assetIdB])
    await dropConstraints(inner, { kind: 'cannot_link' }, members, members)
    const [first, ...others] = await strongOrAll(inner, members)
    const declared = others.map((other): NewConstraint => link('must_link', first ?? other, other, reason))
    const { assetOf } = await recluster(inner, { changed: [], recheck: members, declared })
    const survivor = await getAsset(inner, assetOf.get(first?.id ?? '') ?? assetIdA)
    const { id, name } = survivor
    await record(inner, 'asset.merged', { type: 'asset', id }, { name, assetIdA, assetIdB, reason })
    return survivor
  })
}

/** Weak observations are left out unless there are no others: a constraint on an address would bind its next holder. */
async function strongOrAll(ctx: Ctx, members: readonly ObservationRecord[]): Promise<ObservationRecord[]> {
  const shared = await sharedKeys(ctx)
  return [...Map.groupBy(members, ({ assetId }) => assetId).values()].flatMap((those) => {
    const telling = those.filter((each) => !isWeak(matchRecordOf(each), shared))
    return telling.length > 0 ? telling : those
  })
}

/** Adds cannot-link constraints between two assets: nothing moves, and the pair is no possible duplicate any more. */
export async function keepApart(ctx: Ctx, pair: MergeRequest): Promise<void> {
  await decideOnPair(ctx, pair, 'asset.kept_apart', async (inner, mine, theirs) => {
    await suggestions.remove(inner, pair.assetIdA, pair.assetIdB)
    return mine.flatMap((one) => theirs.map((other) => link('cannot_link', one, other, pair.reason)))
  })
}

/**
 * Takes `keepApart` of the two back: evidence alone decides about them again. What an unlink separated stays so, which
 * merging takes back. 409 where nothing else keeps them apart.
 */
export async function undoKeepApart(ctx: Ctx, pair: MergeRequest): Promise<void> {
  await decideOnPair(ctx, pair, 'asset.kept_apart_undone', async (inner, mine, theirs) => {
    const dropped = await dropConstraints(inner, { kind: 'cannot_link', isUnlinkKept: true }, mine, theirs)
    if (dropped === 0) await refuseToUndo(inner, [mine, theirs])
    return []
  })
}

async function refuseToUndo(
  ctx: Ctx,
  [mine, theirs]: readonly [readonly ObservationRecord[], readonly ObservationRecord[]],
): Promise<never> {
  const [ids, others] = [mine, theirs].map((those) => new Set(those.map(({ id }) => id)))
  const constraints = await store.constraintsAbout(ctx, [...(ids ?? [])])
  const isBetween = constraints.some(
    ({ kind, a, b }) => kind === 'cannot_link' && (others?.has(a) || others?.has(b)),
  )
  if (isBetween) throw conflict('the two were separated by unlinking, which merging them takes back')
  throw conflict('nothing keeps the two apart')
}

type DecidedConstraints = (
  ctx: Ctx,
  mine: readonly ObservationRecord[],
  theirs: readonly ObservationRecord[],
) => Promise<NewConstraint[]>

async function decideOnPair(
  ctx: Ctx,
  { assetIdA, assetIdB, reason }: MergeRequest,
  action: 'asset.kept_apart' | 'asset.kept_apart_undone',
  decide: DecidedConstraints,
): Promise<void> {
  permit(ctx, 'assets:write')
  checkReason(reason)
  if (isSameUuid(assetIdA, assetIdB)) throw invalid('assets', 'an asset cannot be kept apart from itself')
  await atomically(await toChange(ctx, [assetIdA, assetIdB]), async (inner) => {
    await store.lockTenant(inner)
    const { name } = await getAsset(inner, assetIdA)
    const { name: otherName } = await getAsset(inner, assetIdB)
    const members = await store.observedOfAssets(inner, [assetIdA, assetIdB])
    const of = (id: string) => members.filter(({ assetId }) => assetId === id)
    const declared = await decide(inner, of(assetIdA), of(assetIdB))
    await recluster(inner, { changed: [], recheck: members, declared })
    const details = { name, otherName, assetIdA, assetIdB, reason }
    await record(inner, action, { type: 'asset', id: assetIdA }, details)
  })
}

export interface UnlinkRequest {
  readonly assetId: string
  /** Some of the asset's observations, not all. */
  readonly observationIds: readonly string[]
  readonly reason: string
}

/**
 * Splits observations off an asset permanently. They are clustered among themselves; an asset that was merged into this
 * one gets its id back if all its observations leave. Returns the assets that they are now.
 */
export async function unlinkObservations(
  ctx: Ctx,
  { assetId, observationIds, reason }: UnlinkRequest,
): Promise<Asset[]> {
  permit(ctx, 'assets:write')
  checkReason(reason)
  return atomically(await toChange(ctx, [assetId]), async (inner) => {
    await store.lockTenant(inner)
    const { name } = await getAsset(inner, assetId)
    const { leaving, staying } = divide(await store.observedOfAssets(inner, [assetId]), observationIds)
    await dropConstraints(inner, { kind: 'must_link' }, leaving, staying)
    const declared = [
      ...leaving.flatMap((one) =>
        staying.map((other) => ({ ...link('cannot_link', one, other, reason), isOfUnlink: true })),
      ),
      ...(await linkRemaining(inner, staying, reason)),
    ]
    const { assetOf } = await recluster(inner, {
      changed: [],
      recheck: [...leaving, ...staying],
      declared,
      staying: new Set(staying.map(({ id }) => id)),
      announceSplits: false,
    })
    const ids = [...new Set(leaving.map(({ id }) => assetOf.get(id) ?? ''))].sort()
    await emit(
      inner,
      ids.map((id) => unlinked({ from: assetId, to: id, reason, at: inner.now() })),
    )
    await record(
      inner,
      'asset.unlinked',
      { type: 'asset', id: assetId },
      { name, observationIds, assets: ids, reason },
    )
    return Promise.all(ids.map((id) => getAsset(inner, id)))
  })
}

function divide(
  members: readonly ObservationRecord[],
  observationIds: readonly string[],
): { leaving: ObservationRecord[]; staying: ObservationRecord[] } {
  const ids = new Set(observationIds)
  if (ids.size === 0) throw invalid('observationIds', 'names none')
  const foreign = [...ids].find((id) => !members.some((member) => member.id === id))
  if (foreign !== undefined) throw invalid('observationIds', `${foreign} is no observation of this asset`)
  if (ids.size === members.length) throw invalid('observationIds', 'names all observations of the asset')
  return {
    leaving: members.filter(({ id }) => ids.has(id)),
    staying: members.filter(({ id }) => !ids.has(id)),
  }
}

/** Must-link constraints that keep the remaining observations in one asset. */
async function linkRemaining(
  ctx: Ctx,
  staying: readonly ObservationRecord[],
  reason: string,
): Promise<NewConstraint[]> {
  const constraints = await store.constraintsAbout(
    ctx,
    staying.map(({ id }) => id),
  )
  const remembered = await rememberedNames(ctx)
  const matchRecords = staying.map((each) => matchRecordOf(each, remembered))
  const clusters = cluster({ matchRecords, constraints, shared: await sharedKeys(ctx) })
  const [first, ...others] = clusters.flatMap(({ members }) => members.slice(0, 1))
  return others.map((other) => link('must_link', first ?? other, other, reason))
}

async function sharedKeys(ctx: Ctx): Promise<SharedValues> {
  return new Set((await store.sharedValues(ctx)).map(({ type, value }) => valueKey(type, value)))
}

const link = (
  kind: NewConstraint['kind'],
  a: { id: string },
  b: { id: string },
  reason: string,
): NewConstraint => ({
  kind,
  a: a.id,
  b: b.id,
  reason,
})

const REASON_LENGTH_MAX = 1_000

export function checkReason(reason: string): void {
  if (reason.length > REASON_LENGTH_MAX || reason.includes('\0') || !reason.isWellFormed()) {
    throw invalid('reason', `must be a text of at most ${REASON_LENGTH_MAX} characters`)
  }
}
