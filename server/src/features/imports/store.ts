import { sql } from 'kysely'
import { lockOfTenant } from '#platform/database/advisory-locks.ts'
import type { SourceComparison } from '#features/sources/sources.ts'
import type { Ctx } from '#platform/context.ts'
import type { Listed, Page } from '#platform/http/paging.ts'
import type { Column } from './columns/asset-row.ts'
import type { Rejection } from './formats/format.ts'
import type { Import, ImportOptions, ImportPreview } from './import.ts'
import { forWorkers, unfinished, type ImportStatus } from './running/import-status.ts'

const listed = sql`id, name, bytes, received, bytes_read as "bytesRead", status, message, format, options, preview,
  observed, created, updated, unchanged, rejected_total as "rejectedTotal", rejected, started_by as "startedBy",
  created_at as "createdAt", started_at as "startedAt", finished_at as "finishedAt"`

const columns = sql`${listed}, comparison`

const by = ({ actor: { kind, id, name, address } }: Ctx): string =>
  JSON.stringify({ kind, id, name, address })

/** Holds back whoever else decides how many imports of the tenant there are, until the transaction ends. */
export async function lockTenant(ctx: Ctx): Promise<void> {
  await ctx.db.run(lockOfTenant('imports', ctx.tenantId))
}

export async function countUnfinished(ctx: Ctx): Promise<number> {
  const { found } = await ctx.db.one(sql<{ found: number }>`
    select count(*) as found from imports
    where tenant_id = ${ctx.tenantId} and status = any(${unfinished}::text[])`)
  return found
}

export interface NewUpload {
  readonly key: string
  readonly name: string
  readonly bytes: number
}

export function byUploadKey(ctx: Ctx, key: string): Promise<Import | undefined> {
  return ctx.db.maybe(sql<Import>`
    select ${columns} from imports where tenant_id = ${ctx.tenantId} and upload_key = ${key}`)
}

export function add(ctx: Ctx, { key, name, bytes }: NewUpload): Promise<Import> {
  return ctx.db.one(sql<Import>`
    insert into imports (tenant_id, upload_key, name, bytes, status, started_by)
    values (${ctx.tenantId}, ${key}, ${name}, ${bytes}, 'uploading', ${by(ctx)}::jsonb)
    returning ${columns}`)
}

/** Appends what begins at `position`; undefined when that is not where the upload has arrived. */
export async function append(
  ctx: Ctx,
  id: string,
  position: number,
  content: Buffer,
): Promise<Import | undefined> {
  const found = await ctx.db.maybe(sql<Import>`
    update imports set received = received + ${content.length}, touched_at = clock_timestamp(),
      status = case when received + ${content.length} = bytes then 'checking' else status end
    where tenant_id = ${ctx.tenantId} and id = ${id} and status = 'uploading' and received = ${position}
      and received + ${content.length} <= bytes
    returning ${columns}`)
  if (found)
    await ctx.db.run(sql`
      insert into import_chunks (tenant_id, import_id, position, content)
      values (${ctx.tenantId}, ${id}, ${position}, ${content})`)
  return found
}

export function chunk(
  ctx: Ctx,
  id: string,
  position: number,
): Promise<{ readonly content: Buffer } | undefined> {
  return ctx.db.maybe(sql<{ content: Buffer }>`
    select content from import_chunks
    where tenant_id = ${ctx.tenantId} and import_id = ${id} and position = ${position}`)
}

export async function removeChunks(ctx: Ctx, id: string): Promise<void> {
  await ctx.db.run(sql`delete from import_chunks where tenant_id = ${ctx.tenantId} and import_id = ${id}`)
}

/** Newest first, without what is long. */
export async function imports(ctx: Ctx, { limit, offset }: Page): Promise<Listed<Import>> {
  const items = await ctx.db.all(sql<Import>`
    select ${listed}, null as comparison from imports where tenant_id = ${ctx.tenantId}
    order by created_at desc, id limit ${limit} offset ${offset}`)
  const { total } = await ctx.db.one(sql<{ total: number }>`
    select count(*) as total from imports where tenant_id = ${ctx.tenantId}`)
  return { items, total }
}

export function find(ctx: Ctx, id: string): Promise<Import | undefined> {
  return ctx.db.maybe(sql<Import>`
    select ${columns} from imports where tenant_id = ${ctx.tenantId} and id = ${id}`)
}

