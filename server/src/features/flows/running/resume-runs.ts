import { listTenants } from '#features/tenancy/tenancy.ts'
import { atomically, type Ctx } from '#platform/context.ts'
import { enqueue } from '#platform/jobs/job.ts'
import { admitRunsJob } from '../triggers/admission-job.ts'
import { isAdmissionOverdue, jobPayloads } from '../triggers/new-run-store.ts'
import { executeRunJob, type RunsToExecute } from './execution.ts'
import { overdue } from './run-store.ts'

/** Younger ones are left alone: their job may be about to be written. */
const LOST_AFTER_MS = 60_000

/** For all tenants: runs whose job was given up, and new runs that nobody is to admit, get a job again. */
export async function resumeLostRuns(system: Ctx): Promise<void> {
  for (const { id: tenantId } of await listTenants(system))
    await atomically({ ...system, tenantId }, async (inner) => {
      const before = new Date(inner.now().getTime() - LOST_AFTER_MS)
      for (const runId of await runsWithoutJob(inner, before)) await enqueue(inner, executeRunJob, { runId })
      if (
        (await isAdmissionOverdue(inner, before)) &&
        (await jobPayloads(inner, admitRunsJob.name)).length === 0
      )
        await enqueue(inner, admitRunsJob, {})
    })
}

/** The jobs are read last: a run that moves on meanwhile has its next job then, and must not get a second one. */
async function runsWithoutJob(ctx: Ctx, before: Date): Promise<string[]> {
  const runIds = await overdue(ctx, before)
  if (runIds.length === 0) return []
  const jobs = await jobPayloads<RunsToExecute>(ctx, executeRunJob.name)
  const cared = new Set(jobs.flatMap((it) => ('runIds' in it ? it.runIds : it.runId)))
  return runIds.filter((id) => !cared.has(id))
}
