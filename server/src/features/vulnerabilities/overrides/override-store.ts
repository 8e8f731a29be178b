import { sql, type RawBuilder } from 'kysely'
import type { Ctx } from '#platform/context.ts'
import type { Listed, Page } from '#platform/http/paging.ts'
import type { ListedFinding } from '../findings/finding.ts'
import { findingsWithFacts, listedColumns, withAsset } from '../findings/search-store.ts'
import { assetsWhere } from './condition-scope-store.ts'
import {
  scopeOf,
  type NewOverride,
  type Override,
  type OverrideScope,
  type OverrideState,
} from './override.ts'

const columns = (
  ctx: Ctx,
) => sql`o.id, o.kind, o.state, o.cve_id as "cveId", o.finding_id as "findingId", o.package, o.version, o.tag, o.condition,
  o.severity, o.score::float8 / 10 as "cvssScore", o.reason, o.origin, o.expires_at as "expiresAt",
  o.created_at as "createdAt", o.created_by as "createdBy", o.created_by_name as "createdByName",
  o.approved_at as "approvedAt", o.approved_by_name as "approvedByName", o.ended_at as "endedAt",
  o.ended_because as "endedBecause",
  case when o.state = 'proposed' and o.condition is not null then 0
    when o.state = 'proposed' then ${openInScopeOf(ctx)} else (
    select count(*) from findings f where f.tenant_id = ${ctx.tenantId}
      and (f.override_id = o.id or f.rating_override_id = o.id)) end as findings`

/** The number of open findings in the scope of the override \`o\`, which has no condition. */
const openInScopeOf = (ctx: Ctx) => sql`(
  select count(*) from findings f where f.tenant_id = ${ctx.tenantId} and f.cve_id = o.cve_id and f.status = 'open'
    and not f.is_archived
    and (o.finding_id is null or f.id = o.finding_id)
    and (o.package is null or ${isOfPackage(ctx, sql`o.package`, sql`(o.version is null or ${hasVersion(sql`o.version`)})`)})
    and (o.tag is null or ${isTagged(ctx, sql`array[o.tag]`)}))`

export interface AddedOverride extends Omit<NewOverride, 'cvssScore'> {
  readonly id: string
  readonly tenths: number | null
  readonly origin: string
  readonly state: OverrideState
}

export async function add(ctx: Ctx, it: AddedOverride): Promise<void> {
  await ctx.db.run(sql`
    insert into finding_overrides (id, tenant_id, kind, cve_id, finding_id, package, version, tag, condition,
      severity, score, reason, origin, expires_at, state, created_at, created_by, created_by_name)
    values (${it.id}, ${ctx.tenantId}, ${it.kind}, ${it.cveId}, ${it.findingId ?? null}, ${it.package ?? null},
      ${it.version ?? null}, ${it.tag ?? null}, ${it.condition ?? null}, ${it.severity ?? null}, ${it.tenths}, ${it.reason}, ${it.origin},
      ${it.expiresAt ?? null}, ${it.state}, ${ctx.now()}, ${ctx.actor.id}, ${ctx.actor.name ?? ctx.actor.id})`)
}

export async function override(ctx: Ctx, id: string): Promise<Override | undefined> {
  const found = await ctx.db.all(sql<Override>`
    select ${columns(ctx)} from finding_overrides o where o.tenant_id = ${ctx.tenantId} and o.id = ${id}`)
  return (await withProposedCounts(ctx, found))[0]
}

/** Counts the open findings in the scopes of proposed overrides that have a condition; one statement for all. */
async function withProposedCounts(ctx: Ctx, overrides: readonly Override[]): Promise<Override[]> {
  const selects: Sql[] = []
  for (const it of overrides)
    if (it.state === 'proposed' && it.condition !== null)
      selects.push(sql`select ${it.id}::uuid as id, (select count(*) from findings f
        where ${await inScope(ctx, scopeOf(it))} and f.status = 'open' and not f.is_archived) as findings`)
  if (selects.length === 0) return [...overrides]
  const counted = await ctx.db.all(
    sql<Pick<Override, 'id' | 'findings'>>`${sql.join(selects, sql` union all `)}`,
  )
  const countOf = new Map(counted.map(({ id, findings }) => [id, findings]))
  return overrides.map((it) => ({ ...it, findings: countOf.get(it.id) ?? it.findings }))
}

