import { sql } from 'kysely'
import { lockOfTenant, tryLockOfTenant } from '#platform/database/advisory-locks.ts'
import type { Ctx } from '#platform/context.ts'
import { combinedPayload } from './observation-history.ts'
import type { RevivedAsset } from '../archive/archive-store.ts'
import type { IdentifierType } from '../observation.ts'
import type { Constraint } from '../identity/identity.ts'
import type { SharedReason } from '../identity/shared-identifier-values.ts'
import {
  identifiersOf,
  type HistoryEntry,
  type KnownSource,
  type ObservationRecord,
  type Payload,
} from './observation-record.ts'

/** Reads of observations, identifiers and constraints for clustering; one statement for a batch. */

/** Serialises clustering within a tenant. The advisory lock is released at the end of the transaction. */
export async function lockTenant(ctx: Ctx): Promise<void> {
  await ctx.db.run(lockOfTenant('identity', ctx.tenantId))
}

/** False when somebody else has the lock or waits for it. */
export async function tryLockTenant(ctx: Ctx): Promise<boolean> {
  const { isOurs } = await ctx.db.one(tryLockOfTenant('identity', ctx.tenantId))
  return isOurs
}

export interface Repeat {
  readonly sourceKey: string
  /** Of what was reported; absent: the caller knows that it is the same. */
  readonly payloadHash?: string
  readonly seenAt: number
}

export interface Sighted {
  readonly keys: readonly string[]
  readonly revived: readonly RevivedAsset[]
  /** Ids of assets that nobody had seen for more than a day. */
  readonly resumed: readonly string[]
}

/**
 * Moves last_seen of observations and their assets where a report has no new content and nothing depends on its time;
 * returns the source keys of these. The assets among them that were
 * archived before they were seen live again, and are returned too.
 */
export async function moveLastSeen(
  ctx: Ctx,
  source: KnownSource,
  repeats: readonly Repeat[],
): Promise<Sighted> {
  const idsIn = (moved: readonly { readonly assetId: string }[]) => moved.map(({ assetId }) => assetId)
  const rows = await ctx.db.about(idsIn).all(sql<{ key: string; assetId: string; seenAt: string }>`
    update asset_observations o set last_seen = s.at
    from unnest(${repeats.map((it) => it.sourceKey)}::text[], ${repeats.map((it) => it.payloadHash ?? null)}::text[],
      ${repeats.map((it) => new Date(it.seenAt))}::timestamptz[]) as s(key, hash, at)
    where o.tenant_id = ${ctx.tenantId} and o.source_id = ${source.id} and o.source_key = s.key
      and (s.hash is null or o.payload_hash = decode(s.hash, 'base64')) and not o.watched and s.at >= o.last_seen
    returning s.key, o.asset_id as "assetId", s.at as "seenAt"`)
  if (rows.length === 0) return { keys: [], revived: [], resumed: [] }
  const late = await ctx.db.about(idsIn(rows)).all(sql<RevivedAsset & { revived: boolean }>`
    with moved as (
    update assets a set last_seen = greatest(a.last_seen, k.at),
      archived_at = case when k.at > was.archived_at then null else a.archived_at end,
      archived_by = case when k.at > was.archived_at then null else a.archived_by end,
      normalized_archived_by = case when k.at > was.archived_at then null else a.normalized_archived_by end,
      stale_since = case when k.at + a.stale_after_days * interval '1 day' >= ${ctx.now()} then null else a.stale_since end
    from (
      select id, max(at) as at
      from unnest(${rows.map((it) => it.assetId)}::uuid[], ${rows.map((it) => it.seenAt)}::timestamptz[]) as s(id, at)
      group by id order by id
    ) k left join assets was on was.tenant_id = ${ctx.tenantId} and was.id = k.id
      and (was.archived_at is not null or was.last_seen < k.at - interval '1 day')
    where a.tenant_id = ${ctx.tenantId} and a.id = k.id and (a.last_seen < k.at or k.at > was.archived_at)
    returning a.id, a.name, a.asset_type, was.id is not null as late, coalesce(k.at > was.archived_at, false) as revived)
    select id, name, asset_type as "assetType", revived from moved where late`)
  return {
    keys: rows.map((row) => row.key),
    revived: late.filter(({ revived }) => revived),
    resumed: late.map(({ id }) => id),
  }
}

/** The records of these source keys. */
export function observedByKey(
  ctx: Ctx,
  source: KnownSource,
  keys: readonly string[],
): Promise<ObservationRecord[]> {
  return observed(ctx, sql`o.source_id = ${source.id} and o.source_key = any(${[...keys]}::text[])`)
}

