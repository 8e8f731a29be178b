import { sql } from 'kysely'
import type { Ctx } from '#platform/context.ts'
import { newUuid } from '#platform/uuid.ts'
import { rememberedKey, type RememberedNames } from '../intake/observation-record.ts'

/** That whoever has the name in its network is one device, as a person said. */
export interface RememberedName {
  readonly id: string
  readonly name: string
  readonly scope: string
  readonly reason: string
  /** Kind and id of the actor. */
  readonly by: string
  readonly at: string
}

const columns = sql`id, name, scope, reason, actor_kind || ' ' || actor_id as by, created_at as at`

/** All of the tenant; people say them one by one. */
export async function rememberedNames(ctx: Ctx): Promise<RememberedNames> {
  const rows = await ctx.db.all(sql<{ scope: string; name: string }>`
    select scope, name from asset_remembered_names where tenant_id = ${ctx.tenantId}`)
  return new Set(rows.map(({ scope, name }) => rememberedKey(scope, name)))
}

/** By name. */
export function listed(ctx: Ctx): Promise<RememberedName[]> {
  return ctx.db.all(sql<RememberedName>`
    select ${columns} from asset_remembered_names where tenant_id = ${ctx.tenantId} order by name, scope`)
}

export async function add(
  ctx: Ctx,
  names: readonly { readonly scope: string; readonly name: string }[],
  reason: string,
): Promise<void> {
  for (const { scope, name } of names)
    await ctx.db.run(sql`
      insert into asset_remembered_names (tenant_id, id, scope, name, reason, actor_kind, actor_id, created_at)
      values (${ctx.tenantId}, ${newUuid(ctx.now())}, ${scope}, ${name}, ${reason}, ${ctx.actor.kind}, ${ctx.actor.id},
        ${ctx.now()})
      on conflict (tenant_id, scope, name) do nothing`)
}

/** These names count in the other network too, where they count in the first. */
export async function copyTo(
  ctx: Ctx,
  { from, to }: { readonly from: string; readonly to: string },
  names: readonly string[],
): Promise<void> {
  await ctx.db.run(sql`
    insert into asset_remembered_names (tenant_id, id, scope, name, reason, actor_kind, actor_id, created_at)
    select tenant_id, gen_random_uuid(), ${to}, name, reason, actor_kind, actor_id, created_at
    from asset_remembered_names
    where tenant_id = ${ctx.tenantId} and scope = ${from} and name = any(${[...names]}::text[])
    on conflict (tenant_id, scope, name) do nothing`)
}

export function remove(ctx: Ctx, id: string): Promise<RememberedName | undefined> {
  return ctx.db.maybe(sql<RememberedName>`
    delete from asset_remembered_names where tenant_id = ${ctx.tenantId} and id = ${id} returning ${columns}`)
}

/** Ids of the observations in the network that ever had the name, with a domain or without. */
export async function observationsNamed(
  ctx: Ctx,
  { scope, name }: { readonly scope: string; readonly name: string },
): Promise<string[]> {
  const rows = await ctx.db.all(sql<{ id: string }>`
    select distinct o.id from asset_identifiers i
    join asset_observations o on o.tenant_id = ${ctx.tenantId} and o.id = i.observation_id
    where i.tenant_id = ${ctx.tenantId} and i.type = 'hostname' and o.scope = ${scope}
      and (i.value = ${name} or starts_with(i.value, ${`${name}.`}))
    order by o.id`)
  return rows.map(({ id }) => id)
}
