import { sql } from 'kysely'
import type { Ctx } from '#platform/context.ts'
import { writeAdvisories } from './advisories-store.ts'
import type { EntryKind, Load, StagedRow } from './staged-rows.ts'

/** Stored state of a loaded file. */
export interface PartState {
  readonly part: string
  readonly etag: string | null
  readonly lastModified: string | null
  readonly checksum: string | null
  readonly position: string | null
}

export interface LoadResult {
  readonly generation: number
  readonly records: number
  readonly changed: number
  readonly removed: number
}

const DAY_SECONDS = 86_400

/**
 * Stages rows with distinct keys; of duplicate records in a file the last one counts. Records that the catalogue has
 * unchanged, which are most, are staged by key alone, and so are those that another file has told in a newer version.
 */
export async function stage(ctx: Ctx, load: Load, rows: readonly StagedRow[]): Promise<void> {
  const same = new Set(await unchangedAmong(ctx, load, rows))
  if (same.size > 0)
    await ctx.db.run(sql`
      insert into staged_entries (load, key, is_unchanged)
      select ${load.id}, key, true from unnest(${[...same]}::text[]) as key
      on conflict (load, key) do update set is_unchanged = true`)
  const fresh = rows.filter((it) => !same.has(it.key)).map((it) => it.json)
  if (fresh.length > 0) await stageFresh(ctx, load, `[${fresh.join(',')}]`)
}

async function unchangedAmong(
  ctx: Ctx,
  { feed, part }: Load,
  rows: readonly StagedRow[],
): Promise<readonly string[]> {
  const [keys, digests] = [rows.map((it) => it.key), rows.map((it) => it.digest)]
  const modified = rows.map((it) => it.modifiedAt ?? '')
  const found = await ctx.db.all(sql<{ key: string }>`
    select a.key from unnest(${keys}::text[], ${digests}::text[], ${modified}::text[]) it (key, digest, modified)
    join advisories a on a.feed = ${feed} and a.key = it.key
    where a.digest = decode(it.digest, 'hex')
      or (exists (select from unnest(a.parts) as other where other <> ${part})
        and '' < it.modified and it.modified < (a.body ->> 'modifiedAt') collate "C")`)
  return found.map((it) => it.key)
}

async function stageFresh(ctx: Ctx, { id }: Load, rows: string): Promise<void> {
  await ctx.db.run(sql`
    insert into staged_entries (load, key, digest, id, state, is_disputed, cve_ids, names, severity, body, packages)
    select ${id}, key, decode(digest, 'hex'), it.id, state, is_disputed, cve_ids, names, severity, body, packages
    from json_to_recordset(${rows}::json) as it (key text, digest text, id text,
      state text, is_disputed boolean, cve_ids text[], names text[], severity text, body json, packages json)
    on conflict (load, key) do update set is_unchanged = false, digest = excluded.digest,
      id = excluded.id, state = excluded.state, is_disputed = excluded.is_disputed, cve_ids = excluded.cve_ids,
      names = excluded.names, severity = excluded.severity, body = excluded.body, packages = excluded.packages`)
}

/** Number of staged records, and of records loaded from the same part before. */
export function sizes(ctx: Ctx, { id, feed, part }: Load): Promise<{ staged: number; before: number }> {
  return ctx.db.one(sql<{ staged: number; before: number }>`
    select (select count(*) from staged_entries where load = ${id}) as staged,
      coalesce((select records from advisory_parts where feed = ${feed} and part = ${part}), 0) as before`)
}

/** Within a transaction: the catalogue's next generation, whose lock lets one file be loaded at a time. */
export async function nextGeneration(ctx: Ctx): Promise<number> {
  // A whole feed takes longer than the usual statement timeout.
  await ctx.db.run(sql`set local statement_timeout = '2h'`)
  const row = await ctx.db.one(sql<{ generation: number }>`
    update catalogue set generation = generation + 1 returning generation`)
  return row.generation
}

/** Within the transaction of `nextGeneration`. */
export async function applyLoad(
  ctx: Ctx,
  load: Load,
  kind: EntryKind,
  generation: number,
): Promise<Omit<LoadResult, 'generation'>> {
  const records = await stagedCount(ctx, load)
  const result = await writers[kind](ctx, load, generation)
  await countRecords(ctx, load, kind)
  return { records, ...result }
}

async function stagedCount(ctx: Ctx, { id }: Load): Promise<number> {
  return (
    await ctx.db.one(sql<{ count: number }>`select count(*) as count from staged_entries where load = ${id}`)
  ).count
}

async function countRecords(ctx: Ctx, { feed }: Load, kind: EntryKind): Promise<void> {
  await ctx.db.run(sql`
    insert into advisory_feeds (name, records) select ${feed}, count(*) from ${counted[kind](feed)}
    on conflict (name) do update set records = excluded.records`)
}

const counted: Readonly<Record<EntryKind, (feed: string) => ReturnType<typeof sql>>> = {
  advisory: (feed) => sql`advisories where feed = ${feed}`,
  exploited: () => sql`exploited_cves`,
  likelihood: () => sql`cve_likelihoods`,
  lifecycle: () => sql`lifecycles`,
}

type Writer = (ctx: Ctx, load: Load, generation: number) => Promise<Pick<LoadResult, 'changed' | 'removed'>>

