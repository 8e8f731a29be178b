import { sql, type RawBuilder } from 'kysely'
import type { Truth } from '#platform/conditions/three-valued-logic.ts'
import type { Ctx } from '#platform/context.ts'
import type { Listed, Page } from '#platform/http/paging.ts'
import { isExcepted, type ControlSql } from '../exceptions/excepted-store.ts'

/** What checks found: counts of each, and the assets that are not in order. */

export interface Counts {
  readonly inScope: number
  readonly ok: number
  readonly failed: number
  readonly unknown: number
}

/** A check as part of statements over the tables `from`. */
export interface CheckSql {
  readonly from: RawBuilder<unknown>
  /** The id of the asset. */
  readonly id: RawBuilder<unknown>
  /** The tenant's assets in scope. */
  readonly where: RawBuilder<unknown>
  /** That an asset of the tenant is in scope. */
  readonly isInScope: RawBuilder<boolean>
  /** NULL where unknown. */
  readonly isOk: RawBuilder<Truth>
}

/** One row for each check, locked in its order until the end of the transaction. */
export async function lockState(ctx: Ctx, checkId: string): Promise<void> {
  await ctx.db.run(sql`
    insert into compliance_check_states (tenant_id, check_id) values (${ctx.tenantId}, ${checkId})
    on conflict (tenant_id, check_id) do nothing`)
  await ctx.db.run(sql`
    select from compliance_check_states where tenant_id = ${ctx.tenantId} and check_id = ${checkId} for update`)
}

/** What a round would count; writes nothing. */
export function countAll(ctx: Ctx, check: CheckSql): Promise<Counts> {
  return ctx.db.one(sql<Counts>`
    select count(*) as "inScope", count(*) filter (where is_ok) as ok, count(*) filter (where not is_ok) as failed,
      count(*) filter (where is_ok is null) as unknown
    from (select ${check.isOk} as is_ok from ${check.from} where ${check.where}) judged`)
}

export interface CheckState extends Counts {
  readonly checkId: string
  readonly excepted: number
  /** The revision of the check that was judged; null until a round over all assets has judged the present one. */
  readonly revision: number | null
  /** Null: never. */
  readonly judgedAt: string | null
  /** Why it could not be judged. */
  readonly fault: string | null
}

/** A check that was judged over all assets. */
export interface JudgedOverAll {
  readonly checkId: string
  readonly revision: number
  readonly scope: string
}

/** A row for each check, so that its counts can move; of one that changed, that it is being judged anew. */
export async function addStates(
  ctx: Ctx,
  checks: readonly { readonly id: string; readonly revision: number }[],
): Promise<void> {
  await ctx.db.run(sql`
    insert into compliance_check_states (tenant_id, check_id)
    select ${ctx.tenantId}, check_id from unnest(${checks.map(({ id }) => id)}::text[]) as check_id
    on conflict (tenant_id, check_id) do nothing`)
  await ctx.db.run(sql`
    update compliance_check_states c set revision = null
    from unnest(${checks.map(({ id }) => id)}::text[], ${checks.map(({ revision }) => revision)}::int[]) as n (id, revision)
    where c.tenant_id = ${ctx.tenantId} and c.check_id = n.id and c.revision <> n.revision`)
}

/**
 * After a round over all assets: counts what is written, without exceptions, and answers by how many the counts were
 * wrong.
 */
export async function writeStates(ctx: Ctx, judged: readonly JudgedOverAll[]): Promise<number> {
  const { drift } = await ctx.db.one(sql<{ drift: number }>`
    with counted as materialized (
      select check_id, count(*) filter (where outcome = 'f') as failed, count(*) filter (where outcome = 'u') as unknown
      from compliance_results where tenant_id = ${ctx.tenantId} group by check_id
    ), judged as materialized (
      select c.check_id, j.revision, s.number, c.failed as failed_before, c.unknown as unknown_before,
        coalesce(n.failed, 0) as failed, coalesce(n.unknown, 0) as unknown
      from json_to_recordset(${JSON.stringify(judged)}::json) as j("checkId" text, revision int, scope text)
      join compliance_check_states c on c.tenant_id = ${ctx.tenantId} and c.check_id = j."checkId"
      left join compliance_scopes s on s.tenant_id = ${ctx.tenantId} and s.scope = j.scope
      left join counted n on n.check_id = c.check_id
    ), written as (
      update compliance_check_states c set failed = j.failed, unknown = j.unknown, excepted = 0, revision = j.revision,
        judged_at = ${ctx.now()}, fault = null, scope_number = j.number
      from judged j where c.tenant_id = ${ctx.tenantId} and c.check_id = j.check_id
    )
    select coalesce(sum(abs(failed - failed_before) + abs(unknown - unknown_before)), 0)::bigint as drift from judged`)
  return drift
}

