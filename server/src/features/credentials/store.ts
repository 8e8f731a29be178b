import { sql } from 'kysely'
import type { Ctx } from '#platform/context.ts'
import { tenantOfRow } from '#platform/cli/tenant-of-row.ts'
import type { Listed, Page } from '#platform/http/paging.ts'
import type { Bindings } from './credential-bindings.ts'
import type { CredentialKind } from './credential.ts'
import type { CredentialInfo } from './credential-info.ts'
import type { Sealed } from './encryption/data-keys.ts'
import type { Values } from './credential-kinds.ts'

const columns = (
  ctx: Ctx,
) => sql`c.id, c.name, c.kind, c.settings - 'port' as settings, (c.settings->>'port')::integer as port,
  c.ask_on_unknown_host as "asksOnUnknownHost",
  (select coalesce(array_agg(b.cidr::text order by b.id), '{}') from credential_bindings b
    where b.tenant_id = ${ctx.tenantId} and b.credential_id = c.id and b.cidr is not null) as cidrs,
  (select coalesce(array_agg(b.target_id::text order by b.id), '{}') from credential_bindings b
    where b.tenant_id = ${ctx.tenantId} and b.credential_id = c.id and b.target_id is not null) as "targetIds",
  c.secret_sealed is null as "isCollectorOnly",
  (select coalesce(array_agg(s.collector_id::text order by s.collector_id), '{}') from credential_collector_secrets s
    where s.tenant_id = ${ctx.tenantId} and s.credential_id = c.id) as "collectorIds",
  case when c.open_until > ${ctx.now()} then c.open_until end as "setAsideUntil",
  case when c.open_until > ${ctx.now()} then c.open_reason end as "setAsideBecause",
  (select count(*)::integer from credential_addresses a
    where a.tenant_id = ${ctx.tenantId} and a.credential_id = c.id and a.last_outcome = 'accepted')
    as "worksOn",
  (select count(*)::integer from credential_addresses a
    where a.tenant_id = ${ctx.tenantId} and a.credential_id = c.id and a.last_outcome = 'refused')
    as "refusedOn",
  c.last_used_at as "lastUsedAt", c.last_accepted_at as "lastAcceptedAt", c.created_at as "createdAt",
  c.updated_at as "updatedAt"`

const isMine = (ctx: Ctx, id: string) => sql`c.tenant_id = ${ctx.tenantId} and c.id = ${id}`

export interface Wanted extends Sealed {
  readonly id: string
  readonly name: string
  readonly kind: CredentialKind
  readonly settings: Values & { readonly port?: number }
  readonly account: string | null
  readonly asksOnUnknownHost: boolean
}

/** False when the tenant has one of this name. */
export async function add(ctx: Ctx, it: Wanted): Promise<boolean> {
  const written = await ctx.db.run(sql`
    insert into credentials
      (id, tenant_id, name, kind, settings, secret_sealed, secret_version, key_version, account,
      ask_on_unknown_host)
    values (${it.id}, ${ctx.tenantId}, ${it.name}, ${it.kind}, ${JSON.stringify(it.settings)}::jsonb,
      ${it.secretSealed}, ${it.secretVersion}, ${it.keyVersion}, ${it.account},
      ${it.asksOnUnknownHost})
    on conflict (tenant_id, lower(name)) do nothing`)
  return written === 1
}

export async function isNameTaken(ctx: Ctx, name: string, exceptId: string): Promise<boolean> {
  const { found } = await ctx.db.one(sql<{ found: boolean }>`
    select exists (select from credentials
      where tenant_id = ${ctx.tenantId} and lower(name) = lower(${name}) and id <> ${exceptId}) as found`)
  return found
}

/** What is said of it; a new secret starts with a clean record. */
export async function change(
  ctx: Ctx,
  id: string,
  { name, settings, account, asksOnUnknownHost }: Omit<Wanted, 'id' | 'kind' | keyof Sealed>,
): Promise<void> {
  await ctx.db.run(sql`
    update credentials set name = ${name}, settings = ${JSON.stringify(settings)}::jsonb, account = ${account},
      ask_on_unknown_host = ${asksOnUnknownHost},
      updated_at = clock_timestamp()
    where tenant_id = ${ctx.tenantId} and id = ${id}`)
}