export async function idsByKey(
  ctx: Ctx,
  sourceId: string,
  keys: readonly string[],
): Promise<Map<string, string>> {
  const rows = await ctx.db.all(sql<{ key: string; id: string }>`
    select source_key as key, id from asset_observations
    where tenant_id = ${ctx.tenantId} and source_id = ${sourceId} and source_key = any(${[...keys]}::text[])`)
  return new Map(rows.map(({ key, id }) => [key, id]))
}

export async function assetIdsByKey(
  ctx: Ctx,
  sourceId: string,
  keys: readonly string[],
): Promise<Map<string, string>> {
  const rows = await ctx.db.all(sql<{ key: string; assetId: string }>`
    select source_key as key, asset_id as "assetId" from asset_observations
    where tenant_id = ${ctx.tenantId} and source_id = ${sourceId} and source_key = any(${[...keys]}::text[])`)
  return new Map(rows.map(({ key, assetId }) => [key, assetId]))
}

export async function scopesOfAssets(
  ctx: Ctx,
  assetIds: readonly string[],
  kinds: readonly string[],
): Promise<Map<string, readonly string[]>> {
  const rows = await ctx.db.all(sql<{ assetId: string; scopes: string[] }>`
    select asset_id as "assetId", array_agg(distinct scope) as scopes from asset_observations
    where tenant_id = ${ctx.tenantId} and asset_id = any(${[...assetIds]}::uuid[])
      and source_kind = any(${[...kinds]}::text[])
    group by asset_id`)
  return new Map(rows.map(({ assetId, scopes }) => [assetId, scopes]))
}

export function observedById(ctx: Ctx, ids: readonly string[]): Promise<ObservationRecord[]> {
  return ids.length === 0 ? Promise.resolve([]) : observed(ctx, sql`o.id = any(${[...ids]}::uuid[])`)
}

/** All observations of these assets. */
export function observedOfAssets(ctx: Ctx, assetIds: readonly string[]): Promise<ObservationRecord[]> {
  if (assetIds.length === 0) return Promise.resolve([])
  return observed(ctx, sql`o.asset_id = any(${[...assetIds]}::uuid[])`)
}

interface ObservedRow {
  id: string
  assetId: string
  sourceId: string
  kind: string
  name: string
  sourceKey: string
  scope: string
  firstSeen: string
  lastSeen: string
  payload: Payload
  payloadHash: string
  kept: HistoryEntry[]
  watched: boolean
  identifiers: [IdentifierType, string, number, number | null, boolean][]
}

async function observed(ctx: Ctx, which: ReturnType<typeof sql>): Promise<ObservationRecord[]> {
  const rows = await ctx.db.all(sql<ObservedRow>`
    select o.id, o.asset_id as "assetId", o.source_id as "sourceId", o.source_kind as kind, o.source_name as name,
      o.source_key as "sourceKey", o.scope, o.first_seen as "firstSeen", o.last_seen as "lastSeen", o.payload,
      encode(o.payload_hash, 'base64') as "payloadHash", o.kept, o.watched,
      array(select json_build_array(i.type, i.value, round(extract(epoch from i.first_seen) * 1000),
              round(extract(epoch from i.last_seen) * 1000), i.is_static)
            from asset_identifiers i where i.tenant_id = ${ctx.tenantId} and i.observation_id = o.id
            order by i.type, i.value) as identifiers
    from asset_observations o where o.tenant_id = ${ctx.tenantId} and ${which}`)
  return rows.map(toObserved)
}

function toObserved(row: ObservedRow): ObservationRecord {
  const combined = combinedPayload(row.payload, row.kept)
  return {
    id: row.id,
    assetId: row.assetId,
    source: { id: row.sourceId, kind: row.kind, name: row.name },
    sourceKey: row.sourceKey,
    scope: row.scope,
    firstSeen: Date.parse(row.firstSeen),
    lastSeen: Date.parse(row.lastSeen),
    payload: row.payload,
    payloadHash: row.payloadHash,
    history: row.kept,
    combined,
    watched: row.watched,
    current: identifiersOf(combined),
    identifiers: row.identifiers.map(([type, value, firstSeen, lastSeen, fixed]) => ({
      type,
      value,
      firstSeen,
      lastSeen: lastSeen ?? undefined,
      static: fixed,
    })),
  }
}

