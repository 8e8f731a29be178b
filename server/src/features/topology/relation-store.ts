import { sql } from 'kysely'
import type { Ctx } from '#platform/context.ts'
import type { RelationKind } from './relation.ts'

/** Relations that people record. */

export interface StoredRelation {
  readonly id: string
  readonly fromId: string
  readonly toId: string
  readonly fromName: string
  readonly toName: string
  readonly kind: RelationKind
  readonly note: string
  readonly createdBy: string
  readonly createdAt: string
}

const columns = sql`r.id, r.from_id as "fromId", r.to_id as "toId", f.name as "fromName", t.name as "toName", r.kind,
  r.note, r.created_by as "createdBy", r.created_at as "createdAt"`

const joined = (ctx: Ctx) => sql`asset_relations r
  join assets f on f.tenant_id = ${ctx.tenantId} and f.id = r.from_id
  join assets t on t.tenant_id = ${ctx.tenantId} and t.id = r.to_id`

/** At either end, the latest first; with `otherId`, those to it alone. */
export function relationsOf(
  ctx: Ctx,
  { assetId, otherId }: { readonly assetId: string; readonly otherId: string | null },
  limit: number,
): Promise<StoredRelation[]> {
  return ctx.db.all(sql<StoredRelation>`
    select ${columns} from ${joined(ctx)}
    where r.tenant_id = ${ctx.tenantId} and (r.from_id = ${assetId} or r.to_id = ${assetId})
      and (${otherId}::uuid is null or r.from_id = ${otherId}::uuid or r.to_id = ${otherId}::uuid)
    order by r.created_at desc, r.id limit ${limit}`)
}

export function relation(ctx: Ctx, id: string): Promise<StoredRelation | undefined> {
  return ctx.db.maybe(sql<StoredRelation>`
    select ${columns} from ${joined(ctx)} where r.tenant_id = ${ctx.tenantId} and r.id = ${id}`)
}

/** False when it is recorded already. */
export async function add(
  ctx: Ctx,
  row: Pick<StoredRelation, 'id' | 'fromId' | 'toId' | 'kind' | 'note' | 'createdBy' | 'createdAt'>,
): Promise<boolean> {
  const added = await ctx.db.run(sql`
    insert into asset_relations (tenant_id, id, from_id, to_id, kind, note, created_by, created_at)
    values (${ctx.tenantId}, ${row.id}, ${row.fromId}, ${row.toId}, ${row.kind}, ${row.note}, ${row.createdBy},
      ${row.createdAt})
    on conflict (tenant_id, from_id, to_id, kind) do nothing`)
  return added > 0
}

export async function remove(ctx: Ctx, id: string): Promise<void> {
  await ctx.db.run(sql`delete from asset_relations where tenant_id = ${ctx.tenantId} and id = ${id}`)
}

/** Relations of merged assets become those of the survivors; of those that are there already, or lead to itself, none. */
export async function moveToSurvivors(ctx: Ctx, survivorOf: ReadonlyMap<string, string>): Promise<void> {
  const [old, survivors] = [[...survivorOf.keys()], [...survivorOf.values()]]
  const moving = await ctx.db.all(sql<{ id: string; fromId: string; toId: string }>`
    select id, from_id as "fromId", to_id as "toId" from asset_relations
    where tenant_id = ${ctx.tenantId} and (from_id = any(${old}::uuid[]) or to_id = any(${old}::uuid[]))
    order by id for update`)
  if (moving.length === 0) return
  await ctx.db.run(sql`
    insert into asset_relations (tenant_id, id, from_id, to_id, kind, note, created_by, created_at)
    select ${ctx.tenantId}, gen_random_uuid(), coalesce(f.survivor, r.from_id), coalesce(t.survivor, r.to_id), r.kind,
      r.note, r.created_by, r.created_at
    from asset_relations r
    left join unnest(${old}::uuid[], ${survivors}::uuid[]) as f(old, survivor) on f.old = r.from_id
    left join unnest(${old}::uuid[], ${survivors}::uuid[]) as t(old, survivor) on t.old = r.to_id
    where r.tenant_id = ${ctx.tenantId} and r.id = any(${moving.map(({ id }) => id)}::uuid[])
      and coalesce(f.survivor, r.from_id) <> coalesce(t.survivor, r.to_id)
    on conflict (tenant_id, from_id, to_id, kind) do nothing`)
  await ctx.db.run(sql`
    delete from asset_relations
    where tenant_id = ${ctx.tenantId} and id = any(${moving.map(({ id }) => id)}::uuid[])`)
}

export async function removeOf(ctx: Ctx, assetIds: readonly string[]): Promise<void> {
  await ctx.db.run(sql`
    delete from asset_relations
    where tenant_id = ${ctx.tenantId}
      and (from_id = any(${[...assetIds]}::uuid[]) or to_id = any(${[...assetIds]}::uuid[]))`)
}
