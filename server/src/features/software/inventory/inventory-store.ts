import { sql } from 'kysely'
import type { OsRelease } from '#features/assets/observation.ts'
import { normalizeText } from '#platform/conditions/normalize-text.ts'
import type { Ctx } from '#platform/context.ts'
import type { Change, Named } from './install-changes.ts'
import type { Entry, EntryOrigin } from './software-entry.ts'
import type { Detail } from './parse-reports.ts'

/** Writes of reports: distinct software, sets of each observation, history, operating systems. */

export interface NewEntry extends Entry {
  readonly digest: string
  readonly vendorKey: string
  readonly productKey: string
}

/** Ids of known software, by digest. */
export async function idsOf(ctx: Ctx, digests: readonly string[]): Promise<Map<string, number>> {
  const rows = await ctx.db.all(sql<{ digest: string; id: number }>`
    select encode(digest, 'hex') as digest, id from software
    where tenant_id = ${ctx.tenantId} and digest = any(
      array(select decode(d, 'hex') from unnest(${[...digests]}::text[]) d))`)
  return new Map(rows.map(({ digest, id }) => [digest, id]))
}

/** On conflict with a concurrent insert nothing is added; read the ids by `idsOf` afterwards. */
export async function addEntries(ctx: Ctx, entries: readonly NewEntry[]): Promise<void> {
  if (entries.length === 0) return
  const rows = entries.map((it) => ({ ...it, normalizedName: normalizeText(it.name) }))
  // no asset has any of them yet
  await ctx.db.about([]).run(sql`
    insert into software (tenant_id, digest, origin, ecosystem, name, normalized_name, version, arch, source_name,
      source_version, vendor, purl, cpe, vendor_key, product_key, first_seen)
    select ${ctx.tenantId}, decode(digest, 'hex'), origin, ecosystem, name, "normalizedName", version, arch, "sourceName",
      "sourceVersion", vendor, purl, cpe, "vendorKey", "productKey", ${ctx.now().toISOString()}::timestamptz
    from json_to_recordset(${JSON.stringify(rows)}::json) as r(digest text, origin text, ecosystem text,
      name text, "normalizedName" text, version text, arch text, "sourceName" text, "sourceVersion" text, vendor text, purl text, cpe text,
      "vendorKey" text, "productKey" text)
    order by digest
    on conflict (tenant_id, digest) do nothing`)
}

export interface KnownSet {
  readonly observationId: string
  readonly origin: EntryOrigin
  readonly hash: string
  /** Milliseconds. */
  readonly reportedAt: number
}

/** Without their software ids: the hash tells whether the set changed. */
export function setsOf(ctx: Ctx, observationIds: readonly string[]): Promise<KnownSet[]> {
  return ctx.db.all(sql<KnownSet>`
    select observation_id as "observationId", origin, encode(hash, 'hex') as hash,
      (extract(epoch from reported_at) * 1000)::float8 as "reportedAt"
    from software_sets where tenant_id = ${ctx.tenantId} and observation_id = any(${[...observationIds]}::uuid[])`)
}

interface InstalledSet {
  readonly observationId: string
  readonly origin: EntryOrigin
  readonly ids: readonly number[]
}

export interface StoredSet extends InstalledSet {
  /** By the id of the software. */
  readonly details: Readonly<Record<number, Detail>> | null
}

export async function storedSets(
  ctx: Ctx,
  sets: readonly Pick<StoredSet, 'observationId' | 'origin'>[],
): Promise<StoredSet[]> {
  if (sets.length === 0) return []
  return ctx.db.all(sql<StoredSet>`
    select s.observation_id as "observationId", s.origin, s.ids, s.details
    from unnest(${sets.map((it) => it.observationId)}::uuid[], ${sets.map((it) => it.origin)}::text[]) as w (id, origin)
      join software_sets s on s.observation_id = w.id and s.origin = w.origin and s.tenant_id = ${ctx.tenantId}`)
}

export interface SetToWrite extends InstalledSet {
  readonly hash: string
  readonly details: Readonly<Record<number, Detail>> | undefined
  readonly reportedAt: Date
}

