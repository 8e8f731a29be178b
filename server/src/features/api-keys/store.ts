import { sql } from 'kysely'
import type { Holder } from '#platform/http/authentication.ts'
import type { Ctx } from '#platform/context.ts'
import type { Query } from '#platform/database/database.ts'
import type { ApiKey, Expiry } from './api-key.ts'

const LAST_USE_EVERY = '5 minutes'

/** Expiry and revocation are judged by the database's clock, so that all nodes agree. */
export const holderOf = (keyHash: Query<Buffer>): Query<Holder> => sql`
  select id, tenant_id, prefix, scopes, limited_to,
    last_used_at is null or last_used_at < now() - ${LAST_USE_EVERY}::interval as is_use_due
  from api_keys
  where key_hash = ${keyHash} and revoked_at is null and (expires_at is null or expires_at > now())`

/** Repeats the condition of `is_use_due`, so that of concurrent requests only one writes. */
export async function touch(system: Ctx, id: string): Promise<void> {
  await system.db.run(sql`
    update api_keys set last_used_at = clock_timestamp()
    where id = ${id} and (last_used_at is null or last_used_at < now() - ${LAST_USE_EVERY}::interval)`)
}

const columns = sql`id, name, prefix, scopes, limited_to as "where", created_at as "createdAt",
  created_by as "createdBy", expires_at as "expiresAt",
  coalesce(expires_at <= now(), false) as "isExpired", revoked_at as "revokedAt", last_used_at as "lastUsedAt"`

export function add(
  ctx: Ctx,
  key: Pick<ApiKey, 'name' | 'prefix' | 'scopes' | 'where' | 'createdBy'> & {
    readonly keyHash: Buffer
    readonly expiry: Expiry
  },
): Promise<ApiKey> {
  const days = 'days' in key.expiry ? key.expiry.days : null
  const at = 'at' in key.expiry ? key.expiry.at : null
  return ctx.db.one(sql<ApiKey>`
    insert into api_keys (tenant_id, name, prefix, key_hash, scopes, limited_to, created_by, expires_at)
    values (${ctx.tenantId}, ${key.name}, ${key.prefix}, ${key.keyHash}, ${[...key.scopes]}::text[],
      ${key.where}, ${key.createdBy}::uuid,
      coalesce(clock_timestamp() + make_interval(days => ${days}::int), ${at}::timestamptz))
    returning ${columns}`)
}

export function keys(ctx: Ctx): Promise<ApiKey[]> {
  return ctx.db.all(sql<ApiKey>`
    select ${columns} from api_keys where tenant_id = ${ctx.tenantId} order by created_at desc, id`)
}

export function key(ctx: Ctx, id: string): Promise<ApiKey | undefined> {
  return ctx.db.maybe(sql<ApiKey>`
    select ${columns} from api_keys where tenant_id = ${ctx.tenantId} and id = ${id}`)
}

/** For commands that are given only the id: looks in all tenants. */
export async function tenantOf(system: Ctx, id: string): Promise<string | undefined> {
  const found = await system.db.maybe(
    sql<{ tenant_id: string }>`select tenant_id from api_keys where id = ${id}`,
  )
  return found?.tenant_id
}

/** Undefined when the key was revoked already, or does not exist. */
export function revoke(ctx: Ctx, id: string): Promise<ApiKey | undefined> {
  return ctx.db.maybe(sql<ApiKey>`
    update api_keys set revoked_at = clock_timestamp()
    where tenant_id = ${ctx.tenantId} and id = ${id} and revoked_at is null
    returning ${columns}`)
}
