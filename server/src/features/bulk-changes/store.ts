import { sql } from 'kysely'
import type { Ctx } from '#platform/context.ts'
import type { Listed, Page } from '#platform/http/paging.ts'
import type { BulkChange, BulkChangeAsset, BulkStatus, BulkValues, BulkVerbName } from './bulk-change.ts'

/** Rows of bulk changes and of the assets or findings that they are of. */

const columns = sql`c.id, c.verb, c.given as values, c.condition as "where", c.status, c.message, c.total, c.done,
  c.changed, c.undo_of as "undoOf", c.started_by as "startedBy", c.limited_to as "limitedTo", c.created_at as "createdAt",
  c.finished_at as "finishedAt"`

const withUndo = (ctx: Ctx) => sql`bulk_changes c left join bulk_changes u on u.tenant_id = ${ctx.tenantId}
  and u.undo_of = c.id and u.status not in ('cancelled', 'failed')`

export interface AddedChange {
  readonly id: string
  readonly verb: BulkVerbName
  readonly values: BulkValues
  readonly where: string | null
  readonly undoOf: string | null
  readonly confirmed: number | null
}

/** False when the change that it undoes is being undone already. */
export async function add(ctx: Ctx, it: AddedChange): Promise<boolean> {
  const { kind, id, name, address, limitedTo = null } = ctx.actor
  const added = await ctx.db.run(sql`
    insert into bulk_changes (tenant_id, id, verb, given, condition, undo_of, confirmed, status, started_by, created_at,
      limited_to)
    values (${ctx.tenantId}, ${it.id}, ${it.verb}, ${JSON.stringify(it.values)}::jsonb, ${it.where}, ${it.undoOf},
      ${it.confirmed}, 'collecting', ${JSON.stringify({ kind, id, name, address })}::jsonb, ${ctx.now()},
      ${limitedTo})
    on conflict (tenant_id, undo_of) where undo_of is not null and status not in ('cancelled', 'failed') do nothing`)
  return added === 1
}

/** Newest first. */
export async function list(ctx: Ctx, { limit, offset }: Page): Promise<Listed<BulkChange>> {
  const items = await ctx.db.all(sql<BulkChange>`
    select ${columns}, u.id as "undoneBy" from ${withUndo(ctx)}
    where c.tenant_id = ${ctx.tenantId} order by c.created_at desc, c.id desc limit ${limit} offset ${offset}`)
  const { total } = await ctx.db.one(sql<{ total: number }>`
    select count(*) as total from bulk_changes where tenant_id = ${ctx.tenantId}`)
  return { items, total }
}

export function find(ctx: Ctx, id: string): Promise<BulkChange | undefined> {
  return ctx.db.maybe(sql<BulkChange>`
    select ${columns}, u.id as "undoneBy" from ${withUndo(ctx)} where c.tenant_id = ${ctx.tenantId} and c.id = ${id}`)
}

export async function countUnfinished(ctx: Ctx): Promise<number> {
  const { n } = await ctx.db.one(sql<{ n: number }>`
    select count(*) as n from bulk_changes where tenant_id = ${ctx.tenantId} and finished_at is null`)
  return n
}

export interface WorkedChange extends Omit<BulkChange, 'undoneBy'> {
  readonly collectedTo: string | null
  readonly confirmed: number | null
}

/** Locked until the end of the transaction; undefined when it has ended. */
export function lockUnfinished(ctx: Ctx, id: string): Promise<WorkedChange | undefined> {
  return ctx.db.maybe(sql<WorkedChange>`
    select ${columns}, c.collected_to as "collectedTo", c.confirmed from bulk_changes c
    where c.tenant_id = ${ctx.tenantId} and c.id = ${id} and c.finished_at is null for update`)
}

/** Assets or findings of the change; those that it has already are left out. */
export async function addItems(ctx: Ctx, id: string, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  const added = await ctx.db.run(sql`
    insert into bulk_change_items (tenant_id, change_id, item_id)
    select ${ctx.tenantId}, ${id}, item_id from unnest(${[...ids]}::uuid[]) as r(item_id)
    on conflict (tenant_id, change_id, item_id) do nothing`)
  await ctx.db.run(sql`
    update bulk_changes set total = total + ${added}, collected_to = ${ids.at(-1) ?? null}
    where tenant_id = ${ctx.tenantId} and id = ${id}`)
}

