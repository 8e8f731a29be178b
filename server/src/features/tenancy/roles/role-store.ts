import { sql } from 'kysely'
import type { Ctx } from '#platform/context.ts'
import { builtInNames } from './permissions.ts'
import type { StoredRole } from './role.ts'

export type WrittenRole = Pick<StoredRole, 'name' | 'permissions' | 'where'>

const columns = sql`id, name, built_in as "builtIn", permissions, limited_to as "where", (
  select count(*)::int from memberships m where m.tenant_id = roles.tenant_id and m.role_id = roles.id) as members`

/** Adds the built-in roles to a new tenant. */
export async function addBuiltIn(ctx: Ctx): Promise<void> {
  await ctx.db.run(sql`
    insert into roles (tenant_id, name, built_in)
    select ${ctx.tenantId}, initcap(it), it from unnest(${builtInNames}::text[]) as it`)
}

export function roles(ctx: Ctx): Promise<StoredRole[]> {
  return ctx.db.all(sql<StoredRole>`
    select ${columns} from roles where tenant_id = ${ctx.tenantId}
    order by array_position(${builtInNames}::text[], built_in), lower(name)`)
}

/** Locks the row, so that the role cannot be assigned while it changes. */
export function role(ctx: Ctx, id: string): Promise<StoredRole | undefined> {
  return ctx.db.maybe(sql<StoredRole>`
    select ${columns} from roles where tenant_id = ${ctx.tenantId} and id = ${id} for update`)
}

/** Undefined when the name is taken. */
export function add(ctx: Ctx, { name, permissions, where }: WrittenRole): Promise<StoredRole | undefined> {
  return ctx.db.maybe(sql<StoredRole>`
    insert into roles (tenant_id, name, permissions, limited_to)
    values (${ctx.tenantId}, ${name}, ${permissions}, ${where})
    on conflict (tenant_id, lower(name)) do nothing returning ${columns}`)
}

export async function isNameTaken(ctx: Ctx, name: string, exceptId: string): Promise<boolean> {
  const other = await ctx.db.maybe(sql`
    select id from roles where tenant_id = ${ctx.tenantId} and lower(name) = lower(${name}) and id <> ${exceptId}`)
  return other !== undefined
}

export function update(ctx: Ctx, id: string, { name, permissions, where }: WrittenRole): Promise<StoredRole> {
  return ctx.db.one(sql<StoredRole>`
    update roles set name = ${name}, permissions = ${permissions}, limited_to = ${where}
    where tenant_id = ${ctx.tenantId} and id = ${id} returning ${columns}`)
}

export async function remove(ctx: Ctx, id: string): Promise<void> {
  await ctx.db.run(sql`delete from roles where tenant_id = ${ctx.tenantId} and id = ${id}`)
}

/** Whether new members by single sign-on get this role. */
export async function isSingleSignOnRole(ctx: Ctx, id: string): Promise<boolean> {
  const provider = await ctx.db.maybe(sql`
    select tenant_id from sign_on_providers where tenant_id = ${ctx.tenantId} and role_id = ${id}`)
  return provider !== undefined
}
