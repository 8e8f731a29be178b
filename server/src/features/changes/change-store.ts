import { sql, type RawBuilder } from 'kysely'
import { batchesOf } from '#platform/batches.ts'
import type { Filter } from '#platform/conditions/with-condition.ts'
import type { Ctx } from '#platform/context.ts'
import type { Db } from '#platform/database/database.ts'
import type { Page } from '#platform/http/paging.ts'
import type { Change, ChangeCount, ChangeKind, NewChange } from './change.ts'

const ROWS_PER_STATEMENT = 5_000
/** Who made a change that the product made by itself; the id of its actor is the name of a machine. */
const SYSTEM = 'system'

/** Writes the changes just before the commit of the caller's transaction. */
export function add(ctx: Ctx, changes: readonly NewChange[]): void {
  const { tenantId, actor } = ctx
  const changedBy = actor.kind === 'system' ? SYSTEM : (actor.name ?? `${actor.kind} ${actor.id}`)
  ctx.db.beforeCommit(writeChanges, { tenantId, changedBy, changes })
}

interface Given {
  readonly tenantId: string
  readonly changedBy: string
  readonly changes: readonly NewChange[]
}

/** Locks the heads of tenants in a fixed order, to avoid deadlocks. */
async function writeChanges(db: Db, given: readonly Given[]): Promise<void> {
  const byTenant = Map.groupBy(given, (it) => it.tenantId)
  for (const tenantId of [...byTenant.keys()].sort()) {
    const rows = (byTenant.get(tenantId) ?? []).flatMap(({ changes, changedBy }) =>
      changes.map((change) => ({ ...change, changedBy })),
    )
    for (const part of batchesOf(rows, ROWS_PER_STATEMENT)) await writeRows(db, tenantId, part)
  }
}

async function writeRows(
  db: Db,
  tenantId: string,
  rows: readonly (NewChange & { changedBy: string })[],
): Promise<void> {
  const { position } = await db.one(sql<{ position: number }>`
    insert into change_heads as h (tenant_id, position) values (${tenantId}, ${rows.length})
    on conflict (tenant_id) do update set position = h.position + excluded.position
    returning position`)
  const first = position - rows.length + 1
  const numbered = rows.map((row, at) => ({ ...row, position: first + at }))
  await db.run(sql`
    insert into asset_changes (tenant_id, position, at, kind, asset_id, asset_name, subject, before, after, related_id,
      changed_by)
    select ${tenantId}, r.position, clock_timestamp(), r.kind, r."assetId", coalesce(r."assetName", a.name, ''),
      coalesce(r.subject, ''), nullif(r.before, 'null'), nullif(r.after, 'null'), r."relatedId", r."changedBy"
    from json_to_recordset(${JSON.stringify(numbered)}::json) as r(position bigint, kind text, "assetId" uuid,
      "assetName" text, subject text, before jsonb, after jsonb, "relatedId" uuid, "changedBy" text)
    left join assets a on a.tenant_id = ${tenantId} and a.id = r."assetId"`)
}

export interface WantedChanges {
  readonly kinds: readonly ChangeKind[]
  /** Written at this instant or later. */
  readonly since?: Date | undefined
  /** Written before this instant. */
  readonly until?: Date | undefined
  /** Of a greater position. */
  readonly after?: number | undefined
  readonly changedBy?: string | undefined
  /** False: not by the system itself. */
  readonly bySystem?: boolean | undefined
  readonly assetId?: string | undefined
  /** True of their assets as they are now. */
  readonly filter?: Filter | undefined
}

export interface ReadPage extends Page {
  readonly newestFirst: boolean
}

export function list(
  ctx: Ctx,
  { limit, offset, newestFirst }: ReadPage,
  wanted: WantedChanges,
): Promise<Change[]> {
  const order = newestFirst ? sql`desc` : sql`asc`
  return ctx.db.all(sql<Change>`
    select c.position, c.at, c.kind, c.asset_id as "assetId", c.asset_name as "assetName", c.subject, c.before, c.after,
      c.related_id as "relatedId", c.changed_by as "changedBy"
    from asset_changes c where ${matching(ctx, wanted)} order by c.position ${order} limit ${limit} offset ${offset}`)
}

export async function count(ctx: Ctx, wanted: WantedChanges): Promise<number> {
  const { total } = await ctx.db.one(sql<{ total: number }>`
    select count(*) as total from asset_changes c where ${matching(ctx, wanted)}`)
  return total
}

/** Days in the time zone, the newest first. */
export function countsByDay(ctx: Ctx, wanted: WantedChanges, zone: string): Promise<ChangeCount[]> {
  return ctx.db.all(sql<ChangeCount>`
    select (c.at at time zone ${zone}::text)::date as day, c.kind, count(*) as count
    from asset_changes c where ${matching(ctx, wanted)} group by 1, 2 order by 1 desc, 2`)
}

export interface Head {
  readonly position: number
  readonly removedTo: number
}

/** The last position, and up to which one changes were removed; both 0 where there never was any. */
export async function head(ctx: Ctx): Promise<Head> {
  const row = await ctx.db.maybe(sql<Head>`
    select position, removed_to as "removedTo" from change_heads where tenant_id = ${ctx.tenantId}`)
  return row ?? { position: 0, removedTo: 0 }
}

/** Of the changes, as `c`. */
export function matching(ctx: Ctx, wanted: WantedChanges): RawBuilder<unknown> {
  const { kinds, since, until, after, assetId, changedBy, bySystem, filter } = wanted
  return sql.join(
    [
      sql`c.tenant_id = ${ctx.tenantId} and c.kind = any(${[...kinds]}::text[])`,
      ...(since === undefined ? [] : [sql`c.at >= ${since}`]),
      ...(until === undefined ? [] : [sql`c.at < ${until}`]),
      ...(after === undefined ? [] : [sql`c.position > ${after}`]),
      ...(assetId === undefined ? [] : [sql`c.asset_id = ${assetId}`]),
      ...(changedBy === undefined ? [] : [sql`c.changed_by = ${changedBy}`]),
      ...(bySystem === undefined ? [] : [sql`(c.changed_by = ${SYSTEM}) = ${bySystem}`]),
      ...(filter ? [sql`c.asset_id in (select a.id from ${filter.from} where ${filter.where})`] : []),
    ],
    sql` and `,
  )
}

/** Removes some that were written before the instant; answers how many. */
export async function removeBefore(ctx: Ctx, before: Date, most: number): Promise<number> {
  const { removed, last } = await ctx.db.one(sql<{ removed: number; last: number | null }>`
    with gone as (
      delete from asset_changes c where c.tenant_id = ${ctx.tenantId} and c.position in (
        select o.position from asset_changes o where o.tenant_id = ${ctx.tenantId} and o.at < ${before}
        order by o.at limit ${most})
      returning c.position
    )
    select count(*) as removed, max(position) as last from gone`)
  if (last !== null)
    await ctx.db.run(sql`
      update change_heads h set removed_to = greatest(h.removed_to, ${last}) where h.tenant_id = ${ctx.tenantId}`)
  return removed
}

/** Names of those of the assets that are there, by id. */
export async function assetNames(ctx: Ctx, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  if (ids.length === 0) return new Map()
  const rows = await ctx.db.all(sql<{ id: string; name: string }>`
    select id, name from assets where tenant_id = ${ctx.tenantId} and id = any(${[...ids]}::uuid[])`)
  return new Map(rows.map(({ id, name }) => [id, name]))
}
