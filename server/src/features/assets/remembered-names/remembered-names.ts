import { record } from '#features/audit/audit.ts'
import { atomically, isLimited, permit, type Ctx } from '#platform/context.ts'
import { forbidden, invalid, notFound } from '#platform/errors.ts'
import { isSameUuid, isUuid } from '#platform/uuid.ts'
import { getAsset } from '../asset-by-id.ts'
import type { Asset } from '../asset.ts'
import { bareName, nameClass } from '../identity/identifiers.ts'
import { isRoaming } from '../identity/evidence.ts'
import { periodsOfType } from '../identity/match-record.ts'
import * as store from '../intake/observation-read-store.ts'
import { dropConstraints } from '../intake/observation-write-store.ts'
import { matchRecordOf, type ObservationRecord } from '../intake/observation-record.ts'
import { recluster } from '../intake/recluster.ts'
import * as nameStore from './remembered-name-store.ts'
import { checkReason, type MergeRequest } from '../editing/merge-and-unlink.ts'
import * as suggestions from '../editing/merge-suggestion-store.ts'

export type { RememberedName } from './remembered-name-store.ts'

/**
 * Answers that hold for the next time too: a phone that takes another random MAC address each week is one device under its
 * name, except for phones that are there at once.
 */

type Named = Pick<nameStore.RememberedName, 'scope' | 'name'>

/** Says that two phones of one name are one, and every later one of that name in their network; returns the survivor. */
export async function mergeByName(ctx: Ctx, { assetIdA, assetIdB, reason }: MergeRequest): Promise<Asset> {
  permit(ctx, 'assets:write')
  checkReason(reason)
  if (isSameUuid(assetIdA, assetIdB)) throw invalid('assets', 'an asset cannot be merged with itself')
  if (isLimited(ctx))
    throw forbidden(
      'a name is remembered for all assets of the organisation, and you are limited to some of them',
    )
  return atomically(ctx, async (inner) => {
    await store.lockTenant(inner)
    for (const id of [assetIdA, assetIdB]) await getAsset(inner, id)
    const members = await store.observedOfAssets(inner, [assetIdA, assetIdB])
    const [mine, theirs] = [assetIdA, assetIdB].map((id) => members.filter((it) => it.assetId === id))
    const names = namesOfBoth(mine ?? [], theirs ?? [])
    if (names.length === 0)
      throw invalid(
        'remember',
        'goes with phones alone: both must have random MAC addresses only, and one name',
      )
    await suggestions.remove(inner, assetIdA, assetIdB)
    await dropConstraints(inner, { kind: 'cannot_link' }, members, members)
    await nameStore.add(inner, names, reason)
    const assetOf = await decideAnew(inner, names, members)
    const [survivorId, other] = [mine, theirs].map((those) => assetOf.get(those?.[0]?.id ?? ''))
    if (survivorId === undefined || survivorId !== other)
      throw invalid('remember', 'both were there at once, so one name is no sign of one device')
    const survivor = await getAsset(inner, survivorId)
    const details = { name: survivor.name, names: names.map(({ name }) => name), assetIdA, assetIdB, reason }
    await record(inner, 'asset.name_remembered', { type: 'asset', id: survivorId }, details)
    return survivor
  })
}

export async function listRememberedNames(ctx: Ctx): Promise<nameStore.RememberedName[]> {
  permit(ctx, 'assets:read')
  return nameStore.listed(ctx)
}

/** What was one by this name alone is several again, each under the id that it had before. */
export async function forgetName(ctx: Ctx, id: string): Promise<void> {
  permit(ctx, 'assets:write')
  await atomically(ctx, async (inner) => {
    await store.lockTenant(inner)
    const gone = isUuid(id) ? await nameStore.remove(inner, id) : undefined
    if (!gone) throw notFound('remembered name')
    await decideAnew(inner, [gone])
    await record(inner, 'asset.name_forgotten', { type: 'remembered_name', id }, { name: gone.name })
  })
}

async function decideAnew(
  ctx: Ctx,
  names: readonly Named[],
  members: readonly ObservationRecord[] = [],
): Promise<ReadonlyMap<string, string>> {
  const ids = await Promise.all(names.map((it) => nameStore.observationsNamed(ctx, it)))
  const named = await store.observedById(ctx, [...new Set(ids.flat())])
  const known = new Set(named.map(({ id }) => id))
  const recheck = [...named, ...members.filter(({ id }) => !known.has(id))]
  return (await recluster(ctx, { changed: [], recheck })).assetOf
}

/** The names that phones of both assets have in one network. */
function namesOfBoth(mine: readonly ObservationRecord[], theirs: readonly ObservationRecord[]): Named[] {
  const others = namesOf(theirs)
  return namesOf(mine).filter(
    ({ scope, name }, index, all) =>
      others.some((it) => it.scope === scope && it.name === name) &&
      all.findIndex((it) => it.scope === scope && it.name === name) === index,
  )
}

const namesOf = (observed: readonly ObservationRecord[]): Named[] =>
  observed
    .map((it) => matchRecordOf(it))
    .filter(isRoaming)
    .flatMap((it) =>
      periodsOfType(it, 'hostname')
        .filter(({ value }) => nameClass(value) !== 'generic')
        .map(({ value }) => ({ scope: it.scope, name: bareName(value) })),
    )
