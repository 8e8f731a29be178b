import { sql } from 'kysely'
import { normalizeText } from '#platform/conditions/normalize-text.ts'
import type { Ctx } from '#platform/context.ts'
import type { Place } from './place.ts'

export function places(ctx: Ctx): Promise<Place[]> {
  return ctx.db.all(sql<Place>`
    select p.id, p.parent_id as "parentId", p.name, p.kind,
      coalesce((select json_agg(text(n.network) order by n.network) from place_networks n
        where n.tenant_id = ${ctx.tenantId} and n.place_id = p.id), '[]') as networks,
      coalesce((select json_object_agg(text(n.network), n.meant_for) from place_networks n
        where n.tenant_id = ${ctx.tenantId} and n.place_id = p.id and n.meant_for is not null), '{}') as "meantFor"
    from places p where p.tenant_id = ${ctx.tenantId} order by p.name, p.id`)
}

/** Until the end of the transaction no other one adds, moves or removes places of the tenant. */
export async function lockPlaces(ctx: Ctx): Promise<void> {
  await ctx.db.run(sql`select id from places where tenant_id = ${ctx.tenantId} and kind = 'site' for update`)
}

type Row = Omit<Place, 'networks' | 'meantFor'>

/** False when there is one of that name in the same place. */
export async function add(ctx: Ctx, { id, parentId, name, kind }: Row): Promise<boolean> {
  const added = await ctx.db.run(sql`
    insert into places (tenant_id, id, parent_id, name, normalized_name, kind)
    values (${ctx.tenantId}, ${id}, ${parentId}, ${name}, ${normalizeText(name)}, ${kind})
    on conflict (tenant_id, parent_id, name) do nothing`)
  return added > 0
}

export async function change(ctx: Ctx, { id, parentId, name }: Row): Promise<void> {
  await ctx.db.run(sql`
    update places set parent_id = ${parentId}, name = ${name}, normalized_name = ${normalizeText(name)}
    where tenant_id = ${ctx.tenantId} and id = ${id}`)
}

export async function remove(ctx: Ctx, id: string): Promise<void> {
  await ctx.db.run(sql`delete from places where tenant_id = ${ctx.tenantId} and id = ${id}`)
}

export async function replaceNetworks(ctx: Ctx, placeId: string, networks: readonly string[]): Promise<void> {
  await ctx.db.run(sql`
    delete from place_networks where tenant_id = ${ctx.tenantId} and place_id = ${placeId}
      and network <> all(${[...networks]}::cidr[])`)
  await ctx.db.run(sql`
    insert into place_networks (tenant_id, network, place_id)
    select ${ctx.tenantId}, network, ${placeId} from unnest(${[...networks]}::cidr[]) as r(network)
    on conflict (tenant_id, network) do nothing`)
}

/** Of a network of a place; none: nobody said it. */
export async function writeMeantFor(ctx: Ctx, network: string, types: readonly string[]): Promise<void> {
  await ctx.db.run(sql`
    update place_networks set meant_for = ${types.length > 0 ? [...types] : null}::text[]
    where tenant_id = ${ctx.tenantId} and network = ${network}::cidr`)
}

/** How many assets are recorded in each place. */
export async function recordedIn(ctx: Ctx): Promise<Map<string, number>> {
  const rows = await ctx.db.all(sql<{ id: string; n: number }>`
    select place_id as id, count(*) as n from asset_records
    where tenant_id = ${ctx.tenantId} and place_id is not null group by place_id`)
  return new Map(rows.map(({ id, n }) => [id, n]))
}
