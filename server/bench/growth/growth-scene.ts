import { adoptFramework } from '#features/compliance/compliance.ts'
import { createKey } from '#features/api-keys/api-keys.ts'
import { getTenantBySlug } from '#features/tenancy/tenancy.ts'
import type { Ctx } from '#platform/context.ts'
import { readFeedsNow, withFacts } from '../compliance/compliance-estate.ts'
import { databaseClock, type DatabaseClock } from '../compliance/database-cost.ts'
import { openScratch, type Scratch } from '../scratch-installation.ts'
import { TENANT_SLUG } from '../seed/seed.ts'

/** An estate of one size, which the measures share. */
export interface GrowthScene {
  readonly size: number
  readonly scratch: Scratch
  readonly ctx: Ctx
  readonly apiKey: string
  readonly clock: DatabaseClock
  readonly say: (text: string) => void
  readonly close: () => Promise<void>
}

const FINDINGS_EACH = 5
const FRAMEWORK = 'nist-csf-2.0'

export async function openGrowthScene(
  size: number,
  { keepIn, say }: { readonly keepIn: string | undefined; readonly say: (text: string) => void },
): Promise<GrowthScene> {
  const scratch = await openScratch({
    size,
    findingsEach: FINDINGS_EACH,
    keepIn,
    prepare: withFacts(say),
    say,
  })
  try {
    const { id } = await getTenantBySlug(scratch.runtime.system, TENANT_SLUG)
    const ctx = scratch.runtime.contextFor(id)
    await readFeedsNow(scratch.superuser)
    await adoptFramework(ctx, FRAMEWORK)
    const { secret } = await createKey(ctx, { name: 'Growth', scopes: ['read', 'write'] })
    const clock = await databaseClock(scratch.superuser)
    return { size, scratch, ctx, apiKey: secret, clock, say, close: scratch.close }
  } catch (error) {
    await scratch.close()
    throw error
  }
}
