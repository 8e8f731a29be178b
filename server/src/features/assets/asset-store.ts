import { sql, type RawBuilder } from 'kysely'
import type { Ctx } from '#platform/context.ts'
import { tenantOfRow } from '#platform/cli/tenant-of-row.ts'
import type { Listed } from '#platform/http/paging.ts'
import type { Asset, AssetAttributes, ComputedAsset } from './asset.ts'
import { count } from './asset-count-store.ts'
import type { AttributesBefore } from './attributes/attributes-before-store.ts'
import { facetColumns, facetRow } from './attributes/facet-columns.ts'
import type { Override, AssetEdits } from './attributes/asset-values.ts'
import { locatedAt } from './site/site-store.ts'

/** Rows of assets, their search texts, counts by type and aliases. */

const instant = (ms: number): string => new Date(ms).toISOString()

/** All columns of an `Asset`, of the table alias `a`. */
export const assetColumns = sql`a.id, a.name, a.asset_type as "assetType",
  coalesce(a.device_type, 'unknown') as "deviceType", a.ip_address as "ipAddress",
  a.mac_address as "macAddress", a.os, a.hostname, a.serial, a.vendor, a.model, a.risk_score as "riskScore",
  a.confidence, a.tags, a.first_seen as "firstSeen", a.last_seen as "lastSeen",
  a.archived_at as "archivedAt", a.archived_by as "archivedBy",
  a.stale_since as "staleSince"`

export function assetById(ctx: Ctx, id: string): Promise<Asset | undefined> {
  return ctx.db.maybe(
    sql<Asset>`select ${assetColumns} from assets a where a.tenant_id = ${ctx.tenantId} and a.id = ${id}`,
  )
}

/** In the order of the ids. */
export function assetsInOrder(ctx: Ctx, ids: readonly string[]): Promise<Asset[]> {
  return ctx.db.all(sql<Asset>`
    select ${assetColumns} from unnest(${[...ids]}::uuid[]) with ordinality as wanted(id, place)
    join assets a on a.id = wanted.id and a.tenant_id = ${ctx.tenantId} order by wanted.place`)
}

/** A page of which the ids were read before: what is gone since is neither on it nor in the total. */
export async function pageInOrder(ctx: Ctx, ids: readonly string[], total: number): Promise<Listed<Asset>> {
  const items = ids.length > 0 ? await assetsInOrder(ctx, ids) : []
  return { items, total: total - (ids.length - items.length) }
}

/** By id. Until the end of the transaction nothing new is written about them in tables of other features. */
export function lockAssetsToDelete(ctx: Ctx, ids: readonly string[]): Promise<Asset[]> {
  return ctx.db.all(sql<Asset>`
    select ${assetColumns} from assets a where a.tenant_id = ${ctx.tenantId} and a.id = any(${[...ids]}::uuid[])
    order by a.id for update`)
}

/** The id of the asset that this one was merged into. */
export async function mergedInto(ctx: Ctx, id: string): Promise<string | undefined> {
  const alias = await ctx.db.maybe(sql<{ assetId: string }>`
    select asset_id as "assetId" from asset_aliases where tenant_id = ${ctx.tenantId} and old_id = ${id}`)
  return alias?.assetId
}

/** By the ids of the assets that were merged away. */
export async function mergedAssets(ctx: Ctx, oldIds: readonly string[]): Promise<Map<string, string>> {
  const rows = await ctx.db.all(sql<{ oldId: string; assetId: string }>`
    select old_id as "oldId", asset_id as "assetId" from asset_aliases
    where tenant_id = ${ctx.tenantId} and old_id = any(${[...oldIds]}::uuid[])`)
  return new Map(rows.map(({ oldId, assetId }) => [oldId, assetId]))
}

/** Names by id. Key-share locks let others update the rows, but not delete them. */
export async function lockAssets(ctx: Ctx, ids: readonly string[]): Promise<Map<string, string>> {
  const rows = await ctx.db.all(sql<{ id: string; name: string }>`
    select id, name from assets where tenant_id = ${ctx.tenantId} and id = any(${[...ids]}::uuid[])
    order by id for key share`)
  return new Map(rows.map(({ id, name }) => [id, name]))
}

/** The tenant of an asset, or of one that was merged; looks in all tenants, so for the system context only. */
export const tenantOf = (system: Ctx, id: string): Promise<string | undefined> =>
  tenantOfRow(system, id, [
    ['assets', 'id'],
    ['asset_aliases', 'old_id'],
  ])

export interface StoredAsset extends AssetEdits, AssetAttributes {
  readonly id: string
  readonly confidence: number
  readonly archivedAt: string | null
}

