/** Bulk changes: one change of many assets or findings as a job, with progress, cancel and, unless it deletes, undo. */
import { listAssets } from '#features/assets/assets.ts'
import { record } from '#features/audit/audit.ts'
import { atomically, beyondLimit, permit, type Ctx } from '#platform/context.ts'
import { conflict, invalid, notFound } from '#platform/errors.ts'
import type { Listed, Page } from '#platform/http/paging.ts'
import { enqueue } from '#platform/jobs/job.ts'
import { isUuid, newUuid } from '#platform/uuid.ts'
import type {
  BulkChange,
  BulkChangeAsset,
  BulkSelection,
  BulkSubjectName,
  NewBulkChange,
} from './bulk-change.ts'
import { bulkChangeJob } from './bulk-change-job.ts'
import { bulkChangeTopic } from './bulk-change-topic.ts'
import * as store from './store.ts'
import { subjects } from './subjects.ts'
import { verbs } from './verbs/all.ts'
import { tryBulkChange } from './work-on-bulk-change.ts'

const NAMED_MAX = 10_000
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

/** The assets of a change, and which of them it changed. Throws 409 for a change of findings. */
export async function bulkChangeAssets(ctx: Ctx, id: string, page: Page): Promise<Listed<BulkChangeAsset>> {
  const { id: known, verb } = await getBulkChange(ctx, id)
  if (verbs[verb].subject !== 'asset') throw conflict('the change is of findings, not of assets')
  return store.assets(ctx, known, page)
}

/** How many assets a selection has now. */
export async function countSelection(ctx: Ctx, selection: BulkSelection): Promise<number> {
  permit(ctx, 'assets:read')
  const { ids, where = '' } = checkedSelection(selection, 'asset')
  if (ids) return ids.length
  return (await listAssets(ctx, { limit: 1, offset: 0 }, { where })).total
}

/** The change is a row and its work a job, in one commit. */
export async function startBulkChange(ctx: Ctx, input: NewBulkChange): Promise<BulkChange> {
  const verb = verbs[input.verb]
  permit(ctx, verb.permission)
  const subject = subjects[verb.subject]
  const { ids, where } = checkedSelection(input, verb.subject)
  const values = await verb.check(ctx, input.values ?? {})
  await refuseUnconfirmed(ctx, input)
  // a condition that cannot be read is refused here, not by the job
  if (where !== undefined) await subject.matching(ctx, where, { limit: 1 })
  return atomically(await subject.toChange(ctx, ids ?? []), async (inner) => {
    const id = newUuid(inner.now())
    await start(inner, {
      id,
      verb: verb.name,
      values,
      where: where ?? null,
      undoOf: null,
      confirmed: input.confirm ?? null,
    })
    if (ids) await store.addItems(inner, id, ids)
    const selection = ids ? { [subject.plural]: ids.length } : { where }
    await record(
      inner,
      'bulk_change.started',
      { type: 'bulk_change', id },
      { verb: verb.name, values, ...selection },
    )
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

interface CheckedSelection {
  readonly ids?: readonly string[]
  readonly where?: string | undefined
}

function checkedSelection(selection: BulkSelection, of: BulkSubjectName): CheckedSelection {
  const { named, plural } = subjects[of]
  const { where, [named]: ids } = selection
  for (const other of ['assetIds', 'findingIds'] as const)
    if (other !== named && selection[other] !== undefined) throw invalid(other, `does not name ${plural}`)
  if ((ids === undefined) === (where === undefined))
    throw invalid('where', `or ${named} must be given, and not both`)
  if (where?.trim() === '') throw invalid('where', 'must be a condition, such as archived = no')
  if (!ids) return { where }
  if (ids.length === 0 || ids.length > NAMED_MAX)
    throw invalid(named, `must name 1 to ${NAMED_MAX} ${plural}`)
  if (!ids.every(isUuid)) throw invalid(named, 'must be UUIDs')
  return { ids: [...new Set(ids.map((id) => id.toLowerCase()))].sort() }
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
