import { forgetSamples } from '#features/advisories/advisories.ts'
import { closeOwnDemo, hasDemoData, openOwnDemo, type SignedIn } from '#features/tenancy/tenancy.ts'
import { atomically, type Ctx } from '#platform/context.ts'
import { enqueue, longJob, worker, type Worker } from '#platform/jobs/job.ts'
import { ASSETS_DEFAULT, createDemoData, loadSampleAdvisories, SEED_DEFAULT } from './demo.ts'

const fillDemo = longJob<Record<string, never>>('demo.fill')

/** Slug of the person's own demo organisation; a new one fills while they look. */
export async function openDemo(system: Ctx, who: SignedIn): Promise<string> {
  await loadSampleAdvisories(system)
  return atomically(system, async (inner) => {
    const { tenant, isNew } = await openOwnDemo(inner, who)
    if (isNew) await enqueue({ ...inner, tenantId: tenant.id }, fillDemo, {})
    return tenant.slug
  })
}

/** With the sample advisories, unless others look at invented data too. */
export async function closeDemo(system: Ctx, who: SignedIn): Promise<void> {
  await closeOwnDemo(system, who)
  if (!(await hasDemoData(system))) await forgetSamples(system)
}

export const jobs: readonly Worker[] = [
  worker(fillDemo, async (ctx) => {
    await createDemoData(ctx, { assets: ASSETS_DEFAULT, seed: SEED_DEFAULT })
  }),
]