export interface OverrideFilter {
  /** Any of these states; absent or empty: all. */
  readonly states?: readonly OverrideState[] | undefined
  readonly cveId?: string | undefined
}

/** The newest first. */
export async function overrides(
  ctx: Ctx,
  { limit, offset }: Page,
  { states, cveId }: OverrideFilter,
): Promise<Listed<Override>> {
  const where = sql`o.tenant_id = ${ctx.tenantId} and ${states?.length ? sql`o.state = any(${[...states]}::text[])` : sql`true`}
    and ${cveId ? sql`o.cve_id = ${cveId}` : sql`true`}`
  const rows = await ctx.db.all(sql<(Override | { id: null }) & { total: number }>`
    with total as (select count(*) as total from finding_overrides o where ${where})
    select total, p.* from total left join lateral (
      select ${columns(ctx)} from finding_overrides o where ${where}
      order by o.created_at desc, o.id desc limit ${limit} offset ${offset}
    ) p on true order by p."createdAt" desc, p.id desc`)
  const items = rows.flatMap(({ total: _total, ...it }) => (it.id === null ? [] : [it as Override]))
  return { items: await withProposedCounts(ctx, items), total: rows[0]?.total ?? 0 }
}

export async function approve(ctx: Ctx, id: string): Promise<void> {
  await ctx.db.run(sql`
    update finding_overrides set state = 'active', approved_at = ${ctx.now()},
      approved_by_name = ${ctx.actor.name ?? ctx.actor.id}
    where tenant_id = ${ctx.tenantId} and id = ${id}`)
}

export async function end(ctx: Ctx, id: string, because: string): Promise<void> {
  await ctx.db.run(sql`
    update finding_overrides set state = 'ended', ended_at = ${ctx.now()}, ended_because = ${because}
    where tenant_id = ${ctx.tenantId} and id = ${id}`)
}

/** Overrides in force by tag or condition; what these ask about changes without an event. */
export function byTagOrCondition(ctx: Ctx, limit: number): Promise<Override[]> {
  return ctx.db.all(sql<Override>`
    select ${columns(ctx)} from finding_overrides o
    where o.tenant_id = ${ctx.tenantId} and o.state = 'active'
      and (o.tag is not null or o.condition is not null) order by o.id limit ${limit}`)
}

/** Tenants with overrides that `expired` answers. */
export async function tenantsWithExpired(system: Ctx): Promise<string[]> {
  const rows = await system.db.all(sql<{ id: string }>`
    select distinct tenant_id as id from finding_overrides
    where state <> 'ended' and expires_at <= ${system.now()}`)
  return rows.map(({ id }) => id)
}

/** Overrides that have not ended although their `expires_at` has passed, the earliest first. */
export async function expired(ctx: Ctx, limit: number): Promise<string[]> {
  const rows = await ctx.db.all(sql<{ id: string }>`
    select id from finding_overrides
    where tenant_id = ${ctx.tenantId} and state <> 'ended' and expires_at <= ${ctx.now()}
    order by expires_at limit ${limit}`)
  return rows.map(({ id }) => id)
}

/** Conditions: the finding has this CVE, an attribution with this software, and an asset with this tag or condition. */
async function inScope(
  ctx: Ctx,
  { cveId, findingId, package: name, version, tag, condition }: OverrideScope,
): Promise<Sql> {
  const given = [
    sql`f.tenant_id = ${ctx.tenantId}`,
    sql`f.cve_id = ${cveId}`,
    findingId && sql`f.id = ${findingId}`,
    name && isOfPackage(ctx, sql`${name}`, version ? hasVersion(sql`${version}::text`) : sql`true`),
    tag && isTagged(ctx, sql`${[tag]}::text[]`),
    condition && sql`f.asset_id in (${await assetsWhere(ctx, condition)})`,
  ].filter((it) => it !== undefined && it !== '')
  return sql.join(given, sql` and `)
}