/** What the other change changed, with what they had before. */
export async function addItemsOf(ctx: Ctx, id: string, undone: string): Promise<void> {
  const added = await ctx.db.run(sql`
    insert into bulk_change_items (tenant_id, change_id, item_id, restoring)
    select tenant_id, ${id}, item_id, previous from bulk_change_items
    where tenant_id = ${ctx.tenantId} and change_id = ${undone} and is_done and previous is not null
    on conflict (tenant_id, change_id, item_id) do nothing`)
  await ctx.db.run(sql`
    update bulk_changes set total = ${added} where tenant_id = ${ctx.tenantId} and id = ${id}`)
}

export async function run(ctx: Ctx, id: string): Promise<void> {
  await ctx.db.run(sql`
    update bulk_changes set status = 'running' where tenant_id = ${ctx.tenantId} and id = ${id}`)
}

export interface WaitingItem {
  readonly id: string
  readonly restoring: unknown
}

export function next(ctx: Ctx, id: string, limit: number): Promise<WaitingItem[]> {
  return ctx.db.all(sql<WaitingItem>`
    select item_id as id, restoring from bulk_change_items
    where tenant_id = ${ctx.tenantId} and change_id = ${id} and not is_done order by item_id limit ${limit}`)
}

/** `previous` has those that changed. */
export async function noteDone(
  ctx: Ctx,
  id: string,
  ids: readonly string[],
  previous: ReadonlyMap<string, unknown>,
): Promise<void> {
  const rows = ids.map((itemId) => ({ id: itemId, previous: previous.get(itemId) ?? null }))
  await ctx.db.run(sql`
    update bulk_change_items a set is_done = true, previous = nullif(r.previous, 'null'::jsonb)
    from json_to_recordset(${JSON.stringify(rows)}::json) as r(id uuid, previous jsonb)
    where a.tenant_id = ${ctx.tenantId} and a.change_id = ${id} and a.item_id = r.id`)
  await ctx.db.run(sql`
    update bulk_changes set done = done + ${ids.length}, changed = changed + ${previous.size}, failures = 0
    where tenant_id = ${ctx.tenantId} and id = ${id}`)
}

/** False when it has ended already. */
export async function finish(
  ctx: Ctx,
  id: string,
  status: Exclude<BulkStatus, 'collecting' | 'running'>,
  message = '',
): Promise<boolean> {
  const ended = await ctx.db.run(sql`
    update bulk_changes set status = ${status}, message = ${message}, finished_at = ${ctx.now()}
    where tenant_id = ${ctx.tenantId} and id = ${id} and finished_at is null`)
  return ended === 1
}

/** How often it has failed since the last batch. */
export async function noteFailure(ctx: Ctx, id: string): Promise<number> {
  const row = await ctx.db.maybe(sql<{ failures: number }>`
    update bulk_changes set failures = failures + 1
    where tenant_id = ${ctx.tenantId} and id = ${id} and finished_at is null returning failures`)
  return row?.failures ?? 0
}

/** In the order of ids. */
export async function assets(
  ctx: Ctx,
  id: string,
  { limit, offset }: Page,
): Promise<Listed<BulkChangeAsset>> {
  const items = await ctx.db.all(sql<BulkChangeAsset>`
    select b.item_id as "assetId", coalesce(a.name, b.previous ->> 'name', '') as name, b.is_done as "isDone",
      b.previous is not null as "isChanged"
    from bulk_change_items b left join assets a on a.tenant_id = ${ctx.tenantId} and a.id = b.item_id
    where b.tenant_id = ${ctx.tenantId} and b.change_id = ${id} order by b.item_id limit ${limit} offset ${offset}`)
  const { total } = await ctx.db.one(sql<{ total: number }>`
    select count(*) as total from bulk_change_items where tenant_id = ${ctx.tenantId} and change_id = ${id}`)
  return { items, total }
}
