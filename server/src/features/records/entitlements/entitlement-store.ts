import { sql } from 'kysely'
import type { Ctx } from '#platform/context.ts'
import type { Contract, CountedEntitlement, Entitlement, EntitlementUse } from './entitlement.ts'

/** Contracts, entitlements and their uses. */

const contractColumns = sql`id, name, supplier, number, begins::text, ends::text, cost::text, currency, notes`

export function contracts(ctx: Ctx): Promise<Contract[]> {
  return ctx.db.all(sql<Contract>`
    select ${contractColumns} from contracts where tenant_id = ${ctx.tenantId} order by name, id`)
}

export function contract(ctx: Ctx, id: string): Promise<Contract | undefined> {
  return ctx.db.maybe(sql<Contract>`
    select ${contractColumns} from contracts where tenant_id = ${ctx.tenantId} and id = ${id}`)
}

/** Until the end of the transaction no other one changes or removes it. */
export function lockContract(ctx: Ctx, id: string): Promise<Contract | undefined> {
  return ctx.db.maybe(sql<Contract>`
    select ${contractColumns} from contracts where tenant_id = ${ctx.tenantId} and id = ${id} for update`)
}

/** False when another contract has the name. */
export async function saveContract(ctx: Ctx, it: Contract): Promise<boolean> {
  const taken = await ctx.db.maybe(sql`
    select id from contracts where tenant_id = ${ctx.tenantId} and name = ${it.name} and id <> ${it.id}`)
  if (taken) return false
  const saved = await ctx.db.run(sql`
    insert into contracts (tenant_id, id, name, supplier, number, begins, ends, cost, currency, notes)
    values (${ctx.tenantId}, ${it.id}, ${it.name}, ${it.supplier}, ${it.number}, ${it.begins}, ${it.ends}, ${it.cost},
      ${it.currency}, ${it.notes})
    on conflict (tenant_id, id) do update set name = excluded.name, supplier = excluded.supplier,
      number = excluded.number, begins = excluded.begins, ends = excluded.ends, cost = excluded.cost,
      currency = excluded.currency, notes = excluded.notes`)
  return saved > 0
}

export async function removeContract(ctx: Ctx, id: string): Promise<void> {
  await ctx.db.run(sql`delete from contracts where tenant_id = ${ctx.tenantId} and id = ${id}`)
}

export function entitlements(ctx: Ctx): Promise<CountedEntitlement[]> {
  return ctx.db.all(sql<CountedEntitlement>`
    select e.id, e.product, e.vendor, e.metric, e.count, e.version_from as "versionFrom", e.version_to as "versionTo",
      e.begins::text, e.ends::text, e.cost::text, e.currency, e.notes, e.contract_id as "contractId", c.name as contract,
      (select count(*)::int from entitlement_uses u
       left join assets a on a.tenant_id = ${ctx.tenantId} and a.id = u.asset_id
       where u.tenant_id = ${ctx.tenantId} and u.entitlement_id = e.id and a.archived_at is null) as used
    from entitlements e left join contracts c on c.tenant_id = ${ctx.tenantId} and c.id = e.contract_id
    where e.tenant_id = ${ctx.tenantId} order by e.product, e.id`)
}

/** Until the end of the transaction no other one changes it, assigns uses of it or removes it. */
export async function lockEntitlement(ctx: Ctx, id: string): Promise<CountedEntitlement | undefined> {
  await ctx.db.run(
    sql`select id from entitlements where tenant_id = ${ctx.tenantId} and id = ${id} for update`,
  )
  return (await entitlements(ctx)).find((it) => it.id === id)
}

export async function saveEntitlement(ctx: Ctx, it: Entitlement): Promise<void> {
  await ctx.db.run(sql`
    insert into entitlements (tenant_id, id, product, vendor, metric, count, version_from, version_to, begins, ends,
      cost, currency, contract_id, notes)
    values (${ctx.tenantId}, ${it.id}, ${it.product}, ${it.vendor}, ${it.metric}, ${it.count}, ${it.versionFrom},
      ${it.versionTo}, ${it.begins}, ${it.ends}, ${it.cost}, ${it.currency}, ${it.contractId}, ${it.notes})
    on conflict (tenant_id, id) do update set product = excluded.product, vendor = excluded.vendor,
      metric = excluded.metric, count = excluded.count, version_from = excluded.version_from,
      version_to = excluded.version_to, begins = excluded.begins, ends = excluded.ends, cost = excluded.cost,
      currency = excluded.currency, contract_id = excluded.contract_id, notes = excluded.notes`)
}

export async function removeEntitlement(ctx: Ctx, id: string): Promise<void> {
  await ctx.db.run(sql`delete from entitlements where tenant_id = ${ctx.tenantId} and id = ${id}`)
}

export function uses(ctx: Ctx, entitlementId: string): Promise<EntitlementUse[]> {
  return ctx.db.all(sql<EntitlementUse>`
    select u.id, u.asset_id as "assetId", a.name as "assetName", u.person, u.assigned_at as "assignedAt"
    from entitlement_uses u left join assets a on a.tenant_id = ${ctx.tenantId} and a.id = u.asset_id
    where u.tenant_id = ${ctx.tenantId} and u.entitlement_id = ${entitlementId} order by u.assigned_at, u.id`)
}

export interface NewUse {
  readonly id: string
  readonly assetId: string | null
  readonly person: string | null
}

/** Answers how many are new. */
export function addUses(
  ctx: Ctx,
  entitlementId: string,
  { uses: all, at }: { readonly uses: readonly NewUse[]; readonly at: Date },
): Promise<number> {
  return ctx.db.run(sql`
    insert into entitlement_uses (tenant_id, id, entitlement_id, asset_id, person, assigned_at)
    select ${ctx.tenantId}, id, ${entitlementId}, "assetId", person, ${at}
    from json_to_recordset(${JSON.stringify(all)}::json) as r(id uuid, "assetId" uuid, person text)
    on conflict (tenant_id, entitlement_id, asset_id, person) do nothing`)
}

export function removeUses(ctx: Ctx, entitlementId: string, ids: readonly string[]): Promise<number> {
  return ctx.db.run(sql`
    delete from entitlement_uses
    where tenant_id = ${ctx.tenantId} and entitlement_id = ${entitlementId} and id = any(${[...ids]}::uuid[])`)
}

export async function removeUsesOf(ctx: Ctx, assetIds: readonly string[]): Promise<void> {
  await ctx.db.run(sql`
    delete from entitlement_uses where tenant_id = ${ctx.tenantId} and asset_id = any(${[...assetIds]}::uuid[])`)
}

/** Uses of merged assets become the survivors', where these have none of the same entitlement. */
export async function moveUses(ctx: Ctx, survivorOf: ReadonlyMap<string, string>): Promise<void> {
  await ctx.db.run(sql`
    insert into entitlement_uses (tenant_id, id, entitlement_id, asset_id, person, assigned_at)
    select ${ctx.tenantId}, gen_random_uuid(), u.entitlement_id, m.survivor, null, u.assigned_at
    from entitlement_uses u
    join unnest(${[...survivorOf.keys()]}::uuid[], ${[...survivorOf.values()]}::uuid[]) as m(old, survivor)
      on m.old = u.asset_id
    where u.tenant_id = ${ctx.tenantId}
    on conflict (tenant_id, entitlement_id, asset_id, person) do nothing`)
  await removeUsesOf(ctx, [...survivorOf.keys()])
}