type Sql = RawBuilder<unknown>

const isOfPackage = (ctx: Ctx, name: Sql, version: Sql) => sql`exists (
  select from finding_attributions a join software_matches m on m.id = a.match_id
  where a.tenant_id = ${ctx.tenantId} and a.finding_id = f.id and a.ended_at is null and m.tenant_id = ${ctx.tenantId}
    and ${name} in (m.package, m.derivation ->> 'package') and ${version})`

const hasVersion = (version: Sql) =>
  sql`(m.software = m.package || ' ' || ${version} or m.derivation ->> 'installedVersion' = ${version})`

const isTagged = (ctx: Ctx, tags: Sql) => sql`exists (
  select from assets t where t.tenant_id = ${ctx.tenantId} and t.id = f.asset_id and t.tags @> ${tags})`

/** Findings that the override changes, or has changed. */
export async function findingsInScope(ctx: Ctx, scope: OverrideScope, id: string | null): Promise<string[]> {
  const rows = await ctx.db.all(sql<{ id: string }>`
    select f.id from findings f where ${await inScope(ctx, scope)}
    union
    select f.id from findings f where f.tenant_id = ${ctx.tenantId} and (f.override_id = ${id} or f.rating_override_id = ${id})`)
  return rows.map((row) => row.id)
}

/** Open findings in the scope, highest score first. */
export async function openInScope(
  ctx: Ctx,
  { limit, offset }: Page,
  scope: OverrideScope,
): Promise<Listed<ListedFinding>> {
  const where = sql`${await inScope(ctx, scope)} and f.status = 'open' and not f.is_archived`
  const rows = await ctx.db.all(sql<(ListedFinding | { id: null }) & { total: number }>`
    with total as (select count(*) as total from findings f where ${where})
    select total, p.* from total left join lateral (
      select ${listedColumns} from ${findingsWithFacts(ctx)} ${withAsset(ctx)} where ${where}
      order by f.score desc, f.id desc limit ${limit} offset ${offset}
    ) p on true order by p."cvssScore" desc, p.id desc`)
  const items = rows.flatMap(({ total: _total, ...it }) => (it.id === null ? [] : [it as ListedFinding]))
  return { items, total: rows[0]?.total ?? 0 }
}

export async function needsApproval(ctx: Ctx): Promise<boolean> {
  const row = await ctx.db.maybe(sql<{ needsApproval: boolean }>`
    select needs_approval as "needsApproval" from finding_settings where tenant_id = ${ctx.tenantId}`)
  return row?.needsApproval ?? false
}

export async function setNeedsApproval(ctx: Ctx, needs: boolean): Promise<void> {
  await ctx.db.run(sql`
    insert into finding_settings (tenant_id, needs_approval) values (${ctx.tenantId}, ${needs})
    on conflict (tenant_id) do update set needs_approval = excluded.needs_approval`)
}

/** Active and proposed overrides of a VEX document, from an earlier import. */
export function ofOrigin(ctx: Ctx, origin: string): Promise<Override[]> {
  return ctx.db.all(sql<Override>`
    select ${columns(ctx)} from finding_overrides o
    where o.tenant_id = ${ctx.tenantId} and o.origin = ${origin} and o.state <> 'ended'`)
}

export interface OverrideInForce extends Override {
  readonly assetId: string | null
  readonly software: string | null
}

/** Keyset page of active overrides, with asset and software of those about one finding. */
export function inForce(ctx: Ctx, after: string, limit: number): Promise<OverrideInForce[]> {
  return ctx.db.all(sql<OverrideInForce>`
    select ${columns(ctx)}, f.asset_id as "assetId", f.software from finding_overrides o
    left join findings f on f.id = o.finding_id and f.tenant_id = ${ctx.tenantId}
    where o.tenant_id = ${ctx.tenantId} and o.state = 'active' and o.id > ${after} order by o.id limit ${limit}`)
}