export async function writeSets(ctx: Ctx, sets: readonly SetToWrite[]): Promise<void> {
  if (sets.length === 0) return
  // arrays of different lengths cannot be one parameter of unnest
  await ctx.db.about(assetsIn).all(sql<{ assetId: string }>`
    insert into software_sets as s (observation_id, origin, tenant_id, ids, hash, details, reported_at)
    select id, origin, ${ctx.tenantId}, ids::bigint[], decode(hash, 'hex'), details::jsonb, reported
    from unnest(${sets.map((it) => it.observationId)}::uuid[], ${sets.map((it) => it.origin)}::text[],
      ${sets.map((it) => `{${it.ids.join(',')}}`)}::text[], ${sets.map((it) => it.hash)}::text[],
      ${sets.map((it) => (it.details ? JSON.stringify(it.details) : null))}::text[],
      ${sets.map((it) => it.reportedAt.toISOString())}::timestamptz[]) as r (id, origin, ids, hash, details, reported)
    on conflict (tenant_id, observation_id, origin) do update set ids = excluded.ids, hash = excluded.hash,
      details = excluded.details, reported_at = excluded.reported_at
    returning (select o.asset_id from asset_observations o
      where o.tenant_id = ${ctx.tenantId} and o.id = s.observation_id) as "assetId"`)
}

const assetsIn = (sets: readonly { readonly assetId: string }[]): string[] =>
  sets.map(({ assetId }) => assetId)

/** Deletes the sets of all observations of these assets; returns their software ids. */
export async function removeSetsOf(ctx: Ctx, assetIds: readonly string[]): Promise<(readonly number[])[]> {
  const removed = await ctx.db.about(assetIds).all(sql<{ ids: readonly number[] }>`
    delete from software_sets s using asset_observations o
    where s.tenant_id = ${ctx.tenantId} and o.tenant_id = ${ctx.tenantId} and s.observation_id = o.id
      and o.asset_id = any(${[...assetIds]}::uuid[])
    returning s.ids`)
  return removed.map(({ ids }) => ids)
}

/** Adds the deltas, each of one software id, to `software.installs`, the number of sets that contain each. */
export async function count(ctx: Ctx, deltas: readonly (readonly [number, number])[]): Promise<void> {
  const changed = deltas.filter(([, delta]) => delta !== 0)
  if (changed.length === 0) return
  // what conditions know of an asset's software does not depend on how many have it
  await ctx.db.about([]).run(sql`
    update software s set installs = s.installs + d.n
    from unnest(${changed.map(([id]) => id)}::bigint[], ${changed.map(([, delta]) => delta)}::int[]) as d (id, n)
    where s.tenant_id = ${ctx.tenantId} and s.id = d.id`)
}

export async function named(ctx: Ctx, ids: readonly number[]): Promise<Map<number, Named>> {
  if (ids.length === 0) return new Map()
  const rows = await ctx.db.all(sql<Named>`
    select id, name, arch, version from software where tenant_id = ${ctx.tenantId} and id = any(${[...ids]}::bigint[])`)
  return new Map(rows.map((row) => [row.id, row]))
}

/** By the ids of observations. */
export async function assetsOfObservations(
  ctx: Ctx,
  observationIds: readonly string[],
): Promise<Map<string, string>> {
  const rows = await ctx.db.all(sql<{ id: string; assetId: string }>`
    select id, asset_id as "assetId" from asset_observations
    where tenant_id = ${ctx.tenantId} and id = any(${[...observationIds]}::uuid[])`)
  return new Map(rows.map(({ id, assetId }) => [id, assetId]))
}

export interface ChangeToWrite extends Change {
  readonly observationId: string
  readonly origin: EntryOrigin
  readonly at: Date
}

export async function writeChanges(ctx: Ctx, changes: readonly ChangeToWrite[]): Promise<void> {
  if (changes.length === 0) return
  const rows = changes.map((it) => ({ ...it, at: it.at.toISOString() }))
  await ctx.db.run(sql`
    insert into software_changes (tenant_id, observation_id, origin, kind, software_id, former_id, at)
    select ${ctx.tenantId}, "observationId", origin, kind, "softwareId", "formerId", at
    from json_to_recordset(${JSON.stringify(rows)}::json) as r("observationId" uuid, origin text, kind text,
      "softwareId" bigint, "formerId" bigint, at timestamptz)`)
}

/**
 * Deletes removals and changes since `since` that the given changes revert, unless another change came in between;
 * returns the indexes of the given changes that need no entry themselves.
 */
