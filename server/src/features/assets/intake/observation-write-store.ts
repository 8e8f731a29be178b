import { sql } from 'kysely'
import type { Ctx } from '#platform/context.ts'
import { NIL_UUID } from '#platform/uuid.ts'
import { countObservations } from '../asset-count-store.ts'
import type { Constraint, CandidatePair } from '../identity/identity.ts'
import type { IdentifierType } from '../observation.ts'
import type { ObservationRecord } from './observation-record.ts'
import type { SharedReason } from '../identity/shared-identifier-values.ts'

/** Writes of observations, identifiers, constraints, shared values and candidate pairs; one statement a table. */

const instant = (ms: number): string => new Date(ms).toISOString()

const rowOf = (each: ObservationRecord) => ({
  id: each.id,
  source_id: each.source.id,
  source_kind: each.source.kind,
  source_name: each.source.name,
  source_key: each.sourceKey,
  scope: each.scope,
  asset_id: each.assetId,
  first_seen: instant(each.firstSeen),
  last_seen: instant(each.lastSeen),
  payload: each.payload,
  hash: each.payloadHash,
  kept: each.history,
  watched: each.watched,
})

export async function addObservations(ctx: Ctx, observed: readonly ObservationRecord[]): Promise<void> {
  if (observed.length === 0) return
  await ctx.db.run(sql`
    insert into asset_observations (id, tenant_id, source_id, source_kind, source_name, source_key, scope,
      asset_id, first_seen, last_seen, payload, payload_hash, kept, watched)
    select id, ${ctx.tenantId}, source_id, source_kind, source_name, source_key, scope,
      asset_id, first_seen, last_seen, payload, decode(hash, 'base64'), kept, watched
    from json_to_recordset(${JSON.stringify(observed.map(rowOf))}::json) as r(id uuid, source_id uuid,
      source_kind text, source_name text, source_key text, scope text, asset_id uuid, first_seen timestamptz,
      last_seen timestamptz, payload jsonb, hash text, kept jsonb, watched boolean)`)
  await countObservations(
    ctx,
    observed.map(({ source }) => source.id),
    [],
  )
  await addIdentifiers(ctx, observed)
}

/** Records with new content or another asset. */
export async function changeObservations(ctx: Ctx, observed: readonly ObservationRecord[]): Promise<void> {
  if (observed.length === 0) return
  await ctx.db.run(sql`
    update asset_observations o set asset_id = r.asset_id, first_seen = r.first_seen, last_seen = r.last_seen,
      payload = r.payload, payload_hash = decode(r.hash, 'base64'), kept = r.kept, watched = r.watched
    from json_to_recordset(${JSON.stringify(observed.map(rowOf))}::json) as r(id uuid, asset_id uuid,
      first_seen timestamptz, last_seen timestamptz, payload jsonb, hash text, kept jsonb, watched boolean)
    where o.tenant_id = ${ctx.tenantId} and o.id = r.id`)
}

/** Gives records the source keys that they have now. */
export async function changeKeys(ctx: Ctx, observed: readonly ObservationRecord[]): Promise<void> {
  if (observed.length === 0) return
  await ctx.db.about(observed.flatMap(({ assetId }) => assetId ?? [])).run(sql`
    update asset_observations o set source_key = r.source_key
    from unnest(${observed.map(({ id }) => id)}::uuid[], ${observed.map(({ sourceKey }) => sourceKey)}::text[])
      as r(id, source_key)
    where o.tenant_id = ${ctx.tenantId} and o.id = r.id`)
}

/** Assets of which a scan into the scope has an observation, in the order of their ids. */
export async function assetsScannedIn(
  ctx: Ctx,
  { scope, kinds }: { readonly scope: string; readonly kinds: readonly string[] },
  { after, limit }: { readonly after: string; readonly limit: number },
): Promise<string[]> {
  const rows = await ctx.db.all(sql<{ id: string }>`
    select distinct asset_id as id from asset_observations
    where tenant_id = ${ctx.tenantId} and scope = ${scope} and source_kind = any(${[...kinds]}::text[])
      and asset_id > ${after === '' ? NIL_UUID : after}
    order by asset_id limit ${limit}`)
  return rows.map(({ id }) => id)
}