export async function replaceSecret(ctx: Ctx, id: string, it: Sealed): Promise<void> {
  await ctx.db.run(sql`
    update credentials set secret_sealed = ${it.secretSealed}, secret_version = ${it.secretVersion},
      key_version = ${it.keyVersion}
    where tenant_id = ${ctx.tenantId} and id = ${id}`)
}

export async function bind(ctx: Ctx, id: string, { cidrs, targetIds }: Bindings): Promise<void> {
  await ctx.db.run(sql`
    delete from credential_bindings where tenant_id = ${ctx.tenantId} and credential_id = ${id}`)
  await ctx.db.run(sql`
    insert into credential_bindings (tenant_id, credential_id, cidr, target_id)
    select ${ctx.tenantId}::uuid, ${id}::uuid, it::cidr, null::uuid from unnest(${cidrs}::text[]) it
    union all select ${ctx.tenantId}::uuid, ${id}::uuid, null, it::uuid from unnest(${targetIds}::text[]) it`)
}

/** Those of the ids that the tenant has, locked against deletion until the transaction ends. */
export async function targets(ctx: Ctx, ids: readonly string[]): Promise<string[]> {
  const rows = await ctx.db.all(sql<{ id: string }>`
    select id from scan_targets where tenant_id = ${ctx.tenantId} and id = any(${ids}::uuid[]) for key share`)
  return rows.map((it) => it.id)
}

export async function credentials(ctx: Ctx, { limit, offset }: Page): Promise<Listed<CredentialInfo>> {
  const items = await ctx.db.all(sql<CredentialInfo>`
    select ${columns(ctx)} from credentials c where c.tenant_id = ${ctx.tenantId}
    order by lower(c.name), c.id limit ${limit} offset ${offset}`)
  const { total } = await ctx.db.one(sql<{ total: number }>`
    select count(*) as total from credentials where tenant_id = ${ctx.tenantId}`)
  return { items, total }
}

export function credential(ctx: Ctx, id: string): Promise<CredentialInfo | undefined> {
  return ctx.db.maybe(sql<CredentialInfo>`select ${columns(ctx)} from credentials c where ${isMine(ctx, id)}`)
}

/** Held until the transaction ends. */
export function lock(ctx: Ctx, id: string): Promise<{ secretVersion: number } | undefined> {
  return ctx.db.maybe(sql<{ secretVersion: number }>`
    select secret_version as "secretVersion" from credentials c where ${isMine(ctx, id)} for update`)
}

export async function remove(ctx: Ctx, id: string): Promise<void> {
  await ctx.db.run(sql`delete from credentials where tenant_id = ${ctx.tenantId} and id = ${id}`)
}

/** As if it had never been refused; the others of the account too, for it is the account that was set aside. */
export async function clearRecord(ctx: Ctx, id: string, isNewSecret: boolean): Promise<void> {
  await ctx.db.run(sql`
    update credentials c set refused_by = '{}', trips = 0, open_until = null, open_reason = null, trial_by = null, trial_until = null,
      is_proven = c.is_proven and not (${isNewSecret}::boolean and c.id = ${id})
    where c.tenant_id = ${ctx.tenantId} and (c.id = ${id} or c.account =
      (select account from credentials where tenant_id = ${ctx.tenantId} and id = ${id}))`)
  await ctx.db.run(sql`
    update credential_addresses set refused_in_row = 0, trips = 0, open_until = null
    where tenant_id = ${ctx.tenantId} and credential_id = ${id}`)
}

/** For whoever knows the id alone, whatever tenant it is of. */
export const tenantOf = (system: Ctx, id: string): Promise<string | undefined> =>
  tenantOfRow(system, id, [
    ['credentials', 'id'],
    ['host_keys', 'id'],
  ])

/** Names, in order. */
export async function boundToTarget(ctx: Ctx, targetId: string): Promise<string[]> {
  const rows = await ctx.db.all(sql<{ name: string }>`
    select distinct c.name from credential_bindings b
    join credentials c on c.tenant_id = ${ctx.tenantId} and c.id = b.credential_id
    where b.tenant_id = ${ctx.tenantId} and b.target_id = ${targetId} order by c.name`)
  return rows.map(({ name }) => name)
}
