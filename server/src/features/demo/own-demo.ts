import { forgetSamples } from '#features/advisories/advisories.ts'
import { getDemo, hasDemoData, openOwnDemo, setDemoData, type SignedIn } from '#features/tenancy/tenancy.ts'
import { atomically, type Ctx } from '#platform/context.ts'
import { enqueueOnce, longJob, worker, type PeriodicJob, type Worker } from '#platform/jobs/job.ts'
import { ASSETS_DEFAULT, createDemoData, loadSampleAdvisories, SEED_DEFAULT } from './demo.ts'

const fillDemo = longJob<Record<string, never>>('demo.fill')

/** Slug of the person's own demo organisation; a new one fills while they look. */
export async function openDemo(system: Ctx, who: SignedIn): Promise<string> {
  const { id, slug } = await atomically(system, async (inner) => {
    const tenant = await openOwnDemo(inner, who)
    await setDemoData({ ...inner, tenantId: tenant.id })
    return tenant
  })
  const ctx = { ...system, tenantId: id }
  if ((await getDemo(ctx))?.filledAt) return slug
  await loadSampleAdvisories(system)
  await atomically(ctx, (inner) => enqueueOnce(inner, fillDemo, {}))
  return slug
}

export const jobs: readonly Worker[] = [
  worker(fillDemo, async (ctx) => {
    await createDemoData(ctx, { assets: ASSETS_DEFAULT, seed: SEED_DEFAULT })
  }),
]

export const every: readonly PeriodicJob[] = [
  { name: 'demo.forgetSamples', everySeconds: 60, run: forgetUnusedSamples },
]

/** Sample advisories go once nobody has invented data any more. */
async function forgetUnusedSamples(system: Ctx): Promise<void> {
  if (!(await hasDemoData(system))) await forgetSamples(system)
}
