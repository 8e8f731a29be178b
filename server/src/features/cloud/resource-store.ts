import { isIP } from 'node:net'
import { sql, type RawBuilder } from 'kysely'
import type { Json } from '#features/assets/observation.ts'
import { readPage } from '#platform/conditions/lists/total-of-page.ts'
import type { Ctx } from '#platform/context.ts'
import { addressPolicy } from '#platform/egress/address-policy.ts'
import type { Listed, Page } from '#platform/http/paging.ts'
import type { CloudProvider, CloudResource, ResourceType } from './cloud-resource.ts'

/** One row as it is written. */
export interface ResourceRow {
  readonly id: string
  readonly scopeId: string
  readonly account: string
  readonly region: string
  readonly type: ResourceType
  readonly nativeId: string
  /** Empty for what is no machine. */
  readonly machineId: string
  readonly name: string
  readonly status: string
  readonly tags: readonly string[]
  readonly facts: Readonly<Record<string, Json>>
  readonly run: number
}

interface Seen {
  readonly connectionId: string
  readonly provider: CloudProvider
  readonly at: Date
}

/** A resource that its connection has not seen for so long belongs to the next one that sees it. */
const HELD_FOR = sql`interval '3 hours'`

/**
 * Writes what was seen, each resource once. One that was gone is back under its old id. Of connections that see the same
 * resource, the first holds the row until it no longer sees it. Within a scope the run never falls: a worker that lost its
 * job may still be writing.
 */
export async function put(
  ctx: Ctx,
  { connectionId, provider, at }: Seen,
  rows: readonly ResourceRow[],
): Promise<void> {
  await ctx.db.run(sql`
    insert into cloud_resources as r (tenant_id, id, connection_id, scope_id, provider, account, region, type, native_id,
      machine_id, name, status, tags, facts, run, first_seen, last_seen)
    select ${ctx.tenantId}, id, ${connectionId}::uuid, "scopeId", ${provider}, account, region, type, "nativeId",
      "machineId", name, status, tags, facts, run, ${at}::timestamptz, ${at}::timestamptz
    from json_to_recordset(${JSON.stringify(rows)}::json) as s(id uuid, "scopeId" uuid, account text, region text,
      type text, "nativeId" text, "machineId" text, name text, status text, tags text[], facts jsonb, run bigint)
    on conflict (tenant_id, native_id, machine_id) do update
      set connection_id = excluded.connection_id, scope_id = excluded.scope_id, provider = excluded.provider,
        account = excluded.account, region = excluded.region, type = excluded.type, name = excluded.name,
        status = excluded.status, tags = excluded.tags, facts = excluded.facts,
        run = case when r.scope_id = excluded.scope_id then greatest(r.run, excluded.run) else excluded.run end,
        last_seen = greatest(r.last_seen, excluded.last_seen), gone_at = null, gone_reason = ''
      where r.connection_id = excluded.connection_id or r.gone_at is not null
        or r.last_seen < ${at}::timestamptz - ${HELD_FOR}`)
}

/**
 * Gives what a connection holds to others that read the same scopes to their end. Those of which the next run sees nothing
 * are gone then.
 */
export async function handOver(ctx: Ctx, connectionId: string): Promise<void> {
  await ctx.db.run(sql`
    update cloud_resources r set connection_id = theirs.connection_id, scope_id = theirs.id, run = theirs.run
    from cloud_scopes mine
    join cloud_scopes theirs on theirs.tenant_id = ${ctx.tenantId} and theirs.account = mine.account
      and theirs.region = mine.region and theirs.type = mine.type and theirs.connection_id <> mine.connection_id
      and theirs.retired_at is null and theirs.status = 'complete'
    join cloud_connections c on c.tenant_id = ${ctx.tenantId} and c.id = theirs.connection_id and c.is_enabled
    where mine.tenant_id = ${ctx.tenantId} and mine.connection_id = ${connectionId}
      and r.tenant_id = ${ctx.tenantId} and r.scope_id = mine.id and r.provider = c.provider and r.gone_at is null`)
}

/** A resource that is gone, as its last observation needs it. */
export interface GoneResource extends Pick<
  CloudResource,
  'account' | 'region' | 'type' | 'nativeId' | 'name' | 'facts' | 'lastSeen'
> {
  readonly machineId: string
}

export interface Going {
  readonly scopeId: string
  /** Those that a run before this one saw last; absent: all of the scope. */
  readonly before?: number
  readonly reason: string
  readonly limit: number
}

/** Marks resources of a scope as gone, some at a time. */
export function markGone(ctx: Ctx, { scopeId, before, reason, limit }: Going): Promise<GoneResource[]> {
  return ctx.db.all(sql<GoneResource>`
    update cloud_resources r set gone_at = ${ctx.now()}, gone_reason = ${reason}
    where r.tenant_id = ${ctx.tenantId} and r.id in (
      select id from cloud_resources where tenant_id = ${ctx.tenantId} and scope_id = ${scopeId} and gone_at is null
        and run < ${before ?? Number.MAX_SAFE_INTEGER}
      order by id limit ${limit})
    returning r.account, r.region, r.type, r.native_id as "nativeId", r.machine_id as "machineId", r.name, r.facts,
      r.last_seen as "lastSeen"`)
}

