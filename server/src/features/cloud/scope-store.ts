import { sql } from 'kysely'
import type { Ctx } from '#platform/context.ts'
import type { Listed, Page } from '#platform/http/paging.ts'
import { newUuid } from '#platform/uuid.ts'
import type { ScopeCoverage } from './connection.ts'
import type { PlannedScope } from './connectors/connector.ts'
import { countRead } from './total-store.ts'

/** A scope that a run has begun to read. */
export interface RunningScope extends PlannedScope {
  readonly id: string
  readonly run: number
  /** Resources that are not gone. */
  readonly present: number
  readonly emptyRuns: number
}

/** Adds scopes, or names them again. */
export async function put(
  ctx: Ctx,
  connectionId: string,
  scopes: readonly (PlannedScope & { readonly reading: string })[],
): Promise<void> {
  const rows = scopes.map((it) => ({ accountName: '', ...it, id: newUuid(ctx.now()) }))
  await ctx.db.run(sql`
    insert into cloud_scopes (tenant_id, id, connection_id, reading, account, account_name, region, type)
    select ${ctx.tenantId}, id, ${connectionId}::uuid, reading, account, "accountName", region, type
    from json_to_recordset(${JSON.stringify(rows)}::json)
      as r(id uuid, reading text, account text, "accountName" text, region text, type text)
    on conflict (tenant_id, connection_id, account, region, type) do update
      set reading = excluded.reading, account_name = excluded.account_name, retired_at = null`)
}

/** Those that a complete plan did not name, of accounts that could be looked into. What was never in use is removed. */
export async function retire(
  ctx: Ctx,
  connectionId: string,
  named: readonly PlannedScope[],
  failedAccounts: readonly string[],
): Promise<void> {
  const unnamed = sql`s.tenant_id = ${ctx.tenantId} and s.connection_id = ${connectionId}
    and s.account <> all(${[...failedAccounts]}::text[])
    and not exists (
      select from unnest(${named.map((it) => it.account)}::text[], ${named.map((it) => it.region)}::text[],
        ${named.map((it) => it.type)}::text[]) as n(account, region, type)
      where n.account = s.account and n.region = s.region and n.type = s.type)`
  await ctx.db.run(sql`
    delete from cloud_scopes s where ${unnamed} and not exists (
      select from cloud_resources r where r.tenant_id = ${ctx.tenantId} and r.scope_id = s.id)`)
  await ctx.db.run(sql`
    update cloud_scopes s set retired_at = ${ctx.now()} where ${unnamed} and s.retired_at is null`)
}

/**
 * The scopes of an account that could not be looked into. They belong to no reading until a plan names them again:
 * providers leave out what may not be read, and their silence would say that everything is gone.
 */
export async function failAccount(
  ctx: Ctx,
  connectionId: string,
  account: string,
  reason: string,
): Promise<number> {
  return ctx.db.run(sql`
    update cloud_scopes set status = 'failed', reason = ${reason}, finished_at = ${ctx.now()}, queued_at = null,
      reading = ''
    where tenant_id = ${ctx.tenantId} and connection_id = ${connectionId} and account = ${account}
      and retired_at is null`)
}

/** A job that was lost is replaced after so long. */
const QUEUED_FOR = sql`interval '2 hours'`
/** Scopes that were empty so often are read less often. */
const EMPTY_RUNS = 3
const EMPTY_INTERVAL = sql`interval '6 hours'`

/** Notes that readings wait for a worker, and answers which ones: those that nobody has queued, and that are due. */
export async function queueDue(
  ctx: Ctx,
  connectionId: string,
  readings: readonly string[],
  everything: boolean,
): Promise<string[]> {
  const now = ctx.now()
  const rows = await ctx.db.all(sql<{ reading: string }>`
    update cloud_scopes set queued_at = ${now}
    where tenant_id = ${ctx.tenantId} and connection_id = ${connectionId} and retired_at is null
      and reading = any(${[...readings]}::text[])
      and (queued_at is null or queued_at < ${now}::timestamptz - ${QUEUED_FOR})
      and (${everything} or empty_runs < ${EMPTY_RUNS} or finished_at < ${now}::timestamptz - ${EMPTY_INTERVAL})
    returning reading`)
  return [...new Set(rows.map(({ reading }) => reading))]
}

/** Begins a run of every scope of the reading. */
export function begin(ctx: Ctx, connectionId: string, reading: string): Promise<RunningScope[]> {
  return ctx.db.all(sql<RunningScope>`
    update cloud_scopes s set run = s.run + 1, status = 'running', reason = '', started_at = ${ctx.now()},
      queued_at = null, seen = 0
    where s.tenant_id = ${ctx.tenantId} and s.connection_id = ${connectionId} and s.reading = ${reading}
      and s.retired_at is null
    returning s.id, s.account, s.account_name as "accountName", s.region, s.type, s.run, s.empty_runs as "emptyRuns",
      (select count(*) from cloud_resources r
       where r.tenant_id = ${ctx.tenantId} and r.scope_id = s.id and r.gone_at is null) as present`)
}

export interface ScopeEnd {
  readonly status: 'complete' | 'partial' | 'failed'
  readonly reason: string
  readonly seen: number
  readonly emptyRuns: number
}

/** Only of the run that is the latest: another worker may have taken over. */
export async function finish(
  ctx: Ctx,
  { id, run }: Pick<RunningScope, 'id' | 'run'>,
  end: ScopeEnd,
): Promise<boolean> {
  const now = ctx.now()
  const written = await ctx.db.run(sql`
    update cloud_scopes set status = ${end.status}, reason = ${end.reason}, seen = ${end.seen},
      empty_runs = ${end.emptyRuns}, finished_at = ${now},
      completed_at = case when ${end.status} = 'complete' then ${now}::timestamptz else completed_at end
    where tenant_id = ${ctx.tenantId} and id = ${id} and run = ${run}`)
  if (written === 1) await countRead(ctx, end.status)
  return written === 1
}

/** Scopes that have not been named for long. */
export function longRetired(ctx: Ctx, connectionId: string, before: Date): Promise<{ id: string }[]> {
  return ctx.db.all(sql<{ id: string }>`
    select s.id from cloud_scopes s
    where s.tenant_id = ${ctx.tenantId} and s.connection_id = ${connectionId} and s.retired_at < ${before}
      and exists (select from cloud_resources r
        where r.tenant_id = ${ctx.tenantId} and r.scope_id = s.id and r.gone_at is null)`)
}

/** What did not go well first. */
export async function coverage(ctx: Ctx, connectionId: string, page: Page): Promise<Listed<ScopeCoverage>> {
  const items = await ctx.db.all(sql<ScopeCoverage>`
    select s.id, s.account, s.account_name as "accountName", s.region, s.type,
      s.status, s.reason, s.finished_at as "finishedAt", s.completed_at as "completedAt", s.retired_at as "retiredAt",
      case s.status when 'complete' then s.seen else (select count(*) from cloud_resources r
       where r.tenant_id = ${ctx.tenantId} and r.scope_id = s.id and r.gone_at is null) end as resources
    from cloud_scopes s
    where s.tenant_id = ${ctx.tenantId} and s.connection_id = ${connectionId}
    order by (s.retired_at is not null), array_position(array['failed', 'partial', 'pending', 'running'], s.status) nulls last,
      s.account, s.region, s.type
    limit ${page.limit} offset ${page.offset}`)
  const { total } = await ctx.db.one(sql<{ total: number }>`
    select count(*) as total from cloud_scopes where tenant_id = ${ctx.tenantId} and connection_id = ${connectionId}`)
  return { items, total }
}
