import { sql } from 'kysely'
import { tenantOfRow } from '#platform/cli/tenant-of-row.ts'
import { normalizeText } from '#platform/conditions/normalize-text.ts'
import { inOrder, subjectPage, type ListQuery } from '#platform/conditions/lists/subject-page.ts'
import type { Ctx } from '#platform/context.ts'
import type { Listed, Page } from '#platform/http/paging.ts'
import type { DiscoveryRun, RunStatus } from './discovery.ts'

const columns = sql`id, discovery_id as "discoveryId", name, cause, target_id as "targetId", entries, exclusions, types,
  hosts_at_once as "hostsAtOnce", zone, windows, started_by as "startedBy", status, message, attempt,
  sweep_scan_id as "sweepScanId", addresses_total as "addressesTotal", addresses_done as "addressesDone",
  addresses_settled as "addressesSettled", unreachable, stops, slowed, hosts_found as "hostsFound", hosts_done as "hostsDone",
  logged_in as "loggedIn", refused, unanswered, not_asked as "notAsked", compared_run_id as "comparedRunId",
  new_hosts as "newHosts", changed_hosts as "changedHosts", gone_hosts as "goneHosts", waits_until as "waitsUntil",
  created_at as "createdAt", started_at as "startedAt", finished_at as "finishedAt"`

export type NewRun = Pick<
  DiscoveryRun,
  | 'id'
  | 'discoveryId'
  | 'name'
  | 'cause'
  | 'targetId'
  | 'entries'
  | 'exclusions'
  | 'types'
  | 'hostsAtOnce'
  | 'zone'
  | 'windows'
  | 'startedBy'
>

/** Undefined when the discovery has a run under way. */
export function addRun(ctx: Ctx, run: NewRun): Promise<DiscoveryRun | undefined> {
  return ctx.db.maybe(sql<DiscoveryRun>`
    insert into discovery_runs (tenant_id, id, discovery_id, name, normalized_name, cause, target_id, entries, exclusions, types,
      hosts_at_once, zone, windows, started_by, created_at)
    values (${ctx.tenantId}, ${run.id}, ${run.discoveryId}, ${run.name}, ${normalizeText(run.name)}, ${run.cause}, ${run.targetId},
      ${run.entries}::text[], ${run.exclusions}::text[], ${run.types}::text[], ${run.hostsAtOnce}, ${run.zone},
      ${JSON.stringify(run.windows)}::jsonb, ${JSON.stringify(run.startedBy)}::jsonb, ${ctx.now()})
    on conflict (tenant_id, discovery_id) where discovery_id is not null and finished_at is null do nothing
    returning ${columns}`)
}

export function run(ctx: Ctx, id: string): Promise<DiscoveryRun | undefined> {
  return ctx.db.maybe(sql<DiscoveryRun>`
    select ${columns} from discovery_runs where tenant_id = ${ctx.tenantId} and id = ${id}`)
}

export interface RunQuery extends ListQuery {
  /** Absent: of all discoveries, and of "scan now". */
  readonly discoveryId?: string | undefined
}

/** Newest first unless sorted. */
export async function runs(
  ctx: Ctx,
  page: Page,
  { discoveryId, ...query }: RunQuery,
): Promise<Listed<DiscoveryRun>> {
  const narrowed = discoveryId === undefined ? [] : [sql`dr.discovery_id = ${discoveryId}`]
  const asked = { ...query, subject: 'discovery_run', usual: '-created_at', narrowed }
  const { items: ids, total } = await subjectPage(ctx, asked, page)
  const found = await ctx.db.all(sql<DiscoveryRun>`
    select ${columns} from discovery_runs
    where tenant_id = ${ctx.tenantId} and id = any(${[...ids]}::uuid[])`)
  return { items: inOrder(ids, found, ({ id }) => id), total }
}

/** Begins the run, or goes on with it on another worker; undefined when it is over or gone. */
export function start(ctx: Ctx, id: string): Promise<DiscoveryRun | undefined> {
  return ctx.db.maybe(sql<DiscoveryRun>`
    update discovery_runs set status = 'running', attempt = attempt + 1, message = '', waits_until = null,
      started_at = coalesce(started_at, ${ctx.now()})
    where tenant_id = ${ctx.tenantId} and id = ${id} and finished_at is null
    returning ${columns}`)
}

/** False when the run is over, or another attempt took it. */
export async function setSweep(
  ctx: Ctx,
  { id, attempt }: DiscoveryRun,
  sweepScanId: string,
): Promise<boolean> {
  const written = await ctx.db.run(sql`
    update discovery_runs set sweep_scan_id = ${sweepScanId}
    where tenant_id = ${ctx.tenantId} and id = ${id} and attempt = ${attempt} and status = 'running'`)
  return written === 1
}

/** Held against cancellation until the transaction ends; false when the attempt no longer counts. */
export async function hold(ctx: Ctx, { id, attempt }: DiscoveryRun): Promise<boolean> {
  const rows = await ctx.db.all(sql`
    select id from discovery_runs
    where tenant_id = ${ctx.tenantId} and id = ${id} and attempt = ${attempt} and status = 'running' for share`)
  return rows.length === 1
}

