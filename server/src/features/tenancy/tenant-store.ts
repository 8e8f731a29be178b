import { sql } from 'kysely'
import type { Ctx } from '#platform/context.ts'
import type { Tenant } from './tenant.ts'

const tenantColumns = sql`id, slug, name, is_demo as "isDemo", created_at as "createdAt"`

export type NewTenant = Pick<Tenant, 'slug' | 'name' | 'isDemo'>

/** Undefined when the slug is taken. */
export function addTenant(ctx: Ctx, { slug, name, isDemo }: NewTenant): Promise<Tenant | undefined> {
  return ctx.db.maybe(sql<Tenant>`
    insert into tenants (slug, name, is_demo) values (${slug}, ${name}, ${isDemo})
    on conflict (slug) do nothing returning ${tenantColumns}`)
}

export function tenants(ctx: Ctx): Promise<Tenant[]> {
  return ctx.db.all(sql<Tenant>`select ${tenantColumns} from tenants where closed_at is null order by slug`)
}

export function tenantBySlug(ctx: Ctx, slug: string): Promise<Tenant | undefined> {
  return ctx.db.maybe(
    sql<Tenant>`select ${tenantColumns} from tenants where slug = ${slug} and closed_at is null`,
  )
}

/** The tenant of the context. */
export function ownTenant(ctx: Ctx): Promise<Tenant> {
  return ctx.db.one(sql<Tenant>`select ${tenantColumns} from tenants where id = ${ctx.tenantId}`)
}

/** The tenant of the context; its row is locked until the end of the transaction. */
export function lockTenant(ctx: Ctx): Promise<Tenant> {
  return ctx.db.one(sql<Tenant>`select ${tenantColumns} from tenants where id = ${ctx.tenantId} for update`)
}

export function setName(ctx: Ctx, name: string): Promise<Tenant> {
  return ctx.db.one(sql<Tenant>`
    update tenants set name = ${name} where id = ${ctx.tenantId} returning ${tenantColumns}`)
}

/** The id of the only tenant of the installation, demos apart; undefined if there are several. */
export async function onlyTenant(system: Ctx): Promise<string | undefined> {
  const [first, second] = await system.db.all(
    sql<{ id: string }>`select id from tenants where not is_demo limit 2`,
  )
  return second ? undefined : first?.id
}

/** Whether the installation has no other tenant, demos apart. */
export async function isOnlyTenant(ctx: Ctx): Promise<boolean> {
  const { alone } = await ctx.db.one(sql<{ alone: boolean }>`select is_alone() as alone`)
  return alone
}