export async function assetsById(ctx: Ctx, ids: readonly string[]): Promise<StoredAsset[]> {
  if (ids.length === 0) return []
  type Row = Omit<StoredAsset, 'overrides'> & { overrides: (Override & { setAt: string })[] | null }
  const rows = await ctx.db.all(sql<Row>`
    select a.id, a.name, a.asset_type as "assetType",
      coalesce(a.device_type, 'unknown') as "deviceType", a.ip_address as "ipAddress", a.mac_address as "macAddress",
      a.os, a.hostname, a.serial, a.vendor, a.model, a.tags, a.confidence, a.own_tags as "ownTags", a.muted_tags as "mutedTags",
      a.archived_at as "archivedAt",
      (select json_agg(json_build_object('attribute', attribute, 'value', value, 'isLocked', is_locked, 'setAt', set_at))
       from asset_overrides v where v.tenant_id = ${ctx.tenantId} and v.asset_id = a.id) as overrides
    from assets a where a.tenant_id = ${ctx.tenantId} and a.id = any(${[...ids]}::uuid[])`)
  return rows.map((row) => ({
    ...row,
    overrides: (row.overrides ?? []).map((override) => ({ ...override, setAt: Date.parse(override.setAt) })),
  }))
}

/** What is computed of an asset: columns of the table, with their types. */
const computed = {
  name: 'text',
  asset_type: 'text',
  device_type: 'text',
  ip_address: 'text',
  mac_address: 'text',
  os: 'text',
  hostname: 'text',
  serial: 'text',
  vendor: 'text',
  model: 'text',
  confidence: 'float8',
  tags: 'text[]',
  own_tags: 'text[]',
  muted_tags: 'text[]',
  first_seen: 'timestamptz',
  last_seen: 'timestamptz',
  ...facetColumns,
} as const satisfies Readonly<Record<string, string>>

type Column = keyof typeof computed
const columnNames = Object.keys(computed) as Column[]
const columnList = sql.raw(columnNames.join(', '))
const assignments = sql.raw(columnNames.map((it) => `${it} = r.${it}`).join(', '))
const definitions = sql.raw(
  Object.entries(computed)
    .map(([name, type]) => `${name} ${type}`)
    .join(', '),
)

/** A row `r` for each asset. */
const rowsOf = (assets: readonly ComputedAsset[]) =>
  sql`json_to_recordset(${JSON.stringify(assets.map(toRow))}::json) as r(id uuid, ${definitions})`

const located = (ctx: Ctx) => locatedAt(ctx, sql`r.id`, sql`r.ip_address`)

const toRow = (it: ComputedAsset): Readonly<Record<Column | 'id', unknown>> => ({
  id: it.id,
  name: it.name,
  asset_type: it.assetType,
  device_type: it.deviceType,
  ip_address: it.ipAddress,
  mac_address: it.macAddress,
  os: it.os,
  hostname: it.hostname,
  serial: it.serial,
  vendor: it.vendor,
  model: it.model,
  confidence: it.confidence,
  tags: it.tags,
  own_tags: it.ownTags,
  muted_tags: it.mutedTags,
  first_seen: instant(it.firstSeen),
  last_seen: instant(it.lastSeen),
  ...facetRow(it.facets),
})

/** A row `r` with the search texts of each asset. */
const textsOf = (assets: readonly ComputedAsset[]) => sql`unnest(${assets.map(({ id }) => id)}::uuid[],
    ${assets.map((it) => it.searchText)}::text[], ${assets.map((it) => it.searchAttributes)}::text[])
    as r(id, text, attributes)`

/** Inserts assets with their search texts and increases the counts by type. */
export async function addAssets(ctx: Ctx, assets: readonly ComputedAsset[]): Promise<void> {
  if (assets.length === 0) return
  const about = ctx.db.about(assets.map(({ id }) => id))
  await about.run(sql`
    insert into assets (tenant_id, id, ${columnList}, site, normalized_site)
    select ${ctx.tenantId}, id, ${columnList}, located.site, located.normalized_site
    from ${rowsOf(assets)} ${located(ctx)}`)
  await about.run(sql`
    insert into asset_search (tenant_id, asset_id, text, attributes)
    select ${ctx.tenantId}, id, text, attributes from ${textsOf(assets)}`)
  await count(
    ctx,
    assets.map(({ assetType }) => assetType),
    [],
  )
}

/** Updates assets, and the counts by type of living ones that had another type. The caller holds the tenant's lock. */
export async function changeAssets(
  ctx: Ctx,
  assets: readonly ComputedAsset[],
  before: readonly AttributesBefore[],
): Promise<void> {
  const typeOf = new Map(assets.map(({ id, assetType }) => [id, assetType]))
  const retyped = before.filter(
    ({ id, isArchived, assetType }) => !isArchived && typeOf.get(id) !== assetType,
  )
  const about = ctx.db.about(assets.map(({ id }) => id))
  await about.run(sql`
    update assets a set ${assignments}, site = located.site, normalized_site = located.normalized_site,
      stale_since = case when ${isFresh(ctx, sql`r`)} then null else a.stale_since end
    from ${rowsOf(assets)} ${located(ctx)} where a.tenant_id = ${ctx.tenantId} and a.id = r.id`)
  await about.run(sql`
    update asset_search s set text = r.text, attributes = r.attributes
    from ${textsOf(assets)} where s.tenant_id = ${ctx.tenantId} and s.asset_id = r.id
      and (s.text <> r.text or s.attributes <> r.attributes)`)
  await count(
    ctx,
    retyped.flatMap(({ id }) => typeOf.get(id) ?? []),
    retyped.map(({ assetType }) => assetType),
  )
}

