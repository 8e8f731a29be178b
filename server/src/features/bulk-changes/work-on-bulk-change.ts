import { actingAs, atomically, beyondLimit, type Ctx, type Trial } from '#platform/context.ts'
import { Refusal } from '#platform/errors.ts'
import { bulkChangeTopic } from './bulk-change-topic.ts'
import * as store from './store.ts'
import { subjects } from './subjects.ts'
import { verbs } from './verbs/all.ts'

const ITEMS_AT_ONCE = 500
const COLLECTED_AT_ONCE = 10_000
/** In a row, before the change is given up. */
const FAILURES_MAX = 3
/** Collecting takes one or two, batches of 500 the others. */
const STEPS_TRIED_MAX = 22

/**
 * Works on the change to its end. Each batch is one transaction with its progress, so that a worker that takes over
 * goes on behind the last one, and nothing is done twice.
 */
export async function workOnBulkChange(
  ctx: Ctx,
  { changeId }: { readonly changeId: string },
  signal?: AbortSignal,
): Promise<void> {
  try {
    do signal?.throwIfAborted()
    while (await step(ctx, changeId))
  } catch (error) {
    if (signal?.aborted) throw error
    const isFinal = error instanceof Refusal || (await store.noteFailure(ctx, changeId)) >= FAILURES_MAX
    if (!isFinal) throw error
    ctx.log.warn({ err: error, bulkChange: changeId }, 'bulk change failed')
    const message = error instanceof Refusal ? error.message : 'an error of the server; its log has more'
    await atomically(ctx, async (inner) => {
      await store.finish(inner, changeId, 'failed', message)
      inner.db.afterCommit(bulkChangeTopic(inner.tenantId))
    })
  }
}

/** What the job would do, in the caller's transaction, up to 10,000 assets or findings. */
export async function tryBulkChange(ctx: Ctx, changeId: string, trial: Trial): Promise<void> {
  for (let n = 0; n < STEPS_TRIED_MAX; n += 1) if (!(await step(ctx, changeId))) return
  trial.isPartial = true
}

/** One transaction; false when there is nothing more to do. Cancelling waits for the lock of the row. */
function step(ctx: Ctx, changeId: string): Promise<boolean> {
  return atomically(ctx, async (inner) => {
    const change = await store.lockUnfinished(inner, changeId)
    if (!change) return false
    const { limitedTo } = change
    const person = { ...change.startedBy, may: () => true, ...(limitedTo !== null && { limitedTo }) }
    const seen = actingAs(inner, person)
    inner.db.afterCommit(bulkChangeTopic(inner.tenantId))
    return change.status === 'collecting' ? collect(seen, change) : workOnBatch(seen, change)
  })
}

/** `seen`: as who started the change sees the tenant. */
async function collect(seen: Ctx, change: store.WorkedChange): Promise<boolean> {
  const ctx = beyondLimit(seen)
  const { id, verb, where, undoOf, collectedTo } = change
  if (undoOf !== null) await store.addItemsOf(ctx, id, undoOf)
  else if (where !== null) {
    const page = { after: collectedTo ?? undefined, limit: COLLECTED_AT_ONCE }
    const ids = await subjects[verbs[verb].subject].matching(seen, where, page)
    await store.addItems(ctx, id, ids)
    if (ids.length === COLLECTED_AT_ONCE) return true
    if (change.confirmed !== null && change.total + ids.length !== change.confirmed)
      throw new Refusal(
        409,
        'conflict',
        `${change.total + ids.length} assets match now, not the ${change.confirmed} that were confirmed; nothing was deleted`,
      )
  }
  await store.run(ctx, id)
  return true
}

/** What who started the change does not see any more is left as it is, also by undoing. */
async function workOnBatch(seen: Ctx, change: store.WorkedChange): Promise<boolean> {
  const ctx = beyondLimit(seen)
  const { id, verb: name, values, undoOf } = change
  const verb = verbs[name]
  const batch = await store.next(ctx, id, ITEMS_AT_ONCE)
  if (batch.length === 0) {
    await store.finish(ctx, id, 'completed')
    return false
  }
  const all = batch.map((it) => it.id)
  const ids = await subjects[verb.subject].visible(seen, all)
  const visible = new Set(ids)
  const previous =
    undoOf !== null && verb.restore
      ? await verb.restore(
          ctx,
          values,
          new Map(batch.filter((it) => visible.has(it.id)).map((it) => [it.id, it.restoring])),
        )
      : await verb.apply(ctx, await verb.check(ctx, values), ids)
  await store.noteDone(ctx, id, all, previous)
  return true
}
