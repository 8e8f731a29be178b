import { sql } from 'kysely'
import type { Ctx } from '#platform/context.ts'
import { keyOf } from '../catalogue/catalogue.ts'
import type { ControlStatus } from './status.ts'

/** Statuses of controls, and how they changed. */

export interface ControlState {
  readonly framework: string
  readonly controlId: string
  readonly status: ControlStatus
  readonly since: string
  readonly cause: Cause
}

/** Of the last change. */
export interface Cause {
  readonly why: readonly string[]
  /** Ids of assets that failed then, at most a thousand. */
  readonly failing: readonly string[]
}

const columns = sql`framework, control_id as "controlId", status, since, cause`

export function controlStates(ctx: Ctx): Promise<ControlState[]> {
  return ctx.db.all(sql<ControlState>`
    select ${columns} from compliance_control_states where tenant_id = ${ctx.tenantId}`)
}

export type StatusOfControl = Pick<ControlState, 'framework' | 'controlId' | 'status'>

/** Without their causes, which may be a thousand ids of each. */
export function statusesOfControls(ctx: Ctx): Promise<StatusOfControl[]> {
  return ctx.db.all(sql<StatusOfControl>`
    select framework, control_id as "controlId", status from compliance_control_states
    where tenant_id = ${ctx.tenantId}`)
}

/** Of these controls: the assets that failed when their status changed last. */
export async function failedBefore(
  ctx: Ctx,
  controls: readonly Pick<ControlState, 'framework' | 'controlId'>[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const found = await ctx.db.all(
    sql<Pick<ControlState, 'framework' | 'controlId'> & Pick<Cause, 'failing'>>`
      select c.framework, c.control_id as "controlId", c.cause -> 'failing' as failing
      from unnest(${controls.map((it) => it.framework)}::text[], ${controls.map((it) => it.controlId)}::text[])
        as n (framework, control_id)
      join compliance_control_states c
        on c.tenant_id = ${ctx.tenantId} and c.framework = n.framework and c.control_id = n.control_id`,
  )
  return new Map(found.map(({ framework, controlId, failing }) => [keyOf(framework, controlId), failing]))
}

export interface NewStatus {
  readonly framework: string
  readonly controlId: string
  readonly status: ControlStatus
  readonly previous: ControlStatus
  readonly cause: Cause
}

/**
 * Writes statuses and one row of history for each that differs from what is written. Answers those alone: under the lock
 * of the adoptions no other transaction can have written the same change.
 */
export async function writeStatuses(ctx: Ctx, statuses: readonly NewStatus[]): Promise<NewStatus[]> {
  const given = sql`json_to_recordset(${JSON.stringify(statuses)}::json)
    as n(framework text, "controlId" text, status text, previous text, cause jsonb)`
  await ctx.db.run(sql`
    insert into compliance_control_states (tenant_id, framework, control_id, status, since, cause)
    select ${ctx.tenantId}, framework, "controlId", 'not_assessed', ${ctx.now()}, '{"why": [], "failing": []}'
    from ${given} on conflict (tenant_id, framework, control_id) do nothing`)
  const changed = await ctx.db.all(sql<{ framework: string; controlId: string }>`
    update compliance_control_states c set status = n.status, since = ${ctx.now()}, cause = n.cause
    from ${given}
    where c.tenant_id = ${ctx.tenantId} and c.framework = n.framework and c.control_id = n."controlId"
      and c.status is distinct from n.status
    returning c.framework, c.control_id as "controlId"`)
  const keys = new Set(changed.map(({ framework, controlId }) => keyOf(framework, controlId)))
  const written = statuses.filter(({ framework, controlId }) => keys.has(keyOf(framework, controlId)))
  await ctx.db.run(sql`
    insert into compliance_control_changes (tenant_id, framework, control_id, from_status, to_status, changed_at, why)
    select ${ctx.tenantId}, framework, "controlId", previous, status, ${ctx.now()},
      array(select jsonb_array_elements_text(cause -> 'why'))
    from json_to_recordset(${JSON.stringify(written)}::json)
      as n(framework text, "controlId" text, status text, previous text, cause jsonb)`)
  return written
}

export async function removeFramework(ctx: Ctx, framework: string): Promise<void> {
  await ctx.db.run(sql`
    delete from compliance_control_states where tenant_id = ${ctx.tenantId} and framework = ${framework}`)
}

export interface ControlChange {
  readonly id: number
  /** Of what it was judged on; null: not recorded yet. */
  readonly evidenceId: string | null
  readonly from: ControlStatus
  readonly to: ControlStatus
  readonly changedAt: string
  readonly why: readonly string[]
}

/** The newest first. */
export function changesOf(
  ctx: Ctx,
  { framework, controlId }: { readonly framework: string; readonly controlId: string },
  limit: number,
): Promise<ControlChange[]> {
  return ctx.db.all(sql<ControlChange>`
    select id, evidence_id as "evidenceId", from_status as "from", to_status as "to", changed_at as "changedAt", why
    from compliance_control_changes
    where tenant_id = ${ctx.tenantId} and framework = ${framework} and control_id = ${controlId}
    order by id desc limit ${limit}`)
}

/** The status that each control had at an instant, where it has changed since. */
export function statusesAt(
  ctx: Ctx,
  at: Date,
): Promise<{ readonly framework: string; readonly controlId: string; readonly status: ControlStatus }[]> {
  return ctx.db.all(sql<{ framework: string; controlId: string; status: ControlStatus }>`
    select distinct on (framework, control_id) framework, control_id as "controlId", from_status as status
    from compliance_control_changes where tenant_id = ${ctx.tenantId} and changed_at >= ${at}
    order by framework, control_id, id`)
}

/** Of each control that ever changed the status before the one it has. */
export function formerStatuses(
  ctx: Ctx,
): Promise<{ readonly framework: string; readonly controlId: string; readonly status: ControlStatus }[]> {
  return ctx.db.all(sql<{ framework: string; controlId: string; status: ControlStatus }>`
    select distinct on (framework, control_id) framework, control_id as "controlId", from_status as status
    from compliance_control_changes where tenant_id = ${ctx.tenantId}
    order by framework, control_id, id desc`)
}

/** How many controls of a framework had each status at an instant. */
export interface MonthOfFramework {
  readonly at: string
  readonly pass: number
  readonly warning: number
  readonly fail: number
}

const MONTHS = 12

/** At the end of each of the last twelve months, in UTC, and now; the oldest first. */
export function monthsOf(ctx: Ctx, framework: string): Promise<MonthOfFramework[]> {
  const now = ctx.now()
  const ends = Array.from({ length: MONTHS }, (_, back) =>
    new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - back, 1)).toISOString(),
  )
  const points = [...ends.reverse(), now.toISOString()]
  return ctx.db.all(sql<MonthOfFramework>`
    select p.at, count(*) filter (where c.status = 'pass') as pass,
      count(*) filter (where c.status = 'warning') as warning, count(*) filter (where c.status = 'fail') as fail
    from unnest(${points}::timestamptz[]) as p(at)
    left join lateral (
      select distinct on (control_id) to_status as status from compliance_control_changes
      where tenant_id = ${ctx.tenantId} and framework = ${framework} and changed_at <= p.at
      order by control_id, id desc
    ) c on true
    group by p.at order by p.at`)
}