/** Months that a list shows. */
const COSTS_SHOWN = 4

const HTTPS = 443
/** With no exceptions. */
const PUBLIC = addressPolicy([])

/** Whether it means the same machine wherever it is said: a name, or an address that is not of one network alone. */
function isOneEverywhere(host: string): boolean {
  const literal = host.replace(/^\[|\]$/g, '')
  return isIP(literal) === 0 || PUBLIC.decide(literal, HTTPS).allowed
}

/**
 * The id of the cluster whose API server a cloud says to be at this host, in lower case. None where several are, and none
 * at a private address, which other networks have too.
 */
export async function clusterAt(ctx: Ctx, host: string): Promise<string | undefined> {
  if (!isOneEverywhere(host)) return undefined
  const found = await ctx.db.all(sql<{ nativeId: string }>`
    select native_id as "nativeId" from cloud_resources
    where tenant_id = ${ctx.tenantId} and type = 'kubernetes' and provider <> 'Kubernetes' and gone_at is null
      and lower(regexp_replace(facts ->> 'host', '^https?://|:[0-9]+$', '', 'g')) = ${host}
    limit 2`)
  return found.length === 1 ? found[0]?.nativeId : undefined
}

export interface ResourceFilter {
  readonly provider?: string | undefined
  readonly type?: string | undefined
  /** Those of clouds alone. */
  readonly isOfCloud?: true
  readonly region?: string | undefined
  readonly connectionId?: string | undefined
  /** Anywhere in name or the provider's id, whatever its case. */
  readonly search?: string | undefined
}

export type ListedResource = Pick<CloudResource, 'id' | 'provider' | 'name' | 'type' | 'region' | 'status'>

/** By provider, name and id. */
export function listed(ctx: Ctx, page: Page, filter: ResourceFilter): Promise<Listed<ListedResource>> {
  return readPage(ctx, page, {
    items: sql`
      select id, provider, name, type, region, status from cloud_resources r where ${matching(ctx, filter)}
      order by provider, name, id limit ${page.limit} offset ${page.offset}`,
    total: sql`select count(*) as total from cloud_resources r where ${matching(ctx, filter)}`,
  })
}

/** With everything that is known, and the asset of each. */
export function detailed(ctx: Ctx, ids: readonly string[]): Promise<CloudResource[]> {
  return ctx.db.all(sql<CloudResource>`
    select r.id, r.provider, r.name, r.type, r.region, r.status, r.account, r.native_id as "nativeId",
      r.connection_id as "connectionId", c.name as "connectionName", r.tags, r.facts, r.first_seen as "firstSeen",
      r.last_seen as "lastSeen", o.asset_id as "assetId",
      coalesce((select json_agg(json_build_object('month', to_char(k.month, 'YYYY-MM'), 'amount', k.amount::text,
          'currency', k.currency) order by k.month desc, k.currency)
        from (select month, amount, currency from cloud_costs
          where tenant_id = ${ctx.tenantId} and resource_id = r.id order by month desc, currency limit ${COSTS_SHOWN}) k),
        '[]') as costs
    from cloud_resources r
    join cloud_connections c on c.tenant_id = ${ctx.tenantId} and c.id = r.connection_id
    left join sources s on s.tenant_id = ${ctx.tenantId} and s.kind = 'cloud' and s.key = r.connection_id::text
    left join asset_observations o on o.tenant_id = ${ctx.tenantId} and o.source_id = s.id
      and o.source_key = coalesce(nullif(r.machine_id, ''), r.native_id)
    where r.tenant_id = ${ctx.tenantId} and r.id = any(${[...ids]}::uuid[])`)
}

const matching = (ctx: Ctx, filter: ResourceFilter): RawBuilder<unknown> =>
  sql.join(
    [sql`r.tenant_id = ${ctx.tenantId} and r.gone_at is null`, ...narrowing(filter, sql.raw('r'))],
    sql` and `,
  )

/** What a filter means of rows with this alias. */
function narrowing(filter: ResourceFilter, r: RawBuilder<unknown>): RawBuilder<unknown>[] {
  const { search } = filter
  const pattern = search ? `%${search.replace(/[\\%_]/g, String.raw`\$&`)}%` : undefined
  return [
    ...(filter.provider ? [sql`${r}.provider = ${filter.provider}`] : []),
    ...(filter.isOfCloud ? [sql`${r}.provider <> 'Kubernetes'`] : []),
    ...(filter.type ? [sql`${r}.type = ${filter.type}`] : []),
    ...(filter.region ? [sql`${r}.region = ${filter.region}`] : []),
    ...(filter.connectionId ? [sql`${r}.connection_id = ${filter.connectionId}`] : []),
    ...(pattern ? [sql`(${r}.name ilike ${pattern} or ${r}.native_id ilike ${pattern})`] : []),
  ]
}

/** The same of subjects of conditions. */
export const narrowed = (filter: ResourceFilter): RawBuilder<unknown>[] => narrowing(filter, sql.raw('cres'))