export async function deleteUndoneChanges(
  ctx: Ctx,
  changes: readonly ChangeToWrite[],
  since: Date,
): Promise<Set<number>> {
  const undoing = changes.flatMap((it, place) =>
    it.kind === 'removed'
      ? []
      : [
          {
            place,
            observationId: it.observationId,
            origin: it.origin,
            id: it.softwareId,
            former: it.formerId ?? 0,
          },
        ],
  )
  if (undoing.length === 0) return new Set()
  const rows = await ctx.db.all(sql<{ place: number }>`
    with undone as (
      select r.place, c.observation_id, c.id from json_to_recordset(${JSON.stringify(undoing)}::json)
        as r(place int, "observationId" uuid, origin text, id bigint, former bigint)
      cross join lateral (
        select c.* from software_changes c
        where c.tenant_id = ${ctx.tenantId} and c.observation_id = r."observationId" and c.origin = r.origin
          and (c.software_id in (r.id, r.former) or c.former_id = r.id)
        order by c.id desc limit 1
      ) c
      where c.at >= ${since.toISOString()}::timestamptz and (c.kind = 'removed' and c.software_id = r.id and r.former = 0
        or c.kind = 'changed' and c.former_id = r.id and c.software_id = r.former)
    ), gone as (delete from software_changes c using undone u where c.tenant_id = ${ctx.tenantId} and c.observation_id = u.observation_id
      and c.id = u.id)
    select place from undone`)
  return new Set(rows.map(({ place }) => place))
}

export async function removeChangesBefore(system: Ctx, before: Date): Promise<void> {
  await system.db.run(sql`delete from software_changes where at < ${before.toISOString()}::timestamptz`)
}

export interface System extends OsRelease {
  readonly observationId: string
  readonly ecosystem: string
  readonly reportedAt: Date
}

/** Upserts the newest report of each observation; unchanged rows are not written. */
export async function writeSystems(ctx: Ctx, systems: readonly System[]): Promise<void> {
  if (systems.length === 0) return
  const rows = systems.map((it) => ({ codename: '', prettyName: '', kernel: '', ...it }))
  await ctx.db.run(sql`
    insert into software_systems as s (observation_id, tenant_id, os_id, version_id, codename, pretty_name, kernel,
      ecosystem, reported_at)
    select "observationId", ${ctx.tenantId}, id, "versionId", codename, "prettyName", kernel, ecosystem, "reportedAt"
    from json_to_recordset(${JSON.stringify(rows)}::json) as r("observationId" uuid, id text, "versionId" text,
      codename text, "prettyName" text, kernel text, ecosystem text, "reportedAt" timestamptz)
    on conflict (tenant_id, observation_id) do update set os_id = excluded.os_id, version_id = excluded.version_id,
      codename = excluded.codename, pretty_name = excluded.pretty_name, kernel = excluded.kernel,
      ecosystem = excluded.ecosystem, reported_at = excluded.reported_at, is_end_decided = false, ends_on = null
    where s.reported_at <= excluded.reported_at
      and (s.os_id, s.version_id, s.codename, s.pretty_name, s.kernel, s.ecosystem)
        is distinct from (excluded.os_id, excluded.version_id, excluded.codename, excluded.pretty_name,
          excluded.kernel, excluded.ecosystem)`)
}

/** By the ids of observations; null: not known. */
export async function writeRebootPending(
  ctx: Ctx,
  pending: ReadonlyMap<string, boolean | null>,
): Promise<void> {
  if (pending.size === 0) return
  await ctx.db.run(sql`
    update software_systems y set reboot_pending = p.is_pending
    from unnest(${[...pending.keys()]}::uuid[], ${[...pending.values()]}::boolean[]) as p (id, is_pending)
    where y.tenant_id = ${ctx.tenantId} and y.observation_id = p.id
      and y.reboot_pending is distinct from p.is_pending`)
}

export async function releasesOf(
  ctx: Ctx,
  observationIds: readonly string[],
): Promise<Map<string, OsRelease>> {
  if (observationIds.length === 0) return new Map()
  const rows = await ctx.db.all(sql<OsRelease & { readonly observationId: string }>`
    select observation_id as "observationId", os_id as id, version_id as "versionId", codename,
      pretty_name as "prettyName", kernel
    from software_systems
    where tenant_id = ${ctx.tenantId} and observation_id = any(${[...observationIds]}::uuid[])`)
  return new Map(rows.map(({ observationId, ...release }) => [observationId, release]))
}
