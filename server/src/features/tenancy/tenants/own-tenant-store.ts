import { sql } from 'kysely'
import type { Ctx } from '#platform/context.ts'
import type { Tenant } from '../tenant.ts'

/** So that a person who asks twice at once gets one demo. */
export async function lockPerson(system: Ctx, userId: string): Promise<void> {
  await system.db.one(sql`select id from users where id = ${userId} for update`)
}

/** The demo that the person is an administrator of. */
export function demoOf(system: Ctx, userId: string): Promise<Tenant | undefined> {
  return system.db.maybe(sql<Tenant>`
    select t.id, t.slug, t.name, t.is_demo as "isDemo", t.created_at as "createdAt"
    from memberships m join tenants t on t.id = m.tenant_id
      join roles r on r.tenant_id = m.tenant_id and r.id = m.role_id
    where m.user_id = ${userId} and t.is_demo and r.built_in = 'admin'
    order by t.created_at limit 1`)
}

/** Of any organisation. */
export async function isAdministrator(system: Ctx, userId: string): Promise<boolean> {
  const found = await system.db.maybe(sql`
    select m.tenant_id from memberships m
      join roles r on r.tenant_id = m.tenant_id and r.id = m.role_id
    where m.user_id = ${userId} and r.built_in = 'admin' limit 1`)
  return found !== undefined
}

export async function slugsLike(system: Ctx, start: string): Promise<readonly string[]> {
  const found = await system.db.all(sql<{ slug: string }>`
    select slug from tenants where slug = ${start} or slug like ${`${start}-%`}`)
  return found.map(({ slug }) => slug)
}

/** Nobody enters the tenant any more, and its slug is free. */
export async function close(ctx: Ctx): Promise<void> {
  const { tenantId } = ctx
  await ctx.db.run(sql`
    update tenants set closed_at = clock_timestamp(), slug = 'closed-' || id where id = ${tenantId}`)
  await ctx.db.run(sql`update users set last_tenant_id = null where last_tenant_id = ${tenantId}`)
  await ctx.db.run(sql`delete from sessions where bound_to = ${tenantId}`)
  await ctx.db.run(sql`update sessions set current_tenant_id = null where current_tenant_id = ${tenantId}`)
  await ctx.db.run(sql`delete from memberships where tenant_id = ${tenantId}`)
}

export async function setMayCreate(system: Ctx, userId: string, isAllowed: boolean): Promise<void> {
  await system.db.run(sql`update users set may_create_tenants = ${isAllowed} where id = ${userId}`)
}

/** Whether any tenant has invented data. */
export async function hasDemoData(system: Ctx): Promise<boolean> {
  const { found } = await system.db.one(sql<{ found: boolean }>`
    select exists (select from tenants
      where closed_at is null and has_demo_data) as found`)
  return found
}

/** Notes that the tenant gets invented data, before any is there. */
export async function setDemoData(ctx: Ctx): Promise<void> {
  await ctx.db.run(
    sql`update tenants set has_demo_data = true where id = ${ctx.tenantId} and not has_demo_data`,
  )
}

/** Notes that the tenant has all its invented data. */
export async function setDemoFilled(ctx: Ctx): Promise<void> {
  await ctx.db.run(sql`
    update tenants set demo_filled_at = clock_timestamp() where id = ${ctx.tenantId} and demo_filled_at is null`)
}

/** Undefined: the tenant is no demo. */
export function demo(ctx: Ctx): Promise<{ readonly filledAt: string | null } | undefined> {
  return ctx.db.maybe(sql<{ filledAt: string | null }>`
    select demo_filled_at as "filledAt" from tenants where id = ${ctx.tenantId} and is_demo`)
}