export async function isUnderWay(ctx: Ctx, { id, attempt }: DiscoveryRun): Promise<boolean> {
  const rows = await ctx.db.all(sql`
    select id from discovery_runs
    where tenant_id = ${ctx.tenantId} and id = ${id} and attempt = ${attempt} and status = 'running'`)
  return rows.length === 1
}

export type Progress = Pick<
  DiscoveryRun,
  'addressesTotal' | 'addressesDone' | 'addressesSettled' | 'unreachable' | 'stops' | 'slowed'
>

/** Writes how far the attempt is; counts the hosts. False when it was cancelled, or another attempt took over. */
export async function note(
  ctx: Ctx,
  { id, attempt }: Pick<DiscoveryRun, 'id' | 'attempt'>,
  progress: Progress,
): Promise<boolean> {
  const written = await ctx.db.run(sql`
    update discovery_runs r set addresses_total = ${progress.addressesTotal},
      addresses_done = greatest(r.addresses_done, ${progress.addressesDone}),
      addresses_settled = greatest(r.addresses_settled, ${progress.addressesSettled}),
      unreachable = ${progress.unreachable}::text[], stops = ${JSON.stringify(progress.stops)}::jsonb,
      slowed = ${progress.slowed}, hosts_found = n.found, hosts_done = n.done, logged_in = n.logged_in, refused = n.refused,
      unanswered = n.unanswered, not_asked = n.not_asked
    from (
      select count(*) as found, count(*) filter (where state = 'done') as done,
        count(*) filter (where outcome = 'logged_in') as logged_in, count(*) filter (where outcome = 'refused') as refused,
        count(*) filter (where outcome = 'unanswered') as unanswered,
        count(*) filter (where outcome = 'not_asked') as not_asked
      from discovery_hosts where tenant_id = ${ctx.tenantId} and run_id = ${id} and change is distinct from 'gone'
    ) n
    where r.tenant_id = ${ctx.tenantId} and r.id = ${id} and r.attempt = ${attempt} and r.status = 'running'`)
  return written === 1
}

/** The hours in which it may go on are over. */
export async function wait(
  ctx: Ctx,
  { id, attempt }: DiscoveryRun,
  until: Date,
  message: string,
): Promise<boolean> {
  const written = await ctx.db.run(sql`
    update discovery_runs set status = 'waiting', waits_until = ${until}, message = ${message}
    where tenant_id = ${ctx.tenantId} and id = ${id} and attempt = ${attempt} and status = 'running'`)
  return written === 1
}

export interface RunEnd {
  readonly status: Extract<RunStatus, 'completed' | 'failed' | 'cancelled'>
  readonly message: string
  /** Absent: whichever attempt it is. */
  readonly attempt?: number
}

/** Undefined when it is over already, or the attempt no longer counts. */
export function finish(ctx: Ctx, id: string, end: RunEnd): Promise<DiscoveryRun | undefined> {
  return ctx.db.maybe(sql<DiscoveryRun>`
    update discovery_runs set status = ${end.status}, message = ${end.message}, finished_at = ${ctx.now()},
      waits_until = null
    where tenant_id = ${ctx.tenantId} and id = ${id} and finished_at is null
      and attempt = coalesce(${end.attempt ?? null}::integer, attempt)
    returning ${columns}`)
}

/** The newest completed run of the same discovery before this one. */
export function runBefore(
  ctx: Ctx,
  { id, discoveryId }: Pick<DiscoveryRun, 'id' | 'discoveryId'>,
): Promise<DiscoveryRun | undefined> {
  return ctx.db.maybe(sql<DiscoveryRun>`
    select ${columns} from discovery_runs
    where tenant_id = ${ctx.tenantId} and discovery_id = ${discoveryId} and status = 'completed' and id <> ${id}
    order by created_at desc limit 1`)
}

export async function noteComparison(
  ctx: Ctx,
  id: string,
  {
    comparedRunId,
    newHosts,
    changedHosts,
    goneHosts,
  }: Record<'newHosts' | 'changedHosts' | 'goneHosts', number> & { readonly comparedRunId: string },
): Promise<void> {
  await ctx.db.run(sql`
    update discovery_runs set compared_run_id = ${comparedRunId}, new_hosts = ${newHosts},
      changed_hosts = ${changedHosts}, gone_hosts = ${goneHosts}
    where tenant_id = ${ctx.tenantId} and id = ${id}`)
}

/** Of a run or a discovery. */
export const tenantOfRun = (system: Ctx, id: string): Promise<string | undefined> =>
  tenantOfRow(system, id, [
    ['discovery_runs', 'id'],
    ['discoveries', 'id'],
  ])

export async function hasRunUnderWay(ctx: Ctx, discoveryId: string): Promise<boolean> {
  const { found } = await ctx.db.one(sql<{ found: boolean }>`
    select exists (select from discovery_runs where tenant_id = ${ctx.tenantId} and discovery_id = ${discoveryId}
      and finished_at is null) as found`)
  return found
}
