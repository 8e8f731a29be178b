import { sql } from 'kysely'
import { inOrder, subjectPage, type ListQuery } from '#platform/conditions/lists/subject-page.ts'
import { readPage } from '#platform/conditions/lists/total-of-page.ts'
import type { Ctx } from '#platform/context.ts'
import { tenantOfRow } from '#platform/cli/tenant-of-row.ts'
import type { Listed, Page } from '#platform/http/paging.ts'
import type { Scan } from './scan.ts'
import type { RunOfScan } from './touches/device-touch.ts'
import { movableBy, type ScanMove, type ScanStatus, type ScanType } from './scan-status.ts'
import type { IndustrialRead } from './probes/sweep/industrial/industrial-reads.ts'
import { SCOPE_OF_SITES, SERVER_SCOPE } from './targets/target-scope.ts'
import type { ScanAim, Target, TargetFields } from './targets/target.ts'

/** The network that what is found at the target `t` is of. */
const scopeOfTarget = ({ tenantId }: Ctx) => sql`coalesce(${SCOPE_OF_SITES}::text || t.site_id::text,
  (select c.scope from scan_target_collectors tc
   join collectors c on c.tenant_id = ${tenantId} and c.id = tc.collector_id
   where tc.tenant_id = ${tenantId} and tc.target_id = t.id order by tc.collector_id limit 1),
  ${SERVER_SCOPE}::text)`

const targetColumns = (
  ctx: Ctx,
) => sql`id, name, kind, address, entries, exclusions, created_at as "createdAt",
  industrial_reads as "industrialReads", site_id as "siteId", ${scopeOfTarget(ctx)} as scope,
  array(select c.collector_id from scan_target_collectors c
    where c.tenant_id = ${ctx.tenantId} and c.target_id = t.id order by c.collector_id) as "collectorIds"`

export function addTarget(
  ctx: Ctx,
  { name, kind, address, entries, exclusions, siteId, industrialReads }: TargetFields,
): Promise<Target> {
  return ctx.db.one(sql<Target>`
    insert into scan_targets as t (tenant_id, name, kind, address, entries, exclusions, site_id, industrial_reads)
    values (${ctx.tenantId}, ${name}, ${kind}, ${address}, ${entries}::text[], ${exclusions}::text[],
      ${siteId}, ${industrialReads}::text[])
    returning ${targetColumns(ctx)}`)
}

/** Of a target that is locked. */
export function changeTarget(
  ctx: Ctx,
  id: string,
  { name, kind, address, entries, exclusions, siteId, industrialReads }: TargetFields,
): Promise<Target> {
  return ctx.db.one(sql<Target>`
    update scan_targets t set name = ${name}, kind = ${kind}, address = ${address}, entries = ${entries}::text[],
      exclusions = ${exclusions}::text[], site_id = ${siteId}, industrial_reads = ${industrialReads}::text[]
    where tenant_id = ${ctx.tenantId} and id = ${id}
    returning ${targetColumns(ctx)}`)
}

export function targets(ctx: Ctx): Promise<Target[]> {
  return ctx.db.all(sql<Target>`
    select ${targetColumns(ctx)} from scan_targets t where tenant_id = ${ctx.tenantId} order by created_at desc, id`)
}

/** Locked against deletion until the transaction ends. */
export function target(ctx: Ctx, id: string): Promise<Target | undefined> {
  return ctx.db.maybe(sql<Target>`
    select ${targetColumns(ctx)} from scan_targets t where tenant_id = ${ctx.tenantId} and id = ${id} for update`)
}

/**
 * The network that the target is of now; it is of no other until the transaction ends. Undefined when the target is gone.
 * Locked first and read then: what was changed while the lock was waited for is told by a new statement alone.
 */
export async function heldScope(ctx: Ctx, targetId: string): Promise<string | undefined> {
  await ctx.db.run(sql`
    select from scan_targets where tenant_id = ${ctx.tenantId} and id = ${targetId} for share`)
  const row = await ctx.db.maybe(sql<Pick<Target, 'scope'>>`
    select ${scopeOfTarget(ctx)} as scope from scan_targets t
    where t.tenant_id = ${ctx.tenantId} and t.id = ${targetId}`)
  return row?.scope
}

