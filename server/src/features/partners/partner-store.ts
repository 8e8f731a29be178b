import { sql } from 'kysely'
import { readPage } from '#platform/conditions/lists/total-of-page.ts'
import type { Ctx } from '#platform/context.ts'
import type { Listed, Page } from '#platform/http/paging.ts'
import type { Partner, PartnerChanges, PartnerFields } from './partner.ts'

const columns = sql`id, tenant_id as "tenantId", name, slug, email, quota_limit as "quotaLimit",
  rate_limit as "rateLimit", api_enabled as "apiEnabled", created_at as "createdAt", updated_at as "updatedAt"`

const isLiving = (ctx: Ctx, id: string) =>
  sql`tenant_id = ${ctx.tenantId} and id = ${id} and deleted_at is null`

/** Undefined when a living partner of the tenant has the slug. */
export function add(ctx: Ctx, fields: PartnerFields): Promise<Partner | undefined> {
  const { name, slug, email, quotaLimit, rateLimit } = fields
  return ctx.db.maybe(sql<Partner>`
    insert into partners (tenant_id, name, slug, email, quota_limit, rate_limit)
    values (${ctx.tenantId}, ${name}, ${slug}, ${email}, ${quotaLimit}, ${rateLimit})
    on conflict (tenant_id, slug) where deleted_at is null do nothing
    returning ${columns}`)
}

/** Newest first. */
export function partners(ctx: Ctx, page: Page): Promise<Listed<Partner>> {
  return readPage(ctx, page, {
    items: sql`
      select ${columns} from partners where tenant_id = ${ctx.tenantId} and deleted_at is null
      order by created_at desc, id limit ${page.limit} offset ${page.offset}`,
    total: sql`select count(*) as total from partners where tenant_id = ${ctx.tenantId} and deleted_at is null`,
  })
}

export const partnersById = (ctx: Ctx, ids: readonly string[]): Promise<Partner[]> =>
  ctx.db.all(sql<Partner>`
    select ${columns} from partners
    where tenant_id = ${ctx.tenantId} and id = any(${[...ids]}::uuid[]) and deleted_at is null`)

export function partner(ctx: Ctx, id: string): Promise<Partner | undefined> {
  return ctx.db.maybe(sql<Partner>`select ${columns} from partners where ${isLiving(ctx, id)}`)
}

/** Until the end of the transaction it is neither changed nor deleted. */
export function locked(ctx: Ctx, id: string): Promise<Partner | undefined> {
  return ctx.db.maybe(sql<Partner>`select ${columns} from partners where ${isLiving(ctx, id)} for share`)
}

export function change(ctx: Ctx, id: string, changes: PartnerChanges): Promise<Partner | undefined> {
  const { name, email, quotaLimit, rateLimit, apiEnabled } = changes
  return ctx.db.maybe(sql<Partner>`
    update partners set name = coalesce(${name ?? null}, name), email = coalesce(${email ?? null}, email),
      quota_limit = coalesce(${quotaLimit ?? null}::int, quota_limit),
      rate_limit = coalesce(${rateLimit ?? null}::int, rate_limit),
      api_enabled = coalesce(${apiEnabled ?? null}::boolean, api_enabled), updated_at = clock_timestamp()
    where ${isLiving(ctx, id)} returning ${columns}`)
}

/** Undefined when there is none. Its keys are refused with it. */
export function remove(ctx: Ctx, id: string): Promise<Partner | undefined> {
  return ctx.db.maybe(sql<Partner>`
    update partners set deleted_at = clock_timestamp() where ${isLiving(ctx, id)} returning ${columns}`)
}

/** For whoever knows the id alone, whatever tenant it is of. */
export async function tenantOf(system: Ctx, id: string): Promise<string | undefined> {
  const found = await system.db.maybe(sql<{ tenant_id: string }>`
    select tenant_id from partners where id = ${id} and deleted_at is null`)
  return found?.tenant_id
}