/** That a row with `last_seen` and `stale_after_days` is not stale; a revival by a person does not count here. */
export const isFresh = (ctx: Ctx, row: RawBuilder<unknown>): RawBuilder<boolean> => sql`
  coalesce(${row}.last_seen + ${row}.stale_after_days * interval '1 day' >= ${ctx.now()}, true)`

export async function removeAssets(ctx: Ctx, ids: readonly string[]): Promise<void> {
  const about = ctx.db.about(ids)
  const gone = await about.all(sql<{ type: string; isArchived: boolean }>`
    delete from assets where tenant_id = ${ctx.tenantId} and id = any(${[...ids]}::uuid[])
    returning asset_type as type, archived_at is not null as "isArchived"`)
  await count(
    ctx,
    [],
    gone.flatMap(({ type, isArchived }) => (isArchived ? [] : [type])),
  )
  await about.run(sql`
    delete from asset_search where tenant_id = ${ctx.tenantId} and asset_id = any(${[...ids]}::uuid[])`)
}

/** Locks in the order of ids, as sightings move times, so that they seldom deadlock. */
export async function setRiskScores(
  ctx: Ctx,
  scores: readonly { readonly assetId: string; readonly score: number }[],
): Promise<void> {
  const ids = scores.map(({ assetId }) => assetId)
  await ctx.db.about(ids).run(sql`
    with changed as materialized (
      select a.id, s.score from unnest(${ids}::uuid[], ${scores.map((it) => it.score)}::float8[]) as s(id, score)
      join assets a on a.tenant_id = ${ctx.tenantId} and a.id = s.id and a.risk_score <> s.score
      order by a.id for no key update of a
    )
    update assets a set risk_score = c.score from changed c where a.tenant_id = ${ctx.tenantId} and a.id = c.id`)
}

export interface Merge {
  readonly oldId: string
  readonly assetId: string
  readonly observationIds: readonly string[]
}

export interface MovedValue {
  readonly assetId: string
  readonly fieldId: string
  readonly value: string | number | boolean
}

/**
 * Moves overrides and custom field values of merged assets to the survivors, where these have none; writes aliases.
 * Answers the custom field values that moved.
 */
export async function moveEditsToSurvivors(
  ctx: Ctx,
  merges: readonly Merge[],
  at: Date,
): Promise<MovedValue[]> {
  const survivors = sql`(select * from unnest(${merges.map((it) => it.oldId)}::uuid[],
    ${merges.map((it) => it.assetId)}::uuid[]) as m(old_id, asset_id))`
  await ctx.db.run(sql`
    insert into asset_overrides (asset_id, tenant_id, attribute, value, is_locked, actor_kind, actor_id, reason, set_at)
    select m.asset_id, v.tenant_id, attribute, value, is_locked, actor_kind, actor_id, reason, set_at
    from asset_overrides v join ${survivors} m on m.old_id = v.asset_id where v.tenant_id = ${ctx.tenantId}
    order by m.old_id on conflict (tenant_id, asset_id, attribute) do nothing`)
  const moved = await ctx.db.all(sql<MovedValue>`
    insert into asset_custom_values (asset_id, field_id, tenant_id, value)
    select m.asset_id, v.field_id, v.tenant_id, v.value
    from asset_custom_values v join ${survivors} m on m.old_id = v.asset_id where v.tenant_id = ${ctx.tenantId}
    order by m.old_id on conflict (tenant_id, asset_id, field_id) do nothing
    returning asset_id as "assetId", field_id as "fieldId", value`)
  await ctx.db.run(sql`
    update asset_aliases x set asset_id = m.asset_id
    from ${survivors} m where x.tenant_id = ${ctx.tenantId} and x.asset_id = m.old_id`)
  const rows = merges.map(({ oldId, assetId, observationIds }) => ({ oldId, assetId, observationIds }))
  await ctx.db.run(sql`
    insert into asset_aliases (old_id, tenant_id, asset_id, observation_ids, merged_at)
    select "oldId", ${ctx.tenantId}, "assetId", "observationIds", ${at}
    from json_to_recordset(${JSON.stringify(rows)}::json) as r("oldId" uuid, "assetId" uuid, "observationIds" uuid[])`)
  return moved
}

/** Deletes the aliases of ids that are assets again. */
export async function removeAliases(ctx: Ctx, oldIds: readonly string[]): Promise<void> {
  await ctx.db.run(sql`
    delete from asset_aliases where tenant_id = ${ctx.tenantId} and old_id = any(${[...oldIds]}::uuid[])`)
}