/** For whoever knows the id of a target or of a scan alone, whatever tenant it is of. */
export const tenantOf = (system: Ctx, id: string): Promise<string | undefined> =>
  tenantOfRow(system, id, [
    ['scan_targets', 'id'],
    ['scans', 'id'],
  ])

export async function isBeingScanned(ctx: Ctx, targetId: string): Promise<boolean> {
  const { found } = await ctx.db.one(sql<{ found: boolean }>`
    select exists (select from scans where tenant_id = ${ctx.tenantId} and target_id = ${targetId}
      and finished_at is null) as found`)
  return found
}

/** Of a target that is locked. Its scans stay, without it. */
export async function removeTarget(ctx: Ctx, id: string): Promise<void> {
  await ctx.db.run(sql`
    update scans set target_id = null where tenant_id = ${ctx.tenantId} and target_id = ${id}`)
  await ctx.db.run(sql`delete from scan_targets where tenant_id = ${ctx.tenantId} and id = ${id}`)
}

const columns = sql`id, type, status, message, target_kind as "targetKind", target_address as "targetAddress",
  asset_count as "assetCount", progress, created_at as "createdAt", started_at as "startedAt", finished_at as "finishedAt"`

/** What becomes a scan. */
export interface ScanFields {
  readonly type: ScanType
  /** Null: what is looked at is not the whole of one target. */
  readonly targetId: string | null
  readonly aim: ScanAim
  readonly message: string
  readonly startedBy: unknown
  /** Absent: it is started by itself. */
  readonly run?: RunOfScan
}

export function addScan(ctx: Ctx, fields: ScanFields): Promise<Scan> {
  const { type, targetId, aim, message, startedBy, run = null } = fields
  const { kind, address, entries, exclusions } = aim
  const isRange = kind === 'range'
  return ctx.db.one(sql<Scan>`
    insert into scans (tenant_id, target_id, target_kind, target_address, target_entries, target_exclusions, type,
      message, started_by, run)
    values (${ctx.tenantId}, ${targetId}, ${kind}, ${address}, ${isRange ? entries : []}::text[],
      ${isRange ? exclusions : []}::text[], ${type}, ${message}, ${JSON.stringify(startedBy)}::jsonb,
      nullif(${JSON.stringify(run)}::jsonb, 'null'::jsonb))
    returning ${columns}`)
}

export function scans(ctx: Ctx, page: Page, status?: ScanStatus): Promise<Listed<Scan>> {
  const where = sql`tenant_id = ${ctx.tenantId} and ${status === undefined ? sql`true` : sql`status = ${status}`}`
  return readPage(ctx, page, {
    items: sql`
      select ${columns} from scans where ${where}
      order by created_at desc, id limit ${page.limit} offset ${page.offset}`,
    total: sql`select count(*) as total from scans where ${where}`,
  })
}

/** Those for which a condition holds, or in another order than the newest first. */
export async function scansWhere(ctx: Ctx, page: Page, query: ListQuery): Promise<Listed<Scan>> {
  const asked = { ...query, subject: 'scan', usual: '-created_at' }
  const { items: ids, total } = await subjectPage(ctx, asked, page)
  const found = await ctx.db.all(sql<Scan>`
    select ${columns} from scans where tenant_id = ${ctx.tenantId} and id = any(${[...ids]}::uuid[])`)
  return { items: inOrder(ids, found, ({ id }) => id), total }
}

export function scan(ctx: Ctx, id: string): Promise<Scan | undefined> {
  return ctx.db.maybe(sql<Scan>`
    select ${columns} from scans where tenant_id = ${ctx.tenantId} and id = ${id}`)
}

const canMove = (move: ScanMove) => sql`status = any(${movableBy(move)}::text[])`

export interface Attempt extends Scan {
  readonly attempt: number
  /** Null when the target is gone. */
  readonly targetId: string | null
  /** Empty but for a range. */
  readonly targetEntries: readonly string[]
  readonly targetExclusions: readonly string[]
  /** As the target had it when the attempt began; the server's network when it is gone. */
  readonly scope: string
  /** As the target has it at the moment; none when it is gone. */
  readonly industrialReads: readonly IndustrialRead[]
  readonly startedBy: unknown
}

/**
 * Begins the scan, or begins it again after its worker died: then the progress is still there if it did not ask everywhere.
 * Undefined when it is finished or gone.
 */
