import { sql } from 'kysely'
import type { JWK } from 'jose'
import type { Ctx } from '#platform/context.ts'

/** What the check of a request needs. */
export interface CollectorKey {
  readonly tenantId: string
  readonly collectorId: string
  readonly keyId: Buffer
  readonly publicKey: Buffer
  readonly counter: number
  readonly isRevoked: boolean
}

export async function addEnrolment(
  ctx: Ctx,
  row: { readonly collectorId: string; readonly enrolmentHash: Buffer; readonly endsAt: Date },
): Promise<void> {
  await ctx.db.run(sql`
    insert into collector_keys (tenant_id, collector_id, enrolment_hash, enrolment_ends_at)
    values (${ctx.tenantId}, ${row.collectorId}, ${row.enrolmentHash}, ${row.endsAt})`)
}

/** In any tenant: the request tells nothing but the key. */
export const keyOf = (system: Ctx, keyId: Buffer): Promise<CollectorKey | undefined> =>
  system.db.maybe(sql<CollectorKey>`
    select tenant_id as "tenantId", collector_id as "collectorId", key_id as "keyId", public_key as "publicKey", counter,
      revoked_at is not null as "isRevoked"
    from collector_keys where key_id = ${keyId}`)

/** In any tenant, as `keyOf`: who may still enrol with a secret of this digest. */
export const enrolmentOf = (
  system: Ctx,
  enrolmentHash: Buffer,
): Promise<{ readonly tenantId: string; readonly collectorId: string } | undefined> =>
  system.db.maybe(sql<{ tenantId: string; collectorId: string }>`
    select tenant_id as "tenantId", collector_id as "collectorId" from collector_keys
    where enrolment_hash = ${enrolmentHash} and enrolment_ends_at > ${system.now()} and revoked_at is null`)

/** False when the secret was used in between, or the key belongs to another collector. */
export async function enrol(
  ctx: Ctx,
  { collectorId, ...key }: Omit<CollectorKey, 'tenantId' | 'isRevoked'> & { readonly exchangeKey: JWK },
): Promise<boolean> {
  const changed = await ctx.db.run(sql`
    update collector_keys k set enrolment_hash = null, key_id = ${key.keyId}, public_key = ${key.publicKey},
      exchange_key = ${JSON.stringify(key.exchangeKey)}::jsonb, counter = ${key.counter}
    where tenant_id = ${ctx.tenantId} and collector_id = ${collectorId} and enrolment_hash is not null`)
  return changed === 1
}

/** False when a request with this counter or a greater one was taken before. */
export async function takeCounter(ctx: Ctx, keyId: Buffer, counter: number): Promise<boolean> {
  const taken = await ctx.db.run(sql`
    update collector_keys set counter = ${counter}
    where tenant_id = ${ctx.tenantId} and key_id = ${keyId} and counter < ${counter}`)
  return taken === 1
}

export async function exchangeKeyOf(ctx: Ctx, collectorId: string): Promise<JWK | undefined> {
  const found = await ctx.db.maybe(sql<{ key: JWK | null }>`
    select exchange_key as key from collector_keys
    where tenant_id = ${ctx.tenantId} and collector_id = ${collectorId}`)
  return found?.key ?? undefined
}

export async function revoke(ctx: Ctx, collectorId: string): Promise<void> {
  await ctx.db.run(sql`
    update collector_keys set revoked_at = ${ctx.now()}, enrolment_hash = null
    where tenant_id = ${ctx.tenantId} and collector_id = ${collectorId} and revoked_at is null`)
}
