import { sql } from 'kysely'
import type { Ctx } from '#platform/context.ts'
import type { Listed, Page } from '#platform/http/paging.ts'
import type { KnownHost, StoredKnownHost } from './known-hosts-file.ts'

const columns = sql`id, hosts, algorithm, fingerprint, is_revoked as "isRevoked", created_at as "createdAt"`

/** Answers how many are new; the same line again changes only whether it is revoked. */
export async function add(
  ctx: Ctx,
  entries: readonly (KnownHost & { readonly id: string })[],
): Promise<number> {
  const rows = await ctx.db.all(sql<{ isNew: boolean }>`
    insert into known_hosts (tenant_id, id, hosts, algorithm, fingerprint, is_revoked)
    select distinct on (it->>'hosts', it->>'algorithm', it->>'fingerprint') ${ctx.tenantId}::uuid, (it->>'id')::uuid,
      it->>'hosts', it->>'algorithm', it->>'fingerprint', (it->>'isRevoked')::boolean
    from jsonb_array_elements(${JSON.stringify(entries)}::jsonb) it
    order by it->>'hosts', it->>'algorithm', it->>'fingerprint', (it->>'isRevoked')::boolean desc
    on conflict (tenant_id, hosts, algorithm, fingerprint) do update set is_revoked = excluded.is_revoked
    returning xmax = 0 as "isNew"`)
  return rows.filter((it) => it.isNew).length
}

export async function count(ctx: Ctx): Promise<number> {
  const { total } = await ctx.db.one(sql<{ total: number }>`
    select count(*) as total from known_hosts where tenant_id = ${ctx.tenantId}`)
  return total
}

export function all(ctx: Ctx): Promise<KnownHost[]> {
  return ctx.db.all(sql<KnownHost>`
    select ${columns} from known_hosts where tenant_id = ${ctx.tenantId} order by created_at, id`)
}

export async function page(ctx: Ctx, { limit, offset }: Page): Promise<Listed<StoredKnownHost>> {
  const items = await ctx.db.all(sql<StoredKnownHost>`
    select ${columns} from known_hosts where tenant_id = ${ctx.tenantId}
    order by created_at desc, id limit ${limit} offset ${offset}`)
  return { items, total: await count(ctx) }
}

/** The line that was removed; undefined when there was none. */
export function remove(ctx: Ctx, id: string): Promise<KnownHost | undefined> {
  return ctx.db.maybe(sql<KnownHost>`
    delete from known_hosts where tenant_id = ${ctx.tenantId} and id = ${id} returning ${columns}`)
}
