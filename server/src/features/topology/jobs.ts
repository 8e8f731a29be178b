import { listTenants } from '#features/tenancy/tenancy.ts'
import type { Ctx } from '#platform/context.ts'
import { enqueue, job, worker, type PeriodicJob } from '#platform/jobs/job.ts'
import { atomically } from '#platform/context.ts'
import { deriveLinks } from './topology.ts'

const deriveJob = job<Record<string, never>>('topology.derive')

export const jobs = [
  worker(deriveJob, async (ctx, _, signal) => {
    await deriveLinks(ctx, signal)
  }),
]

export const every: readonly PeriodicJob[] = [
  { name: 'topology.enqueue', everySeconds: 3_600, run: enqueueDerivations },
]

async function enqueueDerivations(system: Ctx): Promise<void> {
  for (const { id } of await listTenants(system))
    await atomically({ ...system, tenantId: id }, (inner) => enqueue(inner, deriveJob, {}))
}
