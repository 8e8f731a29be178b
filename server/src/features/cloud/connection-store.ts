import { sql } from 'kysely'
import type { Ctx } from '#platform/context.ts'
import type { CloudConnection } from './connection.ts'

const columns = (
  ctx: Ctx,
) => sql`id, provider, name, settings ->> 'signIn' as "signIn", settings -> 'values' as settings,
  is_enabled as "isEnabled", reads_costs as "readsCosts", problem, planned_at as "plannedAt", next_plan_at as "nextPlanAt", created_at as "createdAt",
  greatest(
    (select count(*) from cloud_resources r where r.tenant_id = ${ctx.tenantId} and r.connection_id = c.id
      and r.gone_at is null),
    (select sum(s.seen) from cloud_scopes s where s.tenant_id = ${ctx.tenantId} and s.connection_id = c.id
      and s.retired_at is null and s.status = 'complete')) as resources,
  (select count(*) from cloud_scopes s where s.tenant_id = ${ctx.tenantId} and s.connection_id = c.id
    and s.retired_at is null) as scopes,
  (select count(*) from cloud_scopes s where s.tenant_id = ${ctx.tenantId} and s.connection_id = c.id
    and s.retired_at is null and s.status = 'complete') as "completeScopes",
  (select count(*) from cloud_scopes s where s.tenant_id = ${ctx.tenantId} and s.connection_id = c.id
    and s.retired_at is null and (s.status in ('pending', 'running') or s.queued_at is not null)) as "pendingScopes"`

export interface NewConnection extends Pick<
  CloudConnection,
  'id' | 'provider' | 'name' | 'signIn' | 'settings'
> {
  readonly secretSealed: Buffer | null
  readonly createdAt: Date
}

export function add(ctx: Ctx, row: NewConnection): Promise<CloudConnection> {
  const settings = JSON.stringify({ signIn: row.signIn, values: row.settings })
  return ctx.db.one(sql<CloudConnection>`
    insert into cloud_connections as c (tenant_id, id, provider, name, settings, secret_sealed, next_plan_at, created_at)
    values (${ctx.tenantId}, ${row.id}, ${row.provider}, ${row.name}, ${settings}::jsonb, ${row.secretSealed},
      ${row.createdAt}, ${row.createdAt})
    returning ${columns(ctx)}`)
}

export function connections(ctx: Ctx): Promise<CloudConnection[]> {
  return ctx.db.all(sql<CloudConnection>`
    select ${columns(ctx)} from cloud_connections c where tenant_id = ${ctx.tenantId} order by name, id`)
}

export function connection(ctx: Ctx, id: string): Promise<CloudConnection | undefined> {
  return ctx.db.maybe(sql<CloudConnection>`
    select ${columns(ctx)} from cloud_connections c where tenant_id = ${ctx.tenantId} and id = ${id}`)
}

/** Locked until the transaction ends. */
export function locked(ctx: Ctx, id: string): Promise<CloudConnection | undefined> {
  return ctx.db.maybe(sql<CloudConnection>`
    select ${columns(ctx)} from cloud_connections c where tenant_id = ${ctx.tenantId} and id = ${id} for update`)
}

export async function sealedSecret(ctx: Ctx, id: string): Promise<Buffer | undefined> {
  const row = await ctx.db.maybe(sql<{ sealed: Buffer | null }>`
    select secret_sealed as sealed from cloud_connections where tenant_id = ${ctx.tenantId} and id = ${id}`)
  return row?.sealed ?? undefined
}

export interface ConnectionChange {
  readonly name: string
  readonly isEnabled: boolean
  /** Absent: as it is. */
  readonly secretSealed?: Buffer
}

export async function change(ctx: Ctx, id: string, to: ConnectionChange): Promise<void> {
  await ctx.db.run(sql`
    update cloud_connections set name = ${to.name}, is_enabled = ${to.isEnabled},
      secret_sealed = coalesce(${to.secretSealed ?? null}::bytea, secret_sealed)
    where tenant_id = ${ctx.tenantId} and id = ${id}`)
}

export async function changeCosts(
  ctx: Ctx,
  id: string,
  { readsCosts, settings }: Pick<CloudConnection, 'readsCosts' | 'settings'>,
): Promise<void> {
  await ctx.db.run(sql`
    update cloud_connections set reads_costs = ${readsCosts},
      settings = jsonb_set(settings, '{values}', ${JSON.stringify(settings)}::jsonb)
    where tenant_id = ${ctx.tenantId} and id = ${id}`)
}

/** With its scopes and resources. */
export async function remove(ctx: Ctx, id: string): Promise<void> {
  await ctx.db.run(sql`delete from cloud_connections where tenant_id = ${ctx.tenantId} and id = ${id}`)
}

export async function planAt(ctx: Ctx, id: string, at: Date): Promise<void> {
  await ctx.db.run(sql`
    update cloud_connections set next_plan_at = ${at} where tenant_id = ${ctx.tenantId} and id = ${id}`)
}

/** Takes the planning that is due at `at`; false when it was taken before or another time has been set since. */
export async function takePlanning(ctx: Ctx, id: string, at: Date, next: Date): Promise<boolean> {
  const taken = await ctx.db.run(sql`
    update cloud_connections set next_plan_at = ${next}, planning_for = ${at}
    where tenant_id = ${ctx.tenantId} and id = ${id} and is_enabled and next_plan_at = ${at}`)
  return taken === 1
}

/** Whether the planning that was due at `at` is the latest that was taken: its job runs again. */
export async function isPlanning(ctx: Ctx, id: string, at: Date): Promise<boolean> {
  const { found } = await ctx.db.one(sql<{ found: boolean }>`
    select exists (select from cloud_connections
      where tenant_id = ${ctx.tenantId} and id = ${id} and is_enabled and planning_for = ${at}) as found`)
  return found
}

/** `plannedAt` is null when the plan did not come to its end. */
export async function notePlan(ctx: Ctx, id: string, problem: string, plannedAt: Date | null): Promise<void> {
  await ctx.db.run(sql`
    update cloud_connections set problem = ${problem}, planned_at = coalesce(${plannedAt}::timestamptz, planned_at)
    where tenant_id = ${ctx.tenantId} and id = ${id}`)
}
