import { record } from '#features/audit/audit.ts'
import { atomically, beyondLimit, permit, type Ctx } from '#platform/context.ts'
import { notFound } from '#platform/errors.ts'
import { isUuid } from '#platform/uuid.ts'
import type { Snapshot } from './report.ts'
import * as store from './store.ts'

/** A pinned snapshot stays, with its dataset, until it is unpinned or its report deleted. */
export async function pinSnapshot(ctx: Ctx, id: string, isPinned: boolean): Promise<Snapshot> {
  permit(ctx, 'reports:write')
  if (!isUuid(id) || !(await store.snapshot(ctx, id))) throw notFound('snapshot')
  return atomically(beyondLimit(ctx), async (inner) => {
    const snapshot = await store.setPinned(inner, id, isPinned)
    if (!snapshot) throw notFound('snapshot')
    const action = isPinned ? 'report.pinned' : 'report.unpinned'
    await record(inner, action, { type: 'report', id: snapshot.reportId }, { snapshot: id })
    return snapshot
  })
}