/** Another import of the same content with the same options that waits or runs. */
export function sameUnderWay(ctx: Ctx, sameKey: Buffer): Promise<Import | undefined> {
  return ctx.db.maybe(sql<Import>`
    select ${columns} from imports where tenant_id = ${ctx.tenantId} and same_key = ${sameKey}
      and status in ('waiting', 'running')`)
}

export async function digestOf(ctx: Ctx, id: string): Promise<string | undefined> {
  const row = await ctx.db.maybe(sql<{ digest: string | null }>`
    select encode(digest, 'hex') as digest from imports where tenant_id = ${ctx.tenantId} and id = ${id}`)
  return row?.digest ?? undefined
}

interface Move {
  readonly from: readonly ImportStatus[]
  readonly to: 'checking' | 'waiting'
  readonly options: ImportOptions
  readonly sameKey?: Buffer
}

/** Gives the import to the workers; undefined when it is in none of the states that it can come from. */
export function hand(
  ctx: Ctx,
  id: string,
  { from, to, options, sameKey }: Move,
): Promise<Import | undefined> {
  return ctx.db.maybe(sql<Import>`
    update imports set status = ${to}, options = ${JSON.stringify(options)}::jsonb, message = '', bytes_read = 0,
      attempt = 0, same_key = ${sameKey ?? null}, touched_at = clock_timestamp(),
      started_by = ${by(ctx)}::jsonb
    where tenant_id = ${ctx.tenantId} and id = ${id} and status = any(${from}::text[]) and not is_worked
    returning ${columns}`)
}

export interface Attempt extends Import {
  readonly attempt: number
  readonly readings: number
}

/** Begins the work, or begins it again after its worker died; undefined when there is nothing to do. */
export async function begin(ctx: Ctx, id: string, atOnceMax: number): Promise<Attempt | 'later' | undefined> {
  await lockTenant(ctx)
  const { others } = await ctx.db.one(sql<{ others: number }>`
    select count(*) as others from imports
    where tenant_id = ${ctx.tenantId} and is_worked and id <> ${id} and status = any(${forWorkers}::text[])`)
  if (others >= atOnceMax) return 'later'
  return ctx.db.maybe(sql<Attempt>`
    update imports set is_worked = true, attempt = attempt + 1, bytes_read = 0, touched_at = clock_timestamp(),
      status = case status when 'waiting' then 'running' else status end,
      started_at = case when status = 'checking' then null else coalesce(started_at, clock_timestamp()) end
    where tenant_id = ${ctx.tenantId} and id = ${id} and status = any(${forWorkers}::text[])
    returning ${columns}, attempt, readings`)
}

/** The attempt was stopped through no fault of the import, which goes on with the next. */
export async function giveBack(ctx: Ctx, { id, attempt }: Attempt, counts: boolean): Promise<void> {
  await ctx.db.run(sql`
    update imports set is_worked = false, attempt = attempt - ${counts ? 0 : 1}
    where tenant_id = ${ctx.tenantId} and id = ${id} and attempt = ${attempt}`)
}

export interface Progress {
  readonly bytesRead: number
  readonly format?: string | undefined
  readonly readings?: number
  readonly observed?: number
  readonly created?: number
  readonly updated?: number
  readonly unchanged?: number
  readonly rejectedTotal?: number
  /** Absent: as noted last. */
  readonly rejected?: readonly Rejection[]
}

/** False when the import was cancelled, or another attempt took over. */
export async function note(ctx: Ctx, { id, attempt }: Attempt, told: Progress): Promise<boolean> {
  const rejected = told.rejected ? JSON.stringify(told.rejected) : null
  const written = await ctx.db.run(sql`
    update imports set bytes_read = ${told.bytesRead}, touched_at = clock_timestamp(),
      format = coalesce(${told.format ?? null}::text, format),
      readings = coalesce(${told.readings ?? null}::integer, readings),
      observed = coalesce(${told.observed ?? null}::integer, observed),
      created = coalesce(${told.created ?? null}::integer, created),
      updated = coalesce(${told.updated ?? null}::integer, updated),
      unchanged = coalesce(${told.unchanged ?? null}::integer, unchanged),
      rejected_total = coalesce(${told.rejectedTotal ?? null}::integer, rejected_total),
      rejected = coalesce(${rejected}::jsonb, rejected)
    where tenant_id = ${ctx.tenantId} and id = ${id} and attempt = ${attempt} and is_worked
      and status in ('checking', 'running')`)
  return written === 1
}

