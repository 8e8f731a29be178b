import { sql, type RawBuilder } from 'kysely'
import type { Ctx } from '#platform/context.ts'
import { userAccessTopic } from './access-revoked-topics.ts'
import type { BuiltIn } from '../roles/permissions.ts'
import type { Preferences } from '../accounts/account.ts'
import type { SessionInfo } from './session.ts'
import { CODE_WITHIN, IDLE_TIMEOUT, LAST_SEEN_INTERVAL, SESSION_LIFETIME } from './session-expiry.ts'

export interface NewSession {
  readonly tokenHash: Buffer
  readonly userId: string
  readonly tenantId: string | null
  readonly boundTo: string | null
  readonly awaitsCode: boolean
  readonly address: string
  readonly userAgent: string
}

export interface StoredSession {
  readonly id: string
  readonly boundTo: string | null
  readonly awaitsCode: boolean
  readonly expiresAt: string
  readonly isLastSeenStale: boolean
  readonly userId: string
  readonly email: string
  readonly userName: string
  readonly isManaged: boolean
  readonly hasSecondFactor: boolean
  readonly mayCreateTenants: boolean
  readonly language: Preferences['language']
  readonly timeZone: Preferences['timeZone']
  readonly dateFormat: Preferences['dateFormat']
  readonly numberFormat: Preferences['numberFormat']
  /** Null when the person is not a member of the tenant. */
  readonly tenantId: string | null
  readonly slug: string | null
  readonly tenantName: string | null
  readonly isDemo: boolean | null
  readonly roleId: string | null
  readonly roleName: string | null
  readonly builtIn: BuiltIn | null
  readonly permissions: readonly string[] | null
  readonly limitedTo: string | null
}

/** A session opened by an identity provider ends when the tenant no longer has one. */
const isAlive = sql`s.expires_at > clock_timestamp() and s.last_seen_at > clock_timestamp() - ${IDLE_TIMEOUT}::interval
  and (s.bound_to is null or exists (select from sign_on_providers p where p.tenant_id = s.bound_to))`

export async function add(system: Ctx, session: NewSession): Promise<void> {
  await system.db.run(sql`
    insert into sessions (token_hash, user_id, current_tenant_id, bound_to, awaits_code, address, user_agent, expires_at)
    values (${session.tokenHash}, ${session.userId}, ${session.tenantId}, ${session.boundTo}, ${session.awaitsCode},
      ${session.address}, ${session.userAgent},
      clock_timestamp() + ${session.awaitsCode ? CODE_WITHIN : SESSION_LIFETIME}::interval)`)
}

/** With `slug` in that tenant, else in the tenant used last. */
export function find(system: Ctx, tokenHash: Buffer, slug?: string): Promise<StoredSession | undefined> {
  const tenant =
    slug === undefined ? sql`s.current_tenant_id` : sql`(select id from tenants where slug = ${slug})`
  return system.db.maybe(sql<StoredSession>`
    select s.id, s.bound_to as "boundTo", s.awaits_code as "awaitsCode", s.expires_at as "expiresAt",
      s.last_seen_at < clock_timestamp() - ${LAST_SEEN_INTERVAL}::interval as "isLastSeenStale",
      u.id as "userId", u.email, u.name as "userName", u.managed_by is not null as "isManaged",
      u.totp_confirmed_at is not null as "hasSecondFactor", u.may_create_tenants as "mayCreateTenants",
      u.language, u.time_zone as "timeZone", u.date_format as "dateFormat", u.number_format as "numberFormat",
      t.id as "tenantId", t.slug, t.name as "tenantName", t.is_demo as "isDemo",
      r.id as "roleId", r.name as "roleName", r.built_in as "builtIn", r.permissions, r.limited_to as "limitedTo"
    from sessions s join users u on u.id = s.user_id
      left join memberships m on m.user_id = s.user_id and m.tenant_id = ${tenant}
      left join tenants t on t.id = m.tenant_id
      left join roles r on r.tenant_id = m.tenant_id and r.id = m.role_id
    where s.token_hash = ${tokenHash} and ${isAlive}`)
}

export async function touch(system: Ctx, id: string): Promise<void> {
  await system.db.run(sql`
    update sessions set last_seen_at = clock_timestamp()
    where id = ${id} and last_seen_at < clock_timestamp() - ${LAST_SEEN_INTERVAL}::interval`)
}

/** Replaces the session's token; false when the session has ended. */
export async function renew(system: Ctx, id: string, tokenHash: Buffer): Promise<boolean> {
  return (
    (await announced(
      system,
      sql`
    update sessions set token_hash = ${tokenHash} where id = ${id} returning user_id as "userId"`,
    )) > 0
  )
}

/** Writes nothing when the tenant is already the current one. */
export async function setCurrentTenant(
  system: Ctx,
  { id, userId, tenantId }: { id: string; userId: string; tenantId: string },
): Promise<void> {
  await system.db.run(sql`
    with entered as (
      update sessions set current_tenant_id = ${tenantId}
      where id = ${id} and current_tenant_id is distinct from ${tenantId} returning 1)
    update users set last_tenant_id = ${tenantId} where id = ${userId} and exists (select from entered)`)
}

/** Latest use first. A session bound to a tenant lists only sessions bound to the same tenant. */
export function listOf(
  system: Ctx,
  { userId, boundTo, id }: { userId: string; boundTo: string | null; id: string },
): Promise<SessionInfo[]> {
  return system.db.all(sql<SessionInfo>`
    select s.id, s.id = ${id} as "isCurrent", s.address, s.user_agent as "userAgent", s.created_at as "createdAt",
      s.last_seen_at as "lastSeenAt", s.expires_at as "expiresAt"
    from sessions s
    where s.user_id = ${userId} and not s.awaits_code and ${isAlive}
      and (${boundTo}::uuid is null or s.bound_to = ${boundTo})
    order by s.last_seen_at desc, s.id`)
}

export async function end(system: Ctx, id: string): Promise<void> {
  await announced(system, sql`delete from sessions where id = ${id} returning user_id as "userId"`)
}

/**
 * Ends all sessions of the person, or all but one; returns the number. A session bound to a tenant ends only sessions
 * bound to the same tenant.
 */
export function endAll(
  system: Ctx,
  { userId, boundTo, exceptId }: { userId: string; boundTo?: string | null; exceptId?: string },
): Promise<number> {
  return announced(
    system,
    sql`
    delete from sessions where user_id = ${userId} and (${boundTo ?? null}::uuid is null or bound_to = ${boundTo ?? null})
      and (${exceptId ?? null}::uuid is null or id <> ${exceptId ?? null}) returning user_id as "userId"`,
  )
}

export async function deleteExpired(system: Ctx): Promise<void> {
  await announced(system, sql`delete from sessions s where not (${isAlive}) returning user_id as "userId"`)
}

/**
 * Notifies all nodes, so that they check live connections of the changed sessions again. Returns the number of
 * sessions.
 */
async function announced(system: Ctx, statement: RawBuilder<unknown>): Promise<number> {
  const changed = await system.db.all(statement as RawBuilder<{ userId: string }>)
  for (const { userId } of changed) system.db.afterCommit(userAccessTopic(userId))
  return changed.length
}
