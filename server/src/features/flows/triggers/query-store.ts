import { sql, type RawBuilder } from 'kysely'
import { conditionSql } from '#platform/conditions/compiling/to-sql.ts'
import { readCondition, rowsMeant } from '#platform/conditions/with-condition.ts'
import type { Ctx } from '#platform/context.ts'
import type { Definition } from '../flow.ts'

/** The assets for which the conditions of query triggers are true. */

/**
 * Where the tenant has a query trigger that is on. `cause` is the run that led to the change; of several changes of an
 * asset the one with the shortest chain of flows counts, so that a change by a person starts what it would start alone. Answers
 * how many were written.
 */
export async function noteChanged(
  ctx: Ctx,
  assetIds: readonly string[],
  cause: Ctx['cause'],
): Promise<number> {
  if (assetIds.length === 0) return 0
  return ctx.db.run(sql`
    insert into flow_changed_assets (tenant_id, asset_id, chain, cause_run)
    select ${ctx.tenantId}, it, ${[...(cause?.flowIds ?? [])]}::uuid[], ${cause?.runId ?? null}::uuid from unnest(${[...assetIds]}::uuid[]) it
    where exists (select from flows f where f.tenant_id = ${ctx.tenantId} and f.enabled and f.trigger_kind = 'query')
    on conflict (tenant_id, asset_id) do update set changes = flow_changed_assets.changes + 1,
      chain = case when cardinality(excluded.chain) < cardinality(flow_changed_assets.chain)
        then excluded.chain else flow_changed_assets.chain end,
      cause_run = case when cardinality(excluded.chain) < cardinality(flow_changed_assets.chain)
        then excluded.cause_run else flow_changed_assets.cause_run end`)
}

export interface ChangedAsset {
  readonly id: string
  /** The flows that led to its change. */
  readonly chain: readonly string[]
  /** The run whose steps changed it; null: none did. */
  readonly causeRun: string | null
  /** How often it has changed since it was last asked about. */
  readonly changes: number
}

/** Those that are to be asked about, by id, behind `after`. They stay on the list until `forgetChanged`. */
export function changedAssets(
  ctx: Ctx,
  { after, limit }: { readonly after: string; readonly limit: number },
): Promise<ChangedAsset[]> {
  return ctx.db.all(sql<ChangedAsset>`
    select asset_id as id, chain, cause_run as "causeRun", changes from flow_changed_assets
    where tenant_id = ${ctx.tenantId} and asset_id > ${after} order by asset_id limit ${limit}`)
}

/** Those that have changed again meanwhile stay. */
export async function forgetChanged(ctx: Ctx, changed: readonly ChangedAsset[]): Promise<void> {
  await ctx.db.run(sql`
    delete from flow_changed_assets c
    using unnest(${changed.map(({ id }) => id)}::uuid[], ${changed.map(({ changes }) => changes)}::int[]) as a (id, changes)
    where c.tenant_id = ${ctx.tenantId} and c.asset_id = a.id and c.changes = a.changes`)
}

export interface QueryFlow {
  readonly flowId: string
  readonly version: number
  readonly definition: Definition
  readonly runAs: string | null
  /** Null: its members were never written down. */
  readonly membersSince: string | null
}

/** Ids of the tenant's enabled flows with a query trigger. */
export async function queryFlows(ctx: Ctx): Promise<string[]> {
  const rows = await ctx.db.all(sql<{ id: string }>`
    select id from flows where tenant_id = ${ctx.tenantId} and enabled and trigger_kind = 'query'
      and archived_at is null order by id`)
  return rows.map(({ id }) => id)
}

/** As `queryFlows`, without those for which a job of that name, whose payload has their `flowId`, has not begun. */
export async function queryFlowsNotWaiting(ctx: Ctx, jobName: string): Promise<string[]> {
  const waiting = await ctx.db.all(sql<{ flowId: string }>`
    select payload ->> 'flowId' as "flowId" from jobs
    where tenant_id = ${ctx.tenantId} and name = ${jobName} and failed_at is null and leased_until is null`)
  const known = new Set(waiting.map(({ flowId }) => flowId))
  return (await queryFlows(ctx)).filter((id) => !known.has(id))
}

/** Locked until the end of the transaction; undefined when it is off meanwhile. */
export function lockQueryFlow(ctx: Ctx, flowId: string): Promise<QueryFlow | undefined> {
  return ctx.db.maybe(sql<QueryFlow>`
    select f.id as "flowId", v.n as version, v.definition, v.run_as as "runAs", f.members_since as "membersSince"
    from flows f
    join flow_versions v on v.tenant_id = ${ctx.tenantId} and v.flow_id = f.id and v.n = f.published_version
    where f.tenant_id = ${ctx.tenantId} and f.id = ${flowId} and f.enabled and f.trigger_kind = 'query'
    for no key update of f`)
}

export interface Moved {
  readonly entered: readonly string[]
  readonly left: readonly string[]
}

/** Brings the members up to date, all of them or only those among `assetIds`. Throws 400 for a condition that is no more. */
export async function moveMembers(
  ctx: Ctx,
  flowId: string,
  ...[condition, assetIds]: [string, (readonly string[])?]
): Promise<Moved> {
  const among = (id: RawBuilder<unknown>) =>
    assetIds ? sql`${id} = any(${[...assetIds]}::uuid[])` : sql`true`
  const matching = await matchingAssets(ctx, condition, among)
  const left = await ctx.db.all(sql<{ id: string }>`
    delete from flow_members m where m.tenant_id = ${ctx.tenantId} and m.flow_id = ${flowId}
      and ${among(sql`m.asset_id`)} and m.asset_id not in (${matching})
    returning m.asset_id as id`)
  const entered = await ctx.db.all(sql<{ id: string }>`
    insert into flow_members (tenant_id, flow_id, asset_id)
    select ${ctx.tenantId}, ${flowId}, w.id from (${matching}) as w (id)
    on conflict (tenant_id, flow_id, asset_id) do nothing returning asset_id as id`)
  return { entered: entered.map(({ id }) => id), left: left.map(({ id }) => id) }
}

async function matchingAssets(
  ctx: Ctx,
  text: string,
  among: (id: RawBuilder<unknown>) => RawBuilder<unknown>,
): Promise<RawBuilder<unknown>> {
  const subject = await ctx.conditions.on(ctx, 'asset')
  const condition = readCondition(subject, 'trigger.condition', text)
  const holds = await conditionSql(condition, {
    now: ctx.now(),
    vocabulary: subject.vocabulary,
    isFilter: true,
  })
  return sql`select ${subject.id} from ${subject.from}
    where ${rowsMeant(subject, condition)} and ${among(subject.id)} and ${holds}`
}

export async function noteMembersSince(ctx: Ctx, flowId: string): Promise<void> {
  await ctx.db.run(sql`
    update flows set members_since = ${ctx.now()} where tenant_id = ${ctx.tenantId} and id = ${flowId}`)
}

/** Of a flow that is switched off: when it is on again, its first members start nothing. */
export async function forgetMembers(ctx: Ctx, flowId: string): Promise<void> {
  await ctx.db.run(sql`delete from flow_members where tenant_id = ${ctx.tenantId} and flow_id = ${flowId}`)
  await ctx.db.run(sql`
    update flows set members_since = null where tenant_id = ${ctx.tenantId} and id = ${flowId}`)
}