/** Gives records the scopes and source keys that they have now, but for keys that others have; answers the ids. */
export async function changeScopes(ctx: Ctx, observed: readonly ObservationRecord[]): Promise<string[]> {
  if (observed.length === 0) return []
  const rows = await ctx.db.about(observed.flatMap(({ assetId }) => assetId ?? [])).all(sql<{ id: string }>`
    update asset_observations o set source_key = r.source_key, scope = r.scope
    from unnest(${observed.map(({ id }) => id)}::uuid[], ${observed.map(({ sourceKey }) => sourceKey)}::text[],
      ${observed.map(({ scope }) => scope)}::text[]) as r(id, source_key, scope)
    where o.tenant_id = ${ctx.tenantId} and o.id = r.id and not exists (
      select from asset_observations taken where taken.tenant_id = ${ctx.tenantId}
        and taken.source_id = o.source_id and taken.source_key = r.source_key)
    returning o.id`)
  return rows.map(({ id }) => id)
}

/** Observations of the source with another name of it than `name`, by source key. */
export function namedOtherwise(
  ctx: Ctx,
  { id, name }: { readonly id: string; readonly name: string },
  { after, limit }: { readonly after: string; readonly limit: number },
): Promise<{ readonly id: string; readonly sourceKey: string; readonly assetId: string }[]> {
  return ctx.db.all(sql`
    select id, source_key as "sourceKey", asset_id as "assetId" from asset_observations
    where tenant_id = ${ctx.tenantId} and source_id = ${id} and source_key > ${after} and source_name <> ${name}
    order by source_key limit ${limit}`)
}

export async function renameObservations(
  ctx: Ctx,
  name: string,
  those: readonly { readonly id: string; readonly assetId: string }[],
): Promise<void> {
  await ctx.db.about(those.map(({ assetId }) => assetId)).run(sql`
    update asset_observations set source_name = ${name}
    where tenant_id = ${ctx.tenantId} and id = any(${those.map(({ id }) => id)}::uuid[])`)
}

export async function replaceIdentifiers(ctx: Ctx, observed: readonly ObservationRecord[]): Promise<void> {
  if (observed.length === 0) return
  await ctx.db.run(sql`
    delete from asset_identifiers
    where tenant_id = ${ctx.tenantId} and observation_id = any(${observed.map(({ id }) => id)}::uuid[])`)
  await addIdentifiers(ctx, observed)
}

async function addIdentifiers(ctx: Ctx, observed: readonly ObservationRecord[]): Promise<void> {
  const rows = observed.flatMap(({ id, identifiers }) =>
    identifiers.map((each, place) => ({ id, place, ...each })),
  )
  if (rows.length === 0) return
  await ctx.db.run(sql`
    insert into asset_identifiers (tenant_id, observation_id, place, type, value, first_seen, last_seen, is_static)
    select ${ctx.tenantId}, * from unnest(
      ${rows.map((row) => row.id)}::uuid[], ${rows.map((row) => row.place)}::smallint[],
      ${rows.map((row) => row.type)}::text[],
      ${rows.map((row) => row.value)}::text[], ${rows.map((row) => instant(row.firstSeen))}::timestamptz[],
      ${rows.map((row) => (row.lastSeen === undefined ? null : instant(row.lastSeen)))}::timestamptz[],
      ${rows.map((row) => row.static)}::boolean[])`)
}

/** The observations of these assets and their identifiers. */
export async function removeObservationsOf(ctx: Ctx, assetIds: readonly string[]): Promise<void> {
  const about = ctx.db.about(assetIds)
  await about.run(sql`
    delete from asset_identifiers i using asset_observations o
    where i.tenant_id = ${ctx.tenantId} and o.tenant_id = ${ctx.tenantId} and i.observation_id = o.id
      and o.asset_id = any(${[...assetIds]}::uuid[])`)
  const gone = await about.all(sql<{ sourceId: string }>`
    delete from asset_observations
    where tenant_id = ${ctx.tenantId} and asset_id = any(${[...assetIds]}::uuid[])
    returning source_id as "sourceId"`)
  await countObservations(
    ctx,
    [],
    gone.map(({ sourceId }) => sourceId),
  )
}

