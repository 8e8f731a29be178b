import { sql } from 'kysely'
import type { Filter } from '#platform/conditions/with-condition.ts'
import type { Ctx } from '#platform/context.ts'
import { newUuid } from '#platform/uuid.ts'
import { conditions } from '../findings/list-store.ts'
import type { FindingStatus } from '../findings/finding.ts'
import type { OverrideState } from './override.ts'

/** Overrides of many findings at once, each about one finding. */

export interface FindingOverride {
  readonly id: string
  readonly findingId: string
}

/** In the order of ids; without a status any. */
export async function idsAfter(
  ctx: Ctx,
  { from, where }: Filter,
  { status, after, limit }: { status: FindingStatus | undefined; after: string | undefined; limit: number },
): Promise<string[]> {
  const rows = await ctx.db.all(sql<{ id: string }>`
    select f.id from ${from} where ${where} and ${conditions(ctx, status === undefined ? {} : { status }, 'f')}
      and ${after === undefined ? sql`true` : sql`f.id > ${after}`} order by f.id limit ${limit}`)
  return rows.map(({ id }) => id)
}

export async function existing(ctx: Ctx, ids: readonly string[]): Promise<string[]> {
  const rows = await ctx.db.all(sql<{ id: string }>`
    select id from findings where tenant_id = ${ctx.tenantId} and id = any(${[...ids]}::uuid[])`)
  return rows.map(({ id }) => id)
}

export interface AddedOverrides {
  readonly kind: 'accepted_risk' | 'false_positive'
  readonly reason: string
  readonly expiresAt: string | undefined
  readonly state: OverrideState
}

/** For those of the findings that are open and for which none of the kind is proposed. */
export function add(
  ctx: Ctx,
  findingIds: readonly string[],
  { kind, reason, expiresAt, state }: AddedOverrides,
): Promise<FindingOverride[]> {
  const ids = findingIds.map(() => newUuid(ctx.now()))
  return ctx.db.all(sql<FindingOverride>`
    insert into finding_overrides (id, tenant_id, kind, cve_id, finding_id, reason, origin, expires_at, state, created_at,
      created_by, created_by_name)
    select r.id, ${ctx.tenantId}, ${kind}, f.cve_id, f.id, ${reason}, 'person', ${expiresAt ?? null}::timestamptz, ${state},
      ${ctx.now()}::timestamptz, ${ctx.actor.id}, ${ctx.actor.name ?? ctx.actor.id}
    from unnest(${ids}::uuid[], ${[...findingIds]}::uuid[]) as r (id, finding_id)
    join findings f on f.tenant_id = ${ctx.tenantId} and f.id = r.finding_id
    where f.status = 'open' and not exists (
      select from finding_overrides o where o.tenant_id = ${ctx.tenantId} and o.cve_id = f.cve_id
        and o.finding_id = f.id and o.kind = ${kind} and o.state = 'proposed')
    returning id, finding_id as "findingId"`)
}

/** Those of the overrides that have not ended yet. */
export function end(ctx: Ctx, ids: readonly string[], because: string): Promise<FindingOverride[]> {
  return ctx.db.all(sql<FindingOverride>`
    update finding_overrides set state = 'ended', ended_at = ${ctx.now()}, ended_because = ${because}
    where tenant_id = ${ctx.tenantId} and id = any(${[...ids]}::uuid[]) and state <> 'ended'
    returning id, finding_id as "findingId"`)
}

/** Those in force that are about one of the findings alone and close it. */
export function endOfFindings(
  ctx: Ctx,
  findingIds: readonly string[],
  because: string,
): Promise<FindingOverride[]> {
  return ctx.db.all(sql<FindingOverride>`
    update finding_overrides o set state = 'ended', ended_at = ${ctx.now()}, ended_because = ${because}
    from findings f
    where o.tenant_id = ${ctx.tenantId} and f.tenant_id = ${ctx.tenantId} and f.id = any(${[...findingIds]}::uuid[])
      and o.cve_id = f.cve_id and o.finding_id = f.id and o.state = 'active' and o.kind <> 'severity'
    returning o.id, o.finding_id as "findingId"`)
}

/** Overrides that were ended are in force again; those whose time is up stay ended. */
export function resume(ctx: Ctx, ids: readonly string[]): Promise<FindingOverride[]> {
  return ctx.db.all(sql<FindingOverride>`
    update finding_overrides set state = 'active', ended_at = null, ended_because = null
    where tenant_id = ${ctx.tenantId} and id = any(${[...ids]}::uuid[]) and state = 'ended'
      and (expires_at is null or expires_at > ${ctx.now()})
    returning id, finding_id as "findingId"`)
}
