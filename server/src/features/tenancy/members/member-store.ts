import { sql } from 'kysely'
import type { Ctx } from '#platform/context.ts'
import type { StoredMember } from './member.ts'

const columns = sql`u.id, u.email, u.name, u.managed_by is not null as "isManaged",
  u.totp_confirmed_at is not null as "hasSecondFactor", u.last_signed_in_at as "lastSignedInAt",
  m.created_at as "joinedAt", r.id as "roleId", r.name as "roleName", r.built_in as "builtIn", r.permissions`

const members = sql`memberships m join users u on u.id = m.user_id
  join roles r on r.tenant_id = m.tenant_id and r.id = m.role_id`

export function all(ctx: Ctx): Promise<StoredMember[]> {
  return ctx.db.all(sql<StoredMember>`
    select ${columns} from ${members} where m.tenant_id = ${ctx.tenantId} order by lower(u.email), u.id`)
}

/** Locks the row, so that concurrent changes of one member are serialised. */
export function one(ctx: Ctx, userId: string): Promise<StoredMember | undefined> {
  return ctx.db.maybe(sql<StoredMember>`
    select ${columns} from ${members}
    where m.tenant_id = ${ctx.tenantId} and m.user_id = ${userId} for update of m`)
}

export interface MemberRole extends Pick<StoredMember, 'email' | 'builtIn' | 'permissions'> {
  readonly limitedTo: string | null
}

export function permissions(ctx: Ctx, userId: string): Promise<MemberRole | undefined> {
  return ctx.db.maybe(sql<MemberRole>`
    select u.email, r.built_in as "builtIn", r.permissions, r.limited_to as "limitedTo" from ${members}
    where m.tenant_id = ${ctx.tenantId} and m.user_id = ${userId}`)
}

/** Ids of all administrators, locked in a fixed order, so that two cannot leave at the same time and none remain. */
export async function admins(ctx: Ctx): Promise<string[]> {
  const found = await ctx.db.all(sql<{ id: string }>`
    select m.user_id as id from memberships m join roles r on r.tenant_id = m.tenant_id and r.id = m.role_id
    where m.tenant_id = ${ctx.tenantId} and r.built_in = 'admin' order by m.user_id for update of m`)
  return found.map(({ id }) => id)
}

/** False when the person is a member already. */
export async function add(ctx: Ctx, userId: string, roleId: string): Promise<boolean> {
  const added = await ctx.db.run(sql`
    insert into memberships (tenant_id, user_id, role_id) values (${ctx.tenantId}, ${userId}, ${roleId})
    on conflict do nothing`)
  return added > 0
}

export async function setRole(ctx: Ctx, userId: string, roleId: string): Promise<void> {
  await ctx.db.run(sql`
    update memberships set role_id = ${roleId} where tenant_id = ${ctx.tenantId} and user_id = ${userId}`)
}

export async function remove(ctx: Ctx, userId: string): Promise<void> {
  await ctx.db.run(sql`delete from memberships where tenant_id = ${ctx.tenantId} and user_id = ${userId}`)
}

/** Names of actors in this tenant, including former members: the audit log refers to them. */
export function names(ctx: Ctx, ids: readonly string[]): Promise<{ id: string; name: string }[]> {
  return ctx.db.all(sql<{ id: string; name: string }>`
    select id, coalesce(nullif(name, ''), email) as name from users where id = any(${[...ids]}::uuid[])`)
}

/** `emails` in lower case. */
export function idsByEmail(ctx: Ctx, emails: readonly string[]): Promise<{ id: string; email: string }[]> {
  return ctx.db.all(sql<{ id: string; email: string }>`
    select u.id, lower(u.email) as email from memberships m join users u on u.id = m.user_id
    where m.tenant_id = ${ctx.tenantId} and lower(u.email) = any(${[...emails]}::text[]) and u.managed_by is null`)
}

export async function hasEmail(ctx: Ctx, email: string): Promise<boolean> {
  const member = await ctx.db.maybe(sql`
    select u.id from memberships m join users u on u.id = m.user_id
    where m.tenant_id = ${ctx.tenantId} and lower(u.email) = lower(${email}) and u.managed_by is null`)
  return member !== undefined
}
