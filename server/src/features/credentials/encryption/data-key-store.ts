import { sql } from 'kysely'
import type { Ctx } from '#platform/context.ts'

export interface WrappedKey {
  readonly version: number
  readonly wrapped: Buffer
}

/** The one that new secrets are encrypted under; it stays until the transaction ends. */
export function newest(ctx: Ctx): Promise<WrappedKey | undefined> {
  return ctx.db.maybe(sql<WrappedKey>`
    select version, wrapped from credential_keys where tenant_id = ${ctx.tenantId}
    order by version desc limit 1 for key share`)
}

/** False when another was quicker with this version. */
export async function add(ctx: Ctx, { version, wrapped }: WrappedKey): Promise<boolean> {
  const written = await ctx.db.run(sql`
    insert into credential_keys (tenant_id, version, wrapped) values (${ctx.tenantId}, ${version}, ${wrapped})
    on conflict (tenant_id, version) do nothing`)
  return written === 1
}

export interface NewlyEncrypted {
  readonly secretSealed: Buffer
  readonly secretVersion: number
  readonly keyVersion: number
}

export interface Encrypted extends NewlyEncrypted {
  readonly id: string
  readonly wrapped: Buffer
}

/** Some of those that are not encrypted under the newest key, locked. */
export function behind(ctx: Ctx, version: number, limit: number): Promise<Encrypted[]> {
  return ctx.db.all(sql<Encrypted>`
    select c.id, c.secret_sealed as "secretSealed", c.secret_version as "secretVersion", k.wrapped,
      c.key_version as "keyVersion"
    from credentials c join credential_keys k on k.tenant_id = ${ctx.tenantId} and k.version = c.key_version
    where c.tenant_id = ${ctx.tenantId} and c.key_version < ${version}
    order by c.id limit ${limit} for update of c`)
}

export async function isBehind(ctx: Ctx, version: number): Promise<boolean> {
  const { found } = await ctx.db.one(sql<{ found: boolean }>`
    select exists (select from credentials where tenant_id = ${ctx.tenantId} and key_version < ${version}) as found`)
  return found
}

export async function reencrypt(ctx: Ctx, id: string, sealed: Buffer, keyVersion: number): Promise<void> {
  await ctx.db.run(sql`
    update credentials set secret_sealed = ${sealed}, key_version = ${keyVersion}
    where tenant_id = ${ctx.tenantId} and id = ${id}`)
}

/** Those that nothing is encrypted under and nobody is about to use. */
export function removeUnused(ctx: Ctx, version: number): Promise<number> {
  return ctx.db.run(sql`
    with unused as (
      select k.version from credential_keys k
      where k.tenant_id = ${ctx.tenantId} and k.version < ${version} and not exists (
        select from credentials c where c.tenant_id = ${ctx.tenantId} and c.key_version = k.version)
      for update skip locked
    )
    delete from credential_keys k using unused u where k.tenant_id = ${ctx.tenantId} and k.version = u.version`)
}

export async function tenantsWithKeys(system: Ctx): Promise<string[]> {
  const rows = await system.db.all(sql<{ tenant_id: string }>`
    select distinct tenant_id from credential_keys order by 1`)
  return rows.map((it) => it.tenant_id)
}
