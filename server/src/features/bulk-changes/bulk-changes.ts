/** Bulk changes: one change of many assets as a job, with progress, cancel and, unless it deletes, undo. */
import { listAssets, matchingAssetIds, toChange } from '#features/assets/assets.ts'
import { record } from '#features/audit/audit.ts'
import { atomically, beyondLimit, permit, type Ctx } from '#platform/context.ts'
import { conflict, invalid, notFound } from '#platform/errors.ts'
import type { Listed, Page } from '#platform/http/paging.ts'
import { enqueue } from '#platform/jobs/job.ts'
import { isUuid, newUuid } from '#platform/uuid.ts'
import type { BulkChange, BulkChangeAsset, BulkSelection, NewBulkChange } from './bulk-change.ts'
import { bulkChangeJob } from './bulk-change-job.ts'
import { bulkChangeTopic } from './bulk-change-topic.ts'
import * as store from './store.ts'
import { verbs } from './verbs/all.ts'
import { tryBulkChange } from './work-on-bulk-change.ts'

const ASSETS_NAMED_MAX = 10_000
const UNFINISHED_MAX = 20

/** Newest first. */
export async function listBulkChanges(ctx: Ctx, page: Page): Promise<Listed<BulkChange>> {
  permit(ctx, 'assets:read')
  return store.list(ctx, page)
}

export async function getBulkChange(ctx: Ctx, id: string): Promise<BulkChange> {
  permit(ctx, 'assets:read')
  return changeOf(ctx, id)
}

/** The assets of a change, and which of them it changed. */
export async function bulkChangeAssets(ctx: Ctx, id: string, page: Page): Promise<Listed<BulkChangeAsset>> {
  const { id: known } = await getBulkChange(ctx, id)
  return store.assets(ctx, known, page)
}

/** How many assets a selection has now. */
export async function countSelection(ctx: Ctx, selection: BulkSelection): Promise<number> {
  permit(ctx, 'assets:read')
  const { assetIds, where = '' } = checkedSelection(selection)
  if (assetIds) return assetIds.length
  return (await listAssets(ctx, { limit: 1, offset: 0 }, { where })).total
}

/** The change is a row and its work a job, in one commit. */
export async function startBulkChange(ctx: Ctx, input: NewBulkChange): Promise<BulkChange> {
  const verb = verbs[input.verb]
  permit(ctx, verb.permission)
  const { assetIds, where } = checkedSelection(input)
  const values = await verb.check(ctx, input.values ?? {})
  await refuseUnconfirmed(ctx, input)
  // a condition that cannot be read is refused here, not by the job
  if (where !== undefined) await matchingAssetIds(ctx, where, { limit: 1 })
  return atomically(await toChange(ctx, assetIds ?? []), async (inner) => {
    const id = newUuid(inner.now())
    await start(inner, {
      id,
      verb: verb.name,
      values,
      where: where ?? null,
      undoOf: null,
      confirmed: input.confirm ?? null,
    })
    if (assetIds) await store.addAssets(inner, id, assetIds)
    const selection = assetIds ? { assets: assetIds.length } : { where }
    const subject = { type: 'bulk_change', id }
    await record(inner, 'bulk_change.started', subject, { verb: verb.name, values, ...selection })
    if (inner.trial) await tryBulkChange(inner, id, inner.trial)
    return changeOf(inner, id)
  })
}

/** What was changed stays; a running change ends with the batch that is under way. */
export async function cancelBulkChange(ctx: Ctx, id: string): Promise<BulkChange> {
  await changeOf(ctx, id)
  return atomically(beyondLimit(ctx), async (inner) => {
    const { verb, status } = await changeOf(inner, id)
    permit(inner, verbs[verb].permission)
    if (!(await store.finish(inner, id, 'cancelled'))) throw conflict(`the change is ${status} already`)
    const ended = await changeOf(inner, id)
    await record(inner, 'bulk_change.cancelled', { type: 'bulk_change', id }, { verb, done: ended.done })
    inner.db.afterCommit(bulkChangeTopic(inner.tenantId))
    return ended
  })
}

/** Another change, which gives the assets that this one changed what they had before; returns that one. */
export async function undoBulkChange(ctx: Ctx, id: string): Promise<BulkChange> {
  await changeOf(ctx, id)
  return atomically(beyondLimit(ctx), async (inner) => {
    const change = await changeOf(inner, id)
    const { name, permission, restore } = verbs[change.verb]
    permit(inner, permission)
    if (!restore) throw conflict('what was deleted cannot be restored')
    if (change.undoOf !== null) throw conflict('the change undoes another one: start the other one again')
    if (change.finishedAt === null) throw conflict(`the change is ${change.status}: cancel it before`)
    const undoing = newUuid(inner.now())
    const { values } = change
    await start(inner, { id: undoing, verb: name, values, where: null, undoOf: id, confirmed: null })
    const subject = { type: 'bulk_change', id: undoing }
    await record(inner, 'bulk_change.started', subject, { verb: name, undoes: id })
    return changeOf(inner, undoing)
  })
}

async function start(ctx: Ctx, change: store.AddedChange): Promise<void> {
  if ((await store.countUnfinished(ctx)) >= UNFINISHED_MAX)
    throw conflict(`${UNFINISHED_MAX} changes are under way; wait for one of them`)
  if (!(await store.add(ctx, change))) throw conflict('the change is undone already')
  await enqueue(ctx, bulkChangeJob, { changeId: change.id })
  ctx.db.afterCommit(bulkChangeTopic(ctx.tenantId))
}

function checkedSelection({ assetIds, where }: BulkSelection): BulkSelection {
  if ((assetIds === undefined) === (where === undefined))
    throw invalid('where', 'or assetIds must be given, and not both')
  if (where?.trim() === '') throw invalid('where', 'must be a condition, such as archived = no')
  if (!assetIds) return { where }
  if (assetIds.length === 0 || assetIds.length > ASSETS_NAMED_MAX)
    throw invalid('assetIds', `must name 1 to ${ASSETS_NAMED_MAX} assets`)
  if (!assetIds.every(isUuid)) throw invalid('assetIds', 'must be UUIDs')
  return { assetIds: [...new Set(assetIds.map((id) => id.toLowerCase()))].sort() }
}

async function refuseUnconfirmed(ctx: Ctx, { verb, confirm, ...selection }: NewBulkChange): Promise<void> {
  if (verbs[verb].restore) {
    if (confirm !== undefined) throw invalid('confirm', 'is for what cannot be undone')
    return
  }
  const total = await countSelection(ctx, selection)
  if (confirm !== total) throw invalid('confirm', `must be ${total}, the number of assets: this is final`)
}

async function changeOf(ctx: Ctx, id: string): Promise<BulkChange> {
  const found = isUuid(id) ? await store.find(ctx, id) : undefined
  if (!found) throw notFound('bulk change')
  return found
}