export interface IdentifierHolder {
  readonly type: IdentifierType
  readonly value: string
  readonly observationId: string
}

/** The observations that have these values, at most `holdersMax` for each value. */
export function holdersOf(
  ctx: Ctx,
  values: readonly Pick<IdentifierHolder, 'type' | 'value'>[],
  holdersMax: number,
): Promise<IdentifierHolder[]> {
  if (values.length === 0) return Promise.resolve([])
  return ctx.db.all(sql<IdentifierHolder>`
    select v.type, v.value, h.observation_id as "observationId"
    from unnest(${values.map((it) => it.type)}::text[], ${values.map((it) => it.value)}::text[]) as v(type, value)
    cross join lateral (
      select i.observation_id from asset_identifiers i
      where i.tenant_id = ${ctx.tenantId} and i.value = v.value and i.type = v.type
      limit ${holdersMax}
    ) h`)
}

/** Must-link and cannot-link constraints on any of these observations. */
export function constraintsAbout(ctx: Ctx, ids: readonly string[]): Promise<Constraint[]> {
  if (ids.length === 0) return Promise.resolve([])
  return ctx.db.all(sql<Constraint>`
    select kind, a, b from asset_constraints where tenant_id = ${ctx.tenantId} and a = any(${[...ids]}::uuid[])
    union
    select kind, a, b from asset_constraints where tenant_id = ${ctx.tenantId} and b = any(${[...ids]}::uuid[])`)
}

/** All shared values of the tenant; there are few. */
export function sharedValues(ctx: Ctx): Promise<Pick<IdentifierHolder, 'type' | 'value'>[]> {
  return ctx.db.all(sql<Pick<IdentifierHolder, 'type' | 'value'>>`
    select type, value from asset_shared_values where tenant_id = ${ctx.tenantId}`)
}

export interface FormerAsset {
  readonly oldId: string
  readonly assetId: string
  readonly observationIds: readonly string[]
}

/** Assets that were merged into any of these. */
export function formerAssets(ctx: Ctx, assetIds: readonly string[]): Promise<FormerAsset[]> {
  if (assetIds.length === 0) return Promise.resolve([])
  return ctx.db.all(sql<FormerAsset>`
    select old_id as "oldId", asset_id as "assetId", observation_ids as "observationIds" from asset_aliases
    where tenant_id = ${ctx.tenantId} and asset_id = any(${[...assetIds]}::uuid[]) order by old_id`)
}

/** For each of these ids that is an asset, or was merged into another: one observation that it has now. */
export function observationsOfAssets(
  ctx: Ctx,
  ids: readonly string[],
): Promise<{ assetId: string; observationId: string }[]> {
  if (ids.length === 0) return Promise.resolve([])
  return ctx.db.all(sql<{ assetId: string; observationId: string }>`
    select g.id as "assetId", o.id as "observationId"
    from unnest(${[...ids]}::uuid[]) as g(id)
    cross join lateral (
      select o.id from asset_observations o
      where o.tenant_id = ${ctx.tenantId} and o.asset_id in (
        select g.id union all
        select x.asset_id from asset_aliases x where x.tenant_id = ${ctx.tenantId} and x.old_id = g.id)
      order by o.first_seen, o.id limit 1
    ) o`)
}

export interface RecordedConstraint extends Constraint {
  readonly actor: string
  readonly reason: string
  readonly at: string
}

export function recordedConstraints(ctx: Ctx, ids: readonly string[]): Promise<RecordedConstraint[]> {
  return ctx.db.all(sql<RecordedConstraint>`
    select kind, a, b, actor_kind || ' ' || actor_id as actor, reason, created_at as at from asset_constraints
    where tenant_id = ${ctx.tenantId} and (a = any(${[...ids]}::uuid[]) or b = any(${[...ids]}::uuid[]))
    order by created_at, a, b`)
}

export interface IgnoredValue extends Pick<IdentifierHolder, 'type' | 'value'> {
  readonly why: SharedReason
}

/** The shared values among the identifiers of these observations. */
export function ignoredValues(ctx: Ctx, ids: readonly string[]): Promise<IgnoredValue[]> {
  return ctx.db.all(sql<IgnoredValue>`
    select type, value, why from asset_shared_values s
    where tenant_id = ${ctx.tenantId} and exists (
      select from asset_identifiers i where i.tenant_id = ${ctx.tenantId}
        and i.observation_id = any(${[...ids]}::uuid[]) and i.type = s.type and i.value = s.value)
    order by type, value`)
}
