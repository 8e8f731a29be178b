/** Partners: companies that a tenant gives access to, each with its own keys, limits and webhooks. */
import { difference, record } from '#features/audit/audit.ts'
import {
  deletePartnerEndpoints,
  pausePartnerEndpoints,
  resumePartnerEndpoints,
} from '#features/webhooks/webhooks.ts'
import { atomically, permit, type Ctx } from '#platform/context.ts'
import { conflict, notFound } from '#platform/errors.ts'
import { inOrder, subjectPage, type ListQuery } from '#platform/conditions/lists/subject-page.ts'
import type { Listed, Page } from '#platform/http/paging.ts'
import { isUuid } from '#platform/uuid.ts'
import {
  parseChanges,
  parseNewPartner,
  type NewPartner,
  type Partner,
  type PartnerChanges,
} from './partner.ts'
import { findPartner } from './partner-access.ts'
import * as store from './partner-store.ts'

export { createPartnerKey, partnerKeyById } from './partner-keys.ts'
export { addPastRequests } from './partner-usage.ts'

/** 409 when another living partner of the tenant has the slug. */
export async function createPartner(ctx: Ctx, input: NewPartner): Promise<Partner> {
  permit(ctx, 'partners:write')
  const fields = parseNewPartner(input)
  return atomically(ctx, async (ctx) => {
    const partner = await store.add(ctx, fields)
    if (!partner) throw conflict('slug: another partner has it')
    await record(ctx, 'partner.created', subject(partner.id), fields)
    return partner
  })
}

/** Newest first. */
export async function listPartners(ctx: Ctx, page: Page): Promise<Listed<Partner>> {
  permit(ctx, 'partners:read')
  return store.partners(ctx, page)
}

/** Newest first, unless another order is asked for. Throws 400 naming `where` or `sort`. */
export async function queryPartners(ctx: Ctx, page: Page, query: ListQuery): Promise<Listed<Partner>> {
  permit(ctx, 'partners:read')
  const asked = { ...query, subject: 'partner', usual: '-created' }
  const { items: ids, total } = await subjectPage(ctx, asked, page)
  const rows = ids.length === 0 ? [] : await store.partnersById(ctx, ids)
  return { items: inOrder(ids, rows, ({ id }) => id), total }
}

export async function getPartner(ctx: Ctx, id: string): Promise<Partner> {
  permit(ctx, 'partners:read')
  return findPartner(ctx, id)
}

export async function updatePartner(ctx: Ctx, id: string, input: PartnerChanges): Promise<Partner> {
  permit(ctx, 'partners:write')
  const changes = parseChanges(input)
  return atomically(ctx, async (ctx) => {
    const before = await findPartner(ctx, id)
    const after = found(await store.change(ctx, id, changes))
    if (before.apiEnabled && !after.apiEnabled) await pausePartnerEndpoints(ctx, id, API_OFF)
    if (!before.apiEnabled && after.apiEnabled) await resumePartnerEndpoints(ctx, id, API_OFF)
    const changed = difference(settingsOf(before), settingsOf(after))
    await record(ctx, 'partner.updated', subject(id), { name: after.name, ...changed })
    return after
  })
}

/** Why a webhook of a partner is not active while its API is off. */
const API_OFF = 'the API of the partner is turned off'

const settingsOf = ({ name, email, quotaLimit, rateLimit, apiEnabled }: Partner) => ({
  name,
  email,
  quotaLimit,
  rateLimit,
  apiEnabled,
})

/** Its keys are refused from the next request on; its webhooks and what waits to be delivered to them go. */
export async function deletePartner(ctx: Ctx, id: string): Promise<void> {
  permit(ctx, 'partners:write')
  await atomically(ctx, async (ctx) => {
    const { name, slug } = found(isUuid(id) ? await store.remove(ctx, id) : undefined)
    await deletePartnerEndpoints(ctx, id)
    await record(ctx, 'partner.deleted', subject(id), { name, slug })
  })
}

/** The tenant of the partner with this id; for commands that are given no tenant. */
export async function tenantOfPartner(system: Ctx, id: string): Promise<string> {
  permit(system, 'partners:read')
  return found(isUuid(id) ? await store.tenantOf(system, id) : undefined)
}

function found<T>(it: T | undefined): T {
  if (it === undefined) throw notFound('partner')
  return it
}

const subject = (id: string) => ({ type: 'partner', id })
