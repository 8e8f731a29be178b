import { sql } from 'kysely'
import type { JWK } from 'jose'
import type { Ctx } from '#platform/context.ts'

export interface Opener {
  readonly collectorId: string
  readonly name: string
  readonly isRevoked: boolean
}

/** Collectors of the tenant, by name. */
export const openers = (ctx: Ctx, collectorIds: readonly string[]): Promise<Opener[]> =>
  ctx.db.all(sql<Opener>`
    select id as "collectorId", name, revoked_at is not null as "isRevoked" from collectors
    where tenant_id = ${ctx.tenantId} and id = any(${[...collectorIds]}::uuid[]) order by name`)

/** What secrets are encrypted to, of those that have enrolled. */
export async function exchangeKeys(
  ctx: Ctx,
  collectorIds: readonly string[],
): Promise<ReadonlyMap<string, JWK>> {
  const rows = await ctx.db.all(sql<{ collectorId: string; key: JWK }>`
    select collector_id as "collectorId", exchange_key as key from collector_keys
    where tenant_id = ${ctx.tenantId} and collector_id = any(${[...collectorIds]}::uuid[])
      and exchange_key is not null`)
  return new Map(rows.map(({ collectorId, key }) => [collectorId, key]))
}

export interface EncryptedCopy {
  readonly collectorId: string
  readonly encrypted: string
}

/** By name. Locks what could make it another answer before the transaction ends. */
export async function openedOnlyBy(ctx: Ctx, collectorId: string): Promise<string[]> {
  await ctx.db.run(sql`
    select from credentials c where c.tenant_id = ${ctx.tenantId} and c.id = any(
      select credential_id from credential_collector_secrets
      where tenant_id = ${ctx.tenantId} and collector_id = ${collectorId})
    order by c.id for update`)
  await ctx.db.run(sql`
    select from collectors where tenant_id = ${ctx.tenantId} and id = ${collectorId} for update`)
  const rows = await ctx.db.all(sql<{ name: string }>`
    select c.name from credentials c
    where c.tenant_id = ${ctx.tenantId} and c.secret_sealed is null
      and exists (select from credential_collector_secrets s
        where s.tenant_id = ${ctx.tenantId} and s.credential_id = c.id and s.collector_id = ${collectorId})
      and not exists (select from credential_collector_secrets s
        where s.tenant_id = ${ctx.tenantId} and s.credential_id = c.id and s.collector_id <> ${collectorId})
    order by c.name`)
  return rows.map(({ name }) => name)
}

/** In place of all that were there. */
export async function replaceCopies(
  ctx: Ctx,
  credentialId: string,
  copies: readonly EncryptedCopy[],
): Promise<void> {
  await keepCopies(ctx, credentialId, [])
  await ctx.db.run(sql`
    insert into credential_collector_secrets (tenant_id, credential_id, collector_id, encrypted)
    select ${ctx.tenantId}, ${credentialId}, c.collector_id, c.encrypted
    from unnest(${copies.map((it) => it.collectorId)}::uuid[], ${copies.map((it) => it.encrypted)}::text[])
      as c (collector_id, encrypted)`)
}

/** Those of these collectors stay. */
export async function keepCopies(
  ctx: Ctx,
  credentialId: string,
  collectorIds: readonly string[],
): Promise<void> {
  await ctx.db.run(sql`
    delete from credential_collector_secrets
    where tenant_id = ${ctx.tenantId} and credential_id = ${credentialId}
      and collector_id <> all(${[...collectorIds]}::uuid[])`)
}
