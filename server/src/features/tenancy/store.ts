import { sql } from 'kysely'
import type { Ctx } from '#platform/context.ts'
import type { Tenant } from './tenancy.ts'

const tenantColumns = sql`id, slug, name, created_at as "createdAt"`

/** Undefined when the slug is taken. */
export function addTenant(ctx: Ctx, slug: string, name: string): Promise<Tenant | undefined> {
  return ctx.db.maybe(sql<Tenant>`
    insert into tenants (slug, name) values (${slug}, ${name})
    on conflict (slug) do nothing returning ${tenantColumns}`)
}

export function tenants(ctx: Ctx): Promise<Tenant[]> {
  return ctx.db.all(sql<Tenant>`select ${tenantColumns} from tenants order by slug`)
}

export function tenantBySlug(ctx: Ctx, slug: string): Promise<Tenant | undefined> {
  return ctx.db.maybe(sql<Tenant>`select ${tenantColumns} from tenants where slug = ${slug}`)
}
