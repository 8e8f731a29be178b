import {
  addPastRequests,
  createPartner,
  createPartnerKey,
  listPartners,
} from '#features/partners/partners.ts'
import type { Ctx } from '#platform/context.ts'

const PARTNER = { name: 'Northwind IT Services', slug: 'northwind', email: 'operations@northwind.example' }
const KEY = { name: 'Nightly export', scopes: ['partner:read', 'webhook:read'] }

/** Requests of the last four weeks, yesterday first: many on working days, few at the weekend. */
const REQUESTS = Array.from({ length: 28 }, (_, day) => (day % 7 > 4 ? 40 : 310) + ((day * 37) % 60))

/**
 * One partner, unless the tenant has one already: with a key that nobody knows, four weeks of requests, and a quota that
 * so many assets come near.
 */
export async function createDemoPartner(ctx: Ctx, assets: number): Promise<void> {
  const { total } = await listPartners(ctx, { limit: 1, offset: 0 })
  if (total > 0) return
  const { id } = await createPartner(ctx, { ...PARTNER, quotaLimit: Math.ceil(assets * 1.1) })
  await createPartnerKey(ctx, id, KEY)
  await addPastRequests(ctx, id, REQUESTS)
}