export interface Checked {
  readonly format: string | null
  readonly preview: ImportPreview
  /** SHA-256, hexadecimal. */
  readonly digest: string
}

export async function noteChecked(
  ctx: Ctx,
  { id, attempt }: Attempt,
  { format, preview, digest }: Checked,
): Promise<boolean> {
  const written = await ctx.db.run(sql`
    update imports set status = 'ready', is_worked = false, bytes_read = bytes, format = ${format},
      preview = ${JSON.stringify(preview)}::jsonb, digest = decode(${digest}, 'hex'), touched_at = clock_timestamp()
    where tenant_id = ${ctx.tenantId} and id = ${id} and attempt = ${attempt} and status = 'checking'`)
  return written === 1
}

export interface Ending {
  readonly status: 'completed' | 'failed' | 'cancelled'
  readonly message: string
  readonly comparison?: SourceComparison
  /** Absent: whichever attempt it is. */
  readonly attempt?: number
}

/** Ends the import and lets go of its content; undefined when it has ended, or another attempt took over. */
export async function finish(ctx: Ctx, id: string, end: Ending): Promise<Import | undefined> {
  const found = await ctx.db.maybe(sql<Import>`
    update imports set status = ${end.status}, message = ${end.message}, finished_at = clock_timestamp(),
      comparison = coalesce(${end.comparison ? JSON.stringify(end.comparison) : null}::jsonb, comparison),
      is_worked = false
    where tenant_id = ${ctx.tenantId} and id = ${id} and finished_at is null
      and attempt = coalesce(${end.attempt ?? null}::integer, attempt)
    returning ${columns}`)
  if (found) await removeChunks(ctx, id)
  return found
}

export interface Finished extends Required<Omit<Progress, 'bytesRead' | 'readings' | 'format'>> {
  readonly name: string
  readonly bytes: number
  readonly format: string
  readonly message?: string
  readonly comparison?: SourceComparison
}

/** An import that was done at once, without an upload. */
export function addFinished(ctx: Ctx, done: Finished): Promise<Import> {
  return ctx.db.one(sql<Import>`
    insert into imports (tenant_id, upload_key, name, bytes, received, bytes_read, status, message, format, observed,
      created, updated, unchanged, rejected_total, rejected, comparison, started_by, started_at, finished_at)
    values (${ctx.tenantId}, gen_random_uuid()::text, ${done.name}, ${done.bytes}, ${done.bytes}, ${done.bytes},
      'completed', ${done.message ?? ''}, ${done.format}, ${done.observed}, ${done.created}, ${done.updated}, ${done.unchanged},
      ${done.rejectedTotal}, ${JSON.stringify(done.rejected)}::jsonb,
      ${done.comparison ? JSON.stringify(done.comparison) : null}::jsonb, ${by(ctx)}::jsonb, clock_timestamp(),
      clock_timestamp())
    returning ${columns}`)
}

/** What nobody went on with, and old ended ones; of every tenant. */
export async function removeOld(system: Ctx, ages: { leftHours: number; keptDays: number }): Promise<void> {
  await system.db.run(sql`
    delete from imports where finished_at is null and status in ('uploading', 'ready')
      and touched_at < clock_timestamp() - make_interval(hours => ${ages.leftHours})`)
  await system.db.run(sql`
    delete from imports where finished_at < clock_timestamp() - make_interval(days => ${ages.keptDays})`)
}

/** What people said last of a table with these titles. */
export async function mapping(
  ctx: Ctx,
  source: string,
  header: string,
): Promise<(Column | null)[] | undefined> {
  const row = await ctx.db.maybe(sql<{ columns: (Column | null)[] }>`
    select columns from import_mappings
    where tenant_id = ${ctx.tenantId} and source = ${source} and header = decode(${header}, 'hex')`)
  return row?.columns
}

export async function remember(
  ctx: Ctx,
  { source, header, columns: said }: { source: string; header: string; columns: readonly (Column | null)[] },
): Promise<void> {
  await ctx.db.run(sql`
    insert into import_mappings (tenant_id, source, header, columns, used_at)
    values (${ctx.tenantId}, ${source}, decode(${header}, 'hex'), ${JSON.stringify(said)}::jsonb, clock_timestamp())
    on conflict (tenant_id, source, header) do update
      set columns = excluded.columns, used_at = excluded.used_at`)
}
