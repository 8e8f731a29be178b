import { sql } from 'kysely'
import { readPage } from '#platform/conditions/lists/total-of-page.ts'
import type { Ctx } from '#platform/context.ts'
import type { Query } from '#platform/database/database.ts'
import type { ConfinedHolder } from '#platform/http/authentication.ts'
import type { Listed, Page } from '#platform/http/paging.ts'
import type { KeyFields, PartnerKey } from './partner-key.ts'

const LAST_USE_EVERY = '5 minutes'

/** Expiry and revocation are judged by the database's clock, so that all nodes agree. */
export const holderOf = (keyHash: Buffer): Query<ConfinedHolder> => sql`
  select k.id, k.tenant_id, k.prefix, k.scopes, k.partner_id as owner_id, p.rate_limit as owner_limit,
    k.last_used_at is null or k.last_used_at < now() - ${LAST_USE_EVERY}::interval as is_use_due
  from partner_keys k join partners p on p.tenant_id = k.tenant_id and p.id = k.partner_id
  where k.key_hash = ${keyHash} and k.revoked_at is null and (k.expires_at is null or k.expires_at > now())
    and p.api_enabled and p.deleted_at is null`

/** Part of the statement that finds the `holder`. */
export const countRequest: Query<unknown> = sql`
  insert into partner_requests as r (tenant_id, partner_id, day, n)
  select tenant_id, owner_id, (now() at time zone 'UTC')::date, 1 from holder
  on conflict (tenant_id, partner_id, day) do update set n = r.n + 1`

/** Repeats the condition of `is_use_due`: of many requests at once, one writes. */
export async function touch(system: Ctx, id: string): Promise<void> {
  await system.db.run(sql`
    update partner_keys set last_used_at = clock_timestamp()
    where id = ${id} and (last_used_at is null or last_used_at < now() - ${LAST_USE_EVERY}::interval)`)
}

const columns = sql`id, name, prefix, scopes, created_at as "createdAt", expires_at as "expiresAt",
  last_used_at as "lastUsedAt"`

const living = (ctx: Ctx, partnerId: string) =>
  sql`tenant_id = ${ctx.tenantId} and partner_id = ${partnerId} and revoked_at is null`

export interface KeyToStore extends KeyFields {
  readonly partnerId: string
  readonly keyHash: Buffer
  readonly prefix: string
  /** The partner key that issues it, which it does not outlive; null: an API key or a person does. */
  readonly issuedBy: string | null
}

export function add(ctx: Ctx, key: KeyToStore): Promise<PartnerKey> {
  return ctx.db.one(sql<PartnerKey>`
    insert into partner_keys (tenant_id, partner_id, name, prefix, key_hash, scopes, expires_at)
    values (${ctx.tenantId}, ${key.partnerId}, ${key.name}, ${key.prefix}, ${key.keyHash},
      ${[...key.scopes]}::text[], least(clock_timestamp() + make_interval(days => ${key.days}::int),
        (select expires_at from partner_keys where tenant_id = ${ctx.tenantId} and id = ${key.issuedBy}::uuid)))
    returning ${columns}`)
}

/** Newest first, without revoked ones. */
export function keys(ctx: Ctx, partnerId: string, page: Page): Promise<Listed<PartnerKey>> {
  return readPage(ctx, page, {
    items: sql`
      select ${columns} from partner_keys where ${living(ctx, partnerId)}
      order by created_at desc, id limit ${page.limit} offset ${page.offset}`,
    total: sql`select count(*) as total from partner_keys where ${living(ctx, partnerId)}`,
  })
}

/** Undefined when there is none to revoke. */
export function revoke(ctx: Ctx, partnerId: string, id: string): Promise<PartnerKey | undefined> {
  return ctx.db.maybe(sql<PartnerKey>`
    update partner_keys set revoked_at = clock_timestamp() where ${living(ctx, partnerId)} and id = ${id}
    returning ${columns}`)
}

export interface KeyOfPartner {
  readonly prefix: string
  readonly partnerId: string
  readonly partnerName: string
}

export function ofPartner(ctx: Ctx, keyId: string): Promise<KeyOfPartner | undefined> {
  return ctx.db.maybe(sql<KeyOfPartner>`
    select k.prefix, k.partner_id as "partnerId", p.name as "partnerName"
    from partner_keys k join partners p on p.tenant_id = ${ctx.tenantId} and p.id = k.partner_id
    where k.tenant_id = ${ctx.tenantId} and k.id = ${keyId}`)
}
