import { createPartner, listPartners } from '#features/partners/partners.ts'
import type { Ctx } from '#platform/context.ts'

const PARTNER = { name: 'Northwind IT Services', slug: 'northwind', email: 'operations@northwind.example' }

/** One partner without keys, unless the tenant has a partner already. */
export async function createDemoPartner(ctx: Ctx): Promise<void> {
  const { total } = await listPartners(ctx, { limit: 1, offset: 0 })
  if (total === 0) await createPartner(ctx, PARTNER)
}
