import type { Ctx } from '#platform/context.ts'
import { enqueue } from '#platform/jobs/job.ts'
import { newUuid } from '#platform/uuid.ts'
import type { Snapshot } from '../report.ts'
import * as store from '../store.ts'
import { generateReportJob } from './report-job.ts'

/** A new generation of the report and the job that does it, in the caller's transaction. */
export async function orderSnapshot(
  ctx: Ctx,
  reportId: string,
  { isScheduled = false }: { readonly isScheduled?: boolean } = {},
): Promise<Snapshot> {
  const snapshot = await store.addSnapshot(ctx, { id: newUuid(ctx.now()), reportId, isScheduled })
  await enqueue(ctx, generateReportJob, { snapshotId: snapshot.id })
  return snapshot
}
