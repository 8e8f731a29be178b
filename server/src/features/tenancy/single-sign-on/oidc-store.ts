import { sql } from 'kysely'
import type { Ctx } from '#platform/context.ts'
import type { SignOn, OidcProvider } from './oidc-provider.ts'

const PENDING_LIFETIME = '10 minutes'

const columns = sql`p.tenant_id as "tenantId", p.issuer, p.client_id as "clientId", p.client_secret as "clientSecret",
  p.role_id as "roleId", p.domains`

export function provider(ctx: Ctx): Promise<OidcProvider | undefined> {
  return ctx.db.maybe(sql<OidcProvider>`
    select ${columns} from sign_on_providers p where p.tenant_id = ${ctx.tenantId}`)
}

export function providerOf(system: Ctx, slug: string): Promise<OidcProvider | undefined> {
  return system.db.maybe(sql<OidcProvider>`
    select ${columns} from sign_on_providers p join tenants t on t.id = p.tenant_id where t.slug = ${slug}`)
}

/** Whether any tenant has a provider. Returns the slug only if it is the only tenant. */
export function offered(system: Ctx): Promise<{ organisation: string | null } | undefined> {
  return system.db.maybe(sql<{ organisation: string | null }>`
    select case when (select count(*) from (select from tenants where not is_demo limit 2) few) = 1 then t.slug end as organisation
    from sign_on_providers p join tenants t on t.id = p.tenant_id limit 1`)
}

export function settings(ctx: Ctx): Promise<SignOn | undefined> {
  return ctx.db.maybe(sql<SignOn>`
    select p.issuer, p.client_id as "clientId", p.domains, p.updated_at as "updatedAt",
      jsonb_build_object('id', r.id, 'name', r.name) as role
    from sign_on_providers p join roles r on r.tenant_id = p.tenant_id and r.id = p.role_id
    where p.tenant_id = ${ctx.tenantId}`)
}

export async function put(ctx: Ctx, it: Omit<OidcProvider, 'tenantId'>): Promise<void> {
  await ctx.db.run(sql`
    insert into sign_on_providers (tenant_id, issuer, client_id, client_secret, role_id, domains)
    values (${ctx.tenantId}, ${it.issuer}, ${it.clientId}, ${it.clientSecret}, ${it.roleId}, ${it.domains})
    on conflict (tenant_id) do update set issuer = excluded.issuer, client_id = excluded.client_id,
      client_secret = excluded.client_secret, role_id = excluded.role_id, domains = excluded.domains,
      updated_at = clock_timestamp()`)
}

export async function remove(ctx: Ctx): Promise<boolean> {
  return (await ctx.db.run(sql`delete from sign_on_providers where tenant_id = ${ctx.tenantId}`)) > 0
}

export interface PendingSignOn {
  readonly tenantId: string
  readonly nonce: string
  readonly codeVerifier: string
  readonly returnTo: string
}

export async function addPending(
  system: Ctx,
  pending: PendingSignOn & { readonly stateHash: Buffer; readonly cookieHash: Buffer },
): Promise<void> {
  await system.db.run(sql`
    insert into sign_on_journeys (state_hash, cookie_hash, tenant_id, nonce, code_verifier, return_to, expires_at)
    values (${pending.stateHash}, ${pending.cookieHash}, ${pending.tenantId}, ${pending.nonce},
      ${pending.codeVerifier}, ${pending.returnTo}, clock_timestamp() + ${PENDING_LIFETIME}::interval)`)
}

/** Deletes and returns the pending sign-on; undefined when unknown, expired or started in another browser. */
export function claimPending(
  system: Ctx,
  stateHash: Buffer,
  cookieHash: Buffer,
): Promise<PendingSignOn | undefined> {
  return system.db.maybe(sql<PendingSignOn>`
    delete from sign_on_journeys
    where state_hash = ${stateHash} and cookie_hash = ${cookieHash} and expires_at > clock_timestamp()
    returning tenant_id as "tenantId", nonce, code_verifier as "codeVerifier", return_to as "returnTo"`)
}

export async function userIdOf(system: Ctx, issuer: string, subject: string): Promise<string | undefined> {
  const identity = await system.db.maybe(sql<{ userId: string }>`
    select user_id as "userId" from sign_on_identities
    where tenant_id = ${system.tenantId} and issuer = ${issuer} and subject = ${subject}`)
  return identity?.userId
}

/** The member of the tenant with this address who has a password. */
export async function memberByEmail(system: Ctx, email: string): Promise<string | undefined> {
  const member = await system.db.maybe(sql<{ id: string }>`
    select u.id from users u join memberships m on m.user_id = u.id
    where m.tenant_id = ${system.tenantId} and u.managed_by is null and lower(u.email) = lower(${email})`)
  return member?.id
}

export async function isMember(system: Ctx, userId: string): Promise<boolean> {
  const member = await system.db.maybe(sql`
    select user_id from memberships where tenant_id = ${system.tenantId} and user_id = ${userId}`)
  return member !== undefined
}

export async function addIdentity(
  system: Ctx,
  issuer: string,
  subject: string,
  userId: string,
): Promise<void> {
  await system.db.run(sql`
    insert into sign_on_identities (tenant_id, issuer, subject, user_id)
    values (${system.tenantId}, ${issuer}, ${subject}, ${userId})`)
}

export async function deleteExpired(system: Ctx): Promise<void> {
  await system.db.run(sql`delete from sign_on_journeys where expires_at < clock_timestamp()`)
}
