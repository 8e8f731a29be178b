import { sql } from 'kysely'
import type { Ctx } from '#platform/context.ts'
import type { Account, Membership, Preferences } from './account.ts'

const columns = sql`id, email, name, managed_by as "managedBy", password_hash as "passwordHash",
  totp_secret as "totpSecret", totp_confirmed_at is not null as "hasSecondFactor",
  last_tenant_id as "lastTenantId"`

/** Undefined when the address already has an account. */
export function add(
  system: Ctx,
  user: {
    email: string
    name?: string
    passwordHash: string | null
    managedBy?: string
    mayCreateTenants?: boolean
  },
): Promise<Account | undefined> {
  return system.db.maybe(sql<Account>`
    insert into users (email, name, password_hash, managed_by, may_create_tenants)
    values (${user.email}, ${user.name ?? ''}, ${user.passwordHash}, ${user.managedBy ?? null},
      ${user.mayCreateTenants ?? false})
    on conflict (lower(email), managed_by) do nothing returning ${columns}`)
}

/** The account with this address that has its own password. */
export function byEmail(system: Ctx, email: string): Promise<Account | undefined> {
  return system.db.maybe(sql<Account>`
    select ${columns} from users where lower(email) = lower(${email}) and managed_by is null`)
}

export function byId(system: Ctx, id: string): Promise<Account> {
  return system.db.one(sql<Account>`select ${columns} from users where id = ${id}`)
}

/** The memberships of the person, oldest first. */
export function memberships(system: Ctx, userId: string): Promise<Membership[]> {
  return system.db.all(sql<Membership>`
    select t.id, t.slug, t.name, t.is_demo as "isDemo", r.name as role
    from memberships m join tenants t on t.id = m.tenant_id
      join roles r on r.tenant_id = m.tenant_id and r.id = m.role_id
    where m.user_id = ${userId} order by m.created_at, t.slug`)
}

export async function setPassword(system: Ctx, id: string, passwordHash: string): Promise<void> {
  await system.db.run(sql`update users set password_hash = ${passwordHash} where id = ${id}`)
}

export async function setPreferences(system: Ctx, id: string, wanted: Preferences): Promise<void> {
  await system.db.run(sql`
    update users set language = ${wanted.language}, time_zone = ${wanted.timeZone},
      date_format = ${wanted.dateFormat}, number_format = ${wanted.numberFormat}
    where id = ${id}`)
}

export async function recordLastSignIn(system: Ctx, id: string): Promise<void> {
  await system.db.run(sql`update users set last_signed_in_at = clock_timestamp() where id = ${id}`)
}

/** Stores an unconfirmed secret. False, and nothing changes, when a confirmed one exists. */
export async function proposeTotp(system: Ctx, id: string, sealed: Buffer): Promise<boolean> {
  const changed = await system.db.run(sql`
    update users set totp_secret = ${sealed}, totp_step = null where id = ${id} and totp_confirmed_at is null`)
  return changed > 0
}

export async function confirmTotp(system: Ctx, id: string): Promise<boolean> {
  const changed = await system.db.run(sql`
    update users set totp_confirmed_at = clock_timestamp() where id = ${id} and totp_confirmed_at is null`)
  return changed > 0
}

/** False when a code of this or a later time step was used before (RFC 6238 §5.2, no replay). */
export async function claimTotpStep(system: Ctx, id: string, step: number): Promise<boolean> {
  const claimed = await system.db.run(sql`
    update users set totp_step = ${step} where id = ${id} and coalesce(totp_step, 0) < ${step}`)
  return claimed > 0
}

export async function removeTotp(system: Ctx, id: string): Promise<void> {
  await system.db.run(sql`
    update users set totp_secret = null, totp_confirmed_at = null, totp_step = null where id = ${id}`)
  await system.db.run(sql`delete from recovery_codes where user_id = ${id}`)
}

/** Replaces all earlier codes. */
export async function setRecoveryCodes(system: Ctx, id: string, hashes: readonly Buffer[]): Promise<void> {
  await system.db.run(sql`delete from recovery_codes where user_id = ${id}`)
  await system.db.run(sql`
    insert into recovery_codes (user_id, code_hash) select ${id}, unnest(${hashes}::bytea[])`)
}

export async function claimRecoveryCode(system: Ctx, id: string, hash: Buffer): Promise<boolean> {
  const claimed = await system.db.run(sql`
    delete from recovery_codes where user_id = ${id} and code_hash = ${hash}`)
  return claimed > 0
}

export async function recoveryCodesLeft(system: Ctx, id: string): Promise<number> {
  const { left } = await system.db.one(sql<{ left: number }>`
    select count(*)::int as left from recovery_codes where user_id = ${id}`)
  return left
}

export async function addReset(system: Ctx, id: string, tokenHash: Buffer, lifetime: string): Promise<void> {
  await system.db.run(sql`
    insert into password_resets (token_hash, user_id, expires_at)
    values (${tokenHash}, ${id}, clock_timestamp() + ${lifetime}::interval)`)
}

/**
 * Deletes the reset link, also an expired one. Returns the account's id; undefined for an unknown or expired link.
 */
export async function claimReset(system: Ctx, tokenHash: Buffer): Promise<string | undefined> {
  const claimed = await system.db.maybe(sql<{ userId: string; isAlive: boolean }>`
    delete from password_resets where token_hash = ${tokenHash}
    returning user_id as "userId", expires_at > clock_timestamp() as "isAlive"`)
  return claimed?.isAlive ? claimed.userId : undefined
}

export async function deleteResets(system: Ctx, id: string): Promise<void> {
  await system.db.run(sql`delete from password_resets where user_id = ${id}`)
}

export async function deleteExpired(system: Ctx): Promise<void> {
  await system.db.run(sql`delete from password_resets where expires_at < clock_timestamp()`)
}
