import { sql } from 'kysely'
import type { Ctx } from '#platform/context.ts'
import { forwardingTypes, type Connection, type ToldAddress } from './topology-map.ts'

/** Rows that one map is made of. */
const ROWS_MAX = 100_000
/** What says that two things are connected; `arp` only says that one has spoken to the other. */
const CONNECTING = ['lldp', 'cdp', 'fdb', 'vm_on_host']
const RECORDED = ['connected_to', 'runs_on']

const typeOf = (alias: 'a' | 'b') =>
  sql`coalesce(nullif(${sql.ref(alias)}.device_type, 'unknown'), ${sql.ref(alias)}.asset_type)`

/** Each pair of living assets once, or of one and what is no known asset; links between devices first. */
export function connections(ctx: Ctx): Promise<Connection[]> {
  return ctx.db.all(sql<Connection>`
    select e.a_id as "aId", a.name as "aName", ${typeOf('a')} as "aType", a.site as "aSite",
      e.b_id as "bId", coalesce(b.name, e.text) as "bName", ${typeOf('b')} as "bType", b.site as "bSite", e.kinds
    from (
      select a_id, b_id, text, array_agg(distinct kind) as kinds from (
        select l.a_asset as a_id, l.b_asset as b_id, case when l.b_asset is null then l.b_text else '' end as text, l.kind
        from topology_links l where l.tenant_id = ${ctx.tenantId} and l.kind = any(${CONNECTING}::text[])
        union all
        select r.from_id, r.to_id, '', r.kind
        from asset_relations r where r.tenant_id = ${ctx.tenantId} and r.kind = any(${RECORDED}::text[])
      ) told
      group by a_id, b_id, text
    ) e
    join assets a on a.tenant_id = ${ctx.tenantId} and a.id = e.a_id
    left join assets b on b.tenant_id = ${ctx.tenantId} and b.id = e.b_id
    where a.archived_at is null and b.archived_at is null
    order by e.kinds && array['lldp', 'cdp'] desc, e.a_id, e.b_id, e.text limit ${ROWS_MAX}`)
}

/** The addresses that devices which pass packets on tell of their interfaces, as they were sent. */
export function toldAddresses(ctx: Ctx): Promise<ToldAddress[]> {
  return ctx.db.all(sql<ToldAddress>`
    select a.id as "assetId", a.name, ${typeOf('a')} as type, a.site, i->>'name' as port, i->'addresses' as addresses
    from assets a
    join asset_observations o on o.tenant_id = ${ctx.tenantId} and o.asset_id = a.id
    cross join lateral jsonb_path_query(o.payload, 'lax $.facts.interfaces[*] ? (exists (@.addresses))') i
    where a.tenant_id = ${ctx.tenantId} and a.archived_at is null and a.device_type = any(${[...forwardingTypes]}::text[])
    order by a.name collate "C", a.id, o.id limit ${ROWS_MAX}`)
}

/** How many assets each port of a device has seen by ARP. */
export function seenByArp(
  ctx: Ctx,
): Promise<(Omit<ToldAddress, 'addresses'> & { readonly devices: number })[]> {
  return ctx.db.all(sql<Omit<ToldAddress, 'addresses'> & { readonly devices: number }>`
    select a.id as "assetId", a.name, ${typeOf('a')} as type, a.site, l.a_port as port,
      count(distinct l.b_asset)::int as devices
    from topology_links l
    join assets a on a.tenant_id = ${ctx.tenantId} and a.id = l.a_asset
    join assets b on b.tenant_id = ${ctx.tenantId} and b.id = l.b_asset
    where l.tenant_id = ${ctx.tenantId} and l.kind = 'arp' and a.archived_at is null and b.archived_at is null
      and a.device_type = any(${[...forwardingTypes]}::text[])
    group by a.id, a.name, 3, a.site, l.a_port
    order by a.name collate "C", a.id, l.a_port limit ${ROWS_MAX}`)
}

/** How many living assets have their address in each network. */
export async function devicesIn(ctx: Ctx, networks: readonly string[]): Promise<ReadonlyMap<string, number>> {
  const rows = await ctx.db.all(sql<{ network: string; devices: number }>`
    select n.text as network, count(a.id)::int as devices
    from unnest(${[...networks]}::text[]) n (text)
    left join assets a on a.tenant_id = ${ctx.tenantId} and a.archived_at is null
      and address_order(a.ip_address) between host(network(n.text::inet))::inet and host(broadcast(n.text::inet))::inet
    group by 1`)
  return new Map(rows.map(({ network, devices }) => [network, devices]))
}