/** Of a check that cannot be read: nothing is known of it. */
export async function writeFault(ctx: Ctx, checkId: string, fault: string): Promise<void> {
  await ctx.db.run(sql`
    delete from compliance_results where tenant_id = ${ctx.tenantId} and check_id = ${checkId}`)
  await ctx.db.run(sql`
    update compliance_check_states set failed = 0, unknown = 0, excepted = 0, revision = null, judged_at = null,
      scope_number = null, fault = ${fault}
    where tenant_id = ${ctx.tenantId} and check_id = ${checkId}`)
}

export function states(ctx: Ctx): Promise<CheckState[]> {
  return ctx.db.all(sql<CheckState>`
    select c.check_id as "checkId", coalesce(s.assets, 0) as "inScope",
      greatest(coalesce(s.assets, 0) - c.failed - c.unknown, 0) as ok, c.failed, c.unknown, c.excepted, c.revision,
      c.judged_at as "judgedAt", c.fault
    from compliance_check_states c
    left join compliance_scopes s on s.tenant_id = ${ctx.tenantId} and s.number = c.scope_number
    where c.tenant_id = ${ctx.tenantId}`)
}

/** Of assets that failed, those under an exception in force. */
export async function countExcepted(ctx: Ctx, checkId: string): Promise<number> {
  const { n } = await ctx.db.one(sql<{ n: number }>`
    select count(*) as n from compliance_results r
    where r.tenant_id = ${ctx.tenantId} and r.check_id = ${checkId} and r.outcome = 'f' and ${isExcepted(ctx)}`)
  return n
}

/** Failures of these assets that are under an exception in force. */
export function exceptedFailures(
  ctx: Ctx,
  assetIds: readonly string[],
): Promise<{ readonly checkId: string; readonly assetId: string }[]> {
  return ctx.db.all(sql<{ checkId: string; assetId: string }>`
    select r.check_id as "checkId", r.asset_id as "assetId" from compliance_results r
    where r.tenant_id = ${ctx.tenantId} and r.asset_id = any(${[...assetIds]}::uuid[]) and r.outcome = 'f'
      and ${isExcepted(ctx)}`)
}

export interface AffectedAsset {
  readonly assetId: string
  readonly name: string
  readonly outcome: 'failed' | 'unknown'
  readonly since: string
  readonly isExcepted: boolean
}

/** Assets that fail, then those of which it is unknown; each by name. */
export async function affectedAssets(
  ctx: Ctx,
  { limit, offset }: Page,
  checkId: string,
): Promise<Listed<AffectedAsset>> {
  const items = await ctx.db.all(sql<AffectedAsset>`
    select r.asset_id as "assetId", a.name, case r.outcome when 'f' then 'failed' else 'unknown' end as outcome,
      r.since, r.outcome = 'f' and ${isExcepted(ctx)} as "isExcepted"
    from compliance_results r join assets a on a.tenant_id = ${ctx.tenantId} and a.id = r.asset_id
    where r.tenant_id = ${ctx.tenantId} and r.check_id = ${checkId}
    order by r.outcome, a.name, r.asset_id limit ${limit} offset ${offset}`)
  const { total } = await ctx.db.one(sql<{ total: number }>`
    select count(*) as total from compliance_results r join assets a on a.tenant_id = ${ctx.tenantId} and a.id = r.asset_id
    where r.tenant_id = ${ctx.tenantId} and r.check_id = ${checkId}`)
  return { items, total }
}

/** At most `limit` of those, each by id: reads no more than it answers where a million are affected. */
export async function firstAffected(
  ctx: Ctx,
  checkId: string,
  { limit, control }: { readonly limit: number; readonly control?: ControlSql | undefined },
): Promise<AffectedAsset[]> {
  const failed = await affectedWith(ctx, checkId, { outcome: 'f', limit, control })
  return [...failed, ...(await affectedWith(ctx, checkId, { outcome: 'u', limit: limit - failed.length }))]
}

interface AffectedAsked {
  readonly outcome: 'f' | 'u'
  readonly limit: number
  /** Exceptions from it count as well. */
  readonly control?: ControlSql | undefined
}

