import { sql } from 'kysely'
import type { Json } from '#features/assets/observation.ts'
import type { Ctx } from '#platform/context.ts'
import type { LinkKind, TopologyLink } from './relation.ts'

/** Links that are derived from observations. */

export interface LinkingObservation {
  readonly id: string
  readonly assetId: string
  readonly lastSeen: string
  readonly facts: Readonly<Record<string, Json>>
}

const LINKING_KINDS = ['snmp', 'ssh', 'vmware', 'hypervisor']

/** Observations whose facts report links, in the order of ids, behind `after`. */
export function linkingObservations(ctx: Ctx, after: string, limit: number): Promise<LinkingObservation[]> {
  return ctx.db.all(sql<LinkingObservation>`
    select o.id, o.asset_id as "assetId", o.last_seen as "lastSeen", jsonb_build_object(
      'neighbours', o.payload->'facts'->'neighbours', 'stations', o.payload->'facts'->'stations',
      'nearby', o.payload->'facts'->'nearby', 'host', o.payload->'facts'->'host',
      'interfaces', jsonb_path_query_array(o.payload, 'lax $.facts.interfaces[*] ? (@.bitsPerSecond > 0)')) as facts
    from asset_observations o
    where o.tenant_id = ${ctx.tenantId} and o.id > ${after} and o.source_kind = any(${LINKING_KINDS}::text[])
      and o.payload->'facts' ?| array['neighbours', 'stations', 'nearby', 'host']
    order by o.id limit ${limit}`)
}

export interface Holder {
  readonly type: string
  readonly value: string
  readonly assetId: string
}

/** Which assets have these identifiers now. */
export function holdersOf(ctx: Ctx, values: readonly string[]): Promise<Holder[]> {
  return ctx.db.all(sql<Holder>`
    select distinct i.type, i.value, o.asset_id as "assetId"
    from asset_identifiers i
    join asset_observations o on o.tenant_id = ${ctx.tenantId} and o.id = i.observation_id
    where i.tenant_id = ${ctx.tenantId} and i.value = any(${[...values]}::text[])
      and i.type in ('mac', 'chassis_id', 'hostname', 'ip') and i.last_seen is null`)
}

/** Hypervisors by their names in lower case: platforms name hosts as people called them. */
export function hypervisorsNamed(ctx: Ctx, names: readonly string[]): Promise<Holder[]> {
  return ctx.db.all(sql<Holder>`
    select 'name' as type, lower(a.name) as value, a.id as "assetId" from assets a
    where a.tenant_id = ${ctx.tenantId} and a.asset_type = 'hypervisor' and lower(a.name) = any(${[...names]}::text[])`)
}

export interface NewLink {
  readonly aAsset: string
  readonly aPort: string
  readonly kind: LinkKind
  readonly bText: string
  readonly bAsset: string | null
  readonly bPort: string
  readonly vlan: number | null
  readonly bitsPerSecond: number | null
  readonly observationId: string
  readonly seenAt: string
}

/** No two of the same ends, port and kind. */
export async function writeLinks(ctx: Ctx, links: readonly NewLink[], derivedAt: Date): Promise<void> {
  if (links.length === 0) return
  await ctx.db.run(sql`
    insert into topology_links as l (tenant_id, a_asset, a_port, kind, b_text, b_asset, b_port, vlan, bits_per_second,
      observation_id, first_seen, last_seen, derived_at)
    select ${ctx.tenantId}, "aAsset", "aPort", kind, "bText", "bAsset", "bPort", vlan, "bitsPerSecond", "observationId",
      "seenAt", "seenAt", ${derivedAt}
    from json_to_recordset(${JSON.stringify(links)}::json) as r("aAsset" uuid, "aPort" text, kind text, "bText" text,
      "bAsset" uuid, "bPort" text, vlan integer, "bitsPerSecond" bigint, "observationId" uuid, "seenAt" timestamptz)
    on conflict (tenant_id, a_asset, kind, a_port, b_text) do update set b_asset = excluded.b_asset,
      b_port = excluded.b_port, vlan = excluded.vlan, bits_per_second = excluded.bits_per_second, observation_id = excluded.observation_id,
      last_seen = greatest(l.last_seen, excluded.last_seen), derived_at = excluded.derived_at`)
}

/** Links that the last run did not find any more. */
export function removeOlder(ctx: Ctx, derivedAt: Date): Promise<number> {
  return ctx.db.run(sql`
    delete from topology_links where tenant_id = ${ctx.tenantId} and derived_at < ${derivedAt}`)
}

/** The next run finds them again, if they are still reported. */
export async function forgetAssets(ctx: Ctx, assetIds: readonly string[]): Promise<void> {
  const ids = [...assetIds]
  await ctx.db.run(sql`
    delete from topology_links where tenant_id = ${ctx.tenantId} and a_asset = any(${ids}::uuid[])`)
  await ctx.db.run(sql`
    update topology_links set b_asset = null
    where tenant_id = ${ctx.tenantId} and b_asset = any(${ids}::uuid[])`)
}

const columns = sql`l.a_asset as "aAsset", a.name as "aName", l.a_port as "aPort", l.b_asset as "bAsset",
  coalesce(b.name, l.b_text) as "bName", l.b_port as "bPort", l.kind, l.vlan, l.observation_id as "observationId",
  l.first_seen as "firstSeen", l.last_seen as "lastSeen"`

const joined = (ctx: Ctx) => sql`topology_links l
  join assets a on a.tenant_id = ${ctx.tenantId} and a.id = l.a_asset
  left join assets b on b.tenant_id = ${ctx.tenantId} and b.id = l.b_asset`

export interface EvidencedLink extends TopologyLink {
  readonly sourceKind: string | null
}

/** At either end, the latest first; with `otherId`, those to it alone. */
export function linksOf(
  ctx: Ctx,
  { assetId, otherId }: { readonly assetId: string; readonly otherId: string | null },
  limit: number,
): Promise<EvidencedLink[]> {
  return ctx.db.all(sql<EvidencedLink>`
    select ${columns}, o.source_kind as "sourceKind" from ${joined(ctx)}
    left join asset_observations o on o.tenant_id = ${ctx.tenantId} and o.id = l.observation_id
    where l.tenant_id = ${ctx.tenantId} and (l.a_asset = ${assetId} or l.b_asset = ${assetId})
      and (${otherId}::uuid is null or l.a_asset = ${otherId}::uuid or l.b_asset = ${otherId}::uuid)
    order by l.kind = 'arp', l.last_seen desc, l.kind, l.a_port, l.b_text limit ${limit}`)
}

/** Between living assets, or to what is no known asset. */
export async function links(
  ctx: Ctx,
  { limit, offset }: { readonly limit: number; readonly offset: number },
): Promise<{ items: TopologyLink[]; total: number }> {
  const items = await ctx.db.all(sql<TopologyLink>`
    select ${columns} from ${joined(ctx)}
    where l.tenant_id = ${ctx.tenantId} and a.archived_at is null and b.archived_at is null
    order by l.a_asset, l.kind, l.a_port, l.b_text limit ${limit} offset ${offset}`)
  const { total } = await ctx.db.one(sql<{ total: number }>`
    select count(*) as total from ${joined(ctx)}
    where l.tenant_id = ${ctx.tenantId} and a.archived_at is null and b.archived_at is null`)
  return { items, total }
}