export function start(ctx: Ctx, id: string, message: string): Promise<Attempt | undefined> {
  return ctx.db.maybe(sql<Attempt>`
    update scans set status = 'running', message = ${message}, attempt = attempt + 1, asset_count = 0,
      progress = case when progress ?| array['stops', 'unreachable'] then progress end,
      started_at = coalesce(started_at, clock_timestamp())
    where tenant_id = ${ctx.tenantId} and id = ${id} and ${canMove('start')}
    returning ${columns}, attempt, target_id as "targetId", target_entries as "targetEntries",
      target_exclusions as "targetExclusions", started_by as "startedBy",
      coalesce((select ${scopeOfTarget(ctx)} from scan_targets t
        where t.tenant_id = ${ctx.tenantId} and t.id = scans.target_id), ${SERVER_SCOPE}) as scope,
      coalesce((select t.industrial_reads from scan_targets t
        where t.tenant_id = ${ctx.tenantId} and t.id = scans.target_id), '{}') as "industrialReads"`)
}

/** The attempt was stopped with its process, through no fault of the scan: it does not count. */
export async function giveBack(ctx: Ctx, { id, attempt }: Attempt, message: string): Promise<void> {
  await ctx.db.run(sql`
    update scans set attempt = attempt - 1, message = ${message}
    where tenant_id = ${ctx.tenantId} and id = ${id} and attempt = ${attempt} and status = 'running'`)
}

/** Holds the scan until the commit, so that nobody ends it before; false when it has ended or another attempt took over. */
export async function holdRunning(ctx: Ctx, { id, attempt }: Attempt): Promise<boolean> {
  const held = await ctx.db.maybe(sql`
    select 1 from scans where tenant_id = ${ctx.tenantId} and id = ${id} and attempt = ${attempt}
      and status = 'running'
    for no key update`)
  return held !== undefined
}

/** In the commit of what was found, so that whoever ends the scan knows of all of it. */
export async function countSeen(ctx: Ctx, { id }: Attempt, assetCount: number): Promise<void> {
  await ctx.db.run(sql`
    update scans set asset_count = ${assetCount} where tenant_id = ${ctx.tenantId} and id = ${id}`)
}

/** Notes how far the attempt is; false when it has been cancelled or another attempt took over. */
export async function note(
  ctx: Ctx,
  { id, attempt }: Attempt,
  reported: Pick<Scan, 'message' | 'assetCount' | 'progress'>,
): Promise<boolean> {
  const written = await ctx.db.run(sql`
    update scans set message = ${reported.message}, asset_count = greatest(asset_count, ${reported.assetCount}::integer),
      progress = ${JSON.stringify(reported.progress)}::jsonb
    where tenant_id = ${ctx.tenantId} and id = ${id} and attempt = ${attempt} and status = 'running'`)
  return written === 1
}

/** What a cancelled attempt got done in its last moment. */
export async function noteAfterCancel(ctx: Ctx, { id, attempt }: Attempt, message: string): Promise<void> {
  await ctx.db.run(sql`
    update scans set message = ${message}
    where tenant_id = ${ctx.tenantId} and id = ${id} and attempt = ${attempt} and status = 'cancelled'`)
}

export interface Ending {
  readonly move: Exclude<ScanMove, 'start'>
  readonly status: ScanStatus
  readonly message: string
  /** Absent: as noted last. */
  readonly assetCount?: number
  /** Absent: whichever attempt it is. */
  readonly attempt?: number
}

/** Undefined when the scan is finished already, or the attempt is no longer the one that counts. */
export function finish(
  ctx: Ctx,
  id: string,
  end: Ending,
): Promise<(Scan & { durationMs: number }) | undefined> {
  return ctx.db.maybe(sql<Scan & { durationMs: number }>`
    update scans set status = ${end.status}, message = ${end.message}, finished_at = clock_timestamp(),
      asset_count = coalesce(${end.assetCount ?? null}::integer, asset_count)
    where tenant_id = ${ctx.tenantId} and id = ${id} and ${canMove(end.move)}
      and attempt = coalesce(${end.attempt ?? null}::integer, attempt)
    returning ${columns},
      round(1000 * extract(epoch from finished_at - coalesce(started_at, finished_at)))::integer as "durationMs"`)
}