const affectedWith = (
  ctx: Ctx,
  checkId: string,
  { outcome, limit, control }: AffectedAsked,
): Promise<AffectedAsset[]> =>
  ctx.db.all(sql<AffectedAsset>`
    select r.asset_id as "assetId", a.name, case r.outcome when 'f' then 'failed' else 'unknown' end as outcome,
      r.since, r.outcome = 'f' and ${isExcepted(ctx, control)} as "isExcepted"
    from (select * from compliance_results where tenant_id = ${ctx.tenantId} and check_id = ${checkId}
      and outcome = ${outcome} order by asset_id limit ${limit}) r
    join assets a on a.tenant_id = ${ctx.tenantId} and a.id = r.asset_id
    order by r.asset_id`)

/** Of these assets, those that fail the check, by name. */
export function failuresAmong(
  ctx: Ctx,
  checkId: string,
  assetIds: readonly string[],
): Promise<AffectedAsset[]> {
  return ctx.db.all(sql<AffectedAsset>`
    select r.asset_id as "assetId", a.name, 'failed' as outcome, r.since, ${isExcepted(ctx)} as "isExcepted"
    from compliance_results r join assets a on a.tenant_id = ${ctx.tenantId} and a.id = r.asset_id
    where r.tenant_id = ${ctx.tenantId} and r.check_id = ${checkId} and r.outcome = 'f'
      and r.asset_id = any(${[...assetIds]}::uuid[])
    order by a.name, r.asset_id`)
}

/** The assets behind a control's status. */
export interface Causes {
  /** Failed and not under an exception, ascending. */
  readonly failing: readonly string[]
  readonly failingCount: number
  /** Failed under an exception, or unknown. */
  readonly doubtful: readonly string[]
  readonly doubtfulCount: number
  /** Of the assets asked about, those still in scope of a check that no check finds out of order any more. */
  readonly recovered: readonly string[]
}

export interface CausesAsked {
  readonly failedBefore: readonly string[]
  readonly limit: number
  /** With an exception from it. */
  readonly control?: ControlSql | undefined
}

/** Ids ascending, at most `limit` of each. */
export async function causesOf(
  ctx: Ctx,
  checkIds: readonly string[],
  { failedBefore, limit, control }: CausesAsked,
): Promise<Causes> {
  return ctx.db.one(sql<Causes>`
    with found as materialized (
      select r.asset_id, bool_or(r.outcome = 'f' and not ${isExcepted(ctx, control)}) as is_failing
      from compliance_results r where r.tenant_id = ${ctx.tenantId} and r.check_id = any(${[...checkIds]}::text[])
      group by r.asset_id
    )
    select array(select asset_id from found where is_failing order by 1 limit ${limit}) as failing,
      array(select asset_id from found where not is_failing order by 1 limit ${limit}) as doubtful,
      (select count(*) from found where is_failing) as "failingCount",
      (select count(*) from found where not is_failing) as "doubtfulCount",
      array(select n.id from unnest(${[...failedBefore]}::uuid[]) as n (id)
        where not exists (select from found where found.asset_id = n.id) and exists (
          select from compliance_assets c
          join assets a on a.tenant_id = ${ctx.tenantId} and a.id = c.asset_id
          join compliance_check_states s on s.tenant_id = ${ctx.tenantId} and s.scope_number = any(c.scopes)
            and s.check_id = any(${[...checkIds]}::text[])
          where c.tenant_id = ${ctx.tenantId} and c.asset_id = n.id)) as recovered`)
}

/** Everything that was written of checks that no adopted framework asks for any more. */
export async function removeOthers(ctx: Ctx, checkIds: readonly string[]): Promise<void> {
  await ctx.db.run(sql`
    delete from compliance_results
    where tenant_id = ${ctx.tenantId} and check_id <> all(${[...checkIds]}::text[])`)
  await ctx.db.run(sql`
    delete from compliance_check_states
    where tenant_id = ${ctx.tenantId} and check_id <> all(${[...checkIds]}::text[])`)
}

/** Counts again what is under an exception, under the lock of the adoptions. */
export async function recountExcepted(ctx: Ctx, checkId: string): Promise<void> {
  await lockState(ctx, checkId)
  const excepted = await countExcepted(ctx, checkId)
  await ctx.db.run(sql`
    update compliance_check_states set excepted = least(${excepted}::bigint, failed)
    where tenant_id = ${ctx.tenantId} and check_id = ${checkId}`)
}