/** A new constraint replaces the stored one of the same pair; what an unlink separated stays so when it is kept apart, too. */
export async function writeConstraints(
  ctx: Ctx,
  said: readonly (Constraint & { reason: string; isOfUnlink?: boolean })[],
): Promise<void> {
  if (said.length === 0) return
  const pairs = new Map(said.map((each) => [[each.a, each.b].sort().join(' '), each]))
  const rows = [...pairs.values()].map(({ kind, a, b, reason, isOfUnlink = false }) => ({
    kind,
    reason,
    one: a,
    other: b,
    unlinked: isOfUnlink,
  }))
  await ctx.db.run(sql`
    insert into asset_constraints (tenant_id, a, b, kind, actor_kind, actor_id, reason, is_of_unlink)
    select ${ctx.tenantId}, least(one, other), greatest(one, other), kind, ${ctx.actor.kind}, ${ctx.actor.id}, reason,
      unlinked
    from json_to_recordset(${JSON.stringify(rows)}::json)
      as r(one uuid, other uuid, kind text, reason text, unlinked boolean)
    on conflict (tenant_id, a, b) do update set kind = excluded.kind, actor_kind = excluded.actor_kind,
      actor_id = excluded.actor_id, reason = excluded.reason, created_at = excluded.created_at,
      is_of_unlink = excluded.is_of_unlink or asset_constraints.is_of_unlink and excluded.kind = 'cannot_link'`)
}

export interface DroppedConstraints {
  readonly kind: Constraint['kind']
  /** Whether those that an unlink made stay. */
  readonly isUnlinkKept?: boolean
}

/** Between any of the one and any of the other observations; how many there were. */
export async function dropConstraints(
  ctx: Ctx,
  { kind, isUnlinkKept = false }: DroppedConstraints,
  ...[some, others]: readonly [readonly ObservationRecord[], readonly ObservationRecord[]]
): Promise<number> {
  const [one, other] = [some, others].map((those) => those.map(({ id }) => id))
  return ctx.db.run(sql`
    delete from asset_constraints where tenant_id = ${ctx.tenantId} and kind = ${kind}
      and not (${isUnlinkKept} and is_of_unlink)
      and (a = any(${one}::uuid[]) and b = any(${other}::uuid[]) or a = any(${other}::uuid[]) and b = any(${one}::uuid[]))`)
}

export async function addSharedValues(
  ctx: Ctx,
  values: readonly { type: IdentifierType; value: string; why: SharedReason }[],
): Promise<void> {
  await ctx.db.run(sql`
    insert into asset_shared_values (tenant_id, type, value, why)
    select ${ctx.tenantId}, type, value, why
    from json_to_recordset(${JSON.stringify(values)}::json) as r(type text, value text, why jsonb)
    on conflict (tenant_id, type, value) do update set why = excluded.why`)
}

export async function removeSharedValues(
  ctx: Ctx,
  values: readonly { type: string; value: string }[],
): Promise<void> {
  await ctx.db.run(sql`
    delete from asset_shared_values s
    using unnest(${values.map((it) => it.type)}::text[], ${values.map((it) => it.value)}::text[]) as v(type, value)
    where s.tenant_id = ${ctx.tenantId} and s.type = v.type and s.value = v.value`)
}

/** Replaces the candidate pairs of the observations `about`. */
export async function writeCandidates(
  ctx: Ctx,
  about: readonly string[],
  pairs: readonly CandidatePair[],
): Promise<void> {
  if (about.length > 0) {
    await ctx.db.run(sql`
      delete from asset_candidates
      where tenant_id = ${ctx.tenantId} and (a = any(${[...about]}::uuid[]) or b = any(${[...about]}::uuid[]))`)
  }
  if (pairs.length === 0) return
  const rows = pairs.map(({ a, b, score, reasons, veto }) => ({
    a: a.id < b.id ? a.id : b.id,
    b: a.id < b.id ? b.id : a.id,
    score,
    reasons,
    veto,
  }))
  await ctx.db.run(sql`
    insert into asset_candidates (tenant_id, a, b, score, reasons, veto)
    select ${ctx.tenantId}, a, b, score, reasons, veto
    from json_to_recordset(${JSON.stringify(rows)}::json)
      as r(a uuid, b uuid, score double precision, reasons jsonb, veto jsonb)`)
}

export async function watch(ctx: Ctx, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  await ctx.db.run(sql`
    update asset_observations set watched = true
    where tenant_id = ${ctx.tenantId} and id = any(${[...ids]}::uuid[]) and not watched`)
}