const writers: Readonly<Record<EntryKind, Writer>> = {
  advisory: writeAdvisories,
  exploited: writeKevEntries,
  likelihood: writeEpssScores,
  lifecycle: writeLifecycles,
}

async function writeKevEntries(
  ctx: Ctx,
  { id, isWhole }: Load,
  generation: number,
): Promise<Pick<LoadResult, 'changed' | 'removed'>> {
  const changed = await ctx.db.run(sql`
    insert into exploited_cves (cve_id, added_on, due_on, is_by_ransomware, generation)
    select key, (body ->> 'addedOn')::date, (body ->> 'dueOn')::date, (body ->> 'isByRansomware')::boolean, ${generation}
    from staged_entries where load = ${id}
    on conflict (cve_id) do update set added_on = excluded.added_on, due_on = excluded.due_on,
      is_by_ransomware = excluded.is_by_ransomware, generation = excluded.generation
    where (exploited_cves.added_on, exploited_cves.due_on, exploited_cves.is_by_ransomware)
      is distinct from (excluded.added_on, excluded.due_on, excluded.is_by_ransomware)`)
  const removed = isWhole
    ? await ctx.db.run(sql`
        with gone as (
          delete from exploited_cves where cve_id not in (select key from staged_entries where load = ${id})
          returning cve_id
        )
        insert into catalogue_changes (generation, ecosystem, name) select ${generation}, '', cve_id from gone
        on conflict do nothing`)
    : 0
  await ctx.db.run(sql`
    insert into catalogue_changes (generation, ecosystem, name)
    select generation, '', cve_id from exploited_cves where generation = ${generation} on conflict do nothing`)
  return { changed, removed }
}

/** Most scores change slightly every day: each row has its generation, by which changes are found. */
async function writeEpssScores(
  ctx: Ctx,
  { id, isWhole }: Load,
  generation: number,
): Promise<Pick<LoadResult, 'changed' | 'removed'>> {
  const changed = await ctx.db.run(sql`
    insert into cve_likelihoods (cve_id, epss, percentile, generation)
    select key, (body ->> 'epss')::real, (body ->> 'percentile')::real, ${generation}
    from staged_entries where load = ${id}
    on conflict (cve_id) do update
      set epss = excluded.epss, percentile = excluded.percentile, generation = excluded.generation
    where (cve_likelihoods.epss, cve_likelihoods.percentile) is distinct from (excluded.epss, excluded.percentile)`)
  const removed = isWhole
    ? await ctx.db.run(sql`
        with gone as (
          delete from cve_likelihoods l
          where not exists (select from staged_entries s where s.load = ${id} and s.key = l.cve_id)
          returning cve_id
        )
        insert into catalogue_changes (generation, ecosystem, name) select ${generation}, '', cve_id from gone
        on conflict do nothing`)
    : 0
  return { changed, removed }
}

async function writeLifecycles(
  ctx: Ctx,
  { id, isWhole }: Load,
): Promise<Pick<LoadResult, 'changed' | 'removed'>> {
  const changed = await ctx.db.run(sql`
    insert into lifecycles (product, body) select key, body from staged_entries where load = ${id}
    on conflict (product) do update set body = excluded.body
    where lifecycles.body::text is distinct from excluded.body::text`)
  const removed = isWhole
    ? await ctx.db.run(sql`
        delete from lifecycles where product not in (select key from staged_entries where load = ${id})`)
    : 0
  return { changed, removed }
}

/** Records that the part was loaded or found unchanged; `records` undefined leaves the count as it is. */
export async function recordPart(ctx: Ctx, feed: string, state: PartState, records?: number): Promise<void> {
  const { part, etag, lastModified, checksum, position } = state
  await ctx.db.run(sql`
    insert into advisory_parts (feed, part, etag, last_modified, checksum, position, records, synced_at)
    values (${feed}, ${part}, ${etag}, ${lastModified}, ${checksum}, ${position}, ${records ?? 0}, ${ctx.now()})
    on conflict (feed, part) do update set etag = excluded.etag, last_modified = excluded.last_modified,
      checksum = excluded.checksum, position = excluded.position,
      records = coalesce(${records ?? null}::int, advisory_parts.records), synced_at = excluded.synced_at`)
}

export async function deletePart(ctx: Ctx, feed: string, part: string): Promise<void> {
  await ctx.db.run(sql`delete from advisory_parts where feed = ${feed} and part = ${part}`)
}

export async function deleteLoad(ctx: Ctx, id: string): Promise<void> {
  await ctx.db.run(sql`delete from staged_entries where load = ${id}`)
}

/** Deletes staged rows of processes that died. */
export async function deleteOldLoads(ctx: Ctx): Promise<void> {
  await ctx.db.run(sql`
    delete from staged_entries where staged_at < clock_timestamp() - make_interval(secs => ${DAY_SECONDS})`)
}

/** Deletes the list of changes older than `generations` generations; older cursors then get `all`. */
export async function deleteOldChanges(ctx: Ctx, generations: number): Promise<void> {
  await ctx.db.run(sql`
    with upto as (
      update catalogue set forgotten = greatest(forgotten, generation - ${generations}) returning forgotten
    )
    delete from catalogue_changes where generation <= (select forgotten from upto)`)
}
