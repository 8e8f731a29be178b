import type { Ctx } from '#platform/context.ts'
import { notFound } from '#platform/errors.ts'
import { isUuid } from '#platform/uuid.ts'
import type { Partner } from './partner.ts'
import * as store from './partner-store.ts'

/** Throws 404 for what is no partner of the tenant, and for any other than its own when a partner key asks. */
export async function findPartner(ctx: Ctx, id: string): Promise<Partner> {
  return read(ctx, id, store.partner)
}

/** The same, inside a transaction, until whose end the partner is neither changed nor deleted. */
export async function holdPartner(ctx: Ctx, id: string): Promise<Partner> {
  return read(ctx, id, store.locked)
}

async function read(ctx: Ctx, id: string, by: typeof store.partner): Promise<Partner> {
  const { confined } = ctx.actor
  const mayBeRead = isUuid(id) && (!confined || confined.to === id.toLowerCase())
  const partner = mayBeRead ? await by(ctx, id) : undefined
  if (!partner) throw notFound('partner')
  return partner
}
