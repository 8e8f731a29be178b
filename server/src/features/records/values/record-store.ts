import { sql } from 'kysely'
import { normalizeText } from '#platform/conditions/normalize-text.ts'
import type { Ctx } from '#platform/context.ts'
import { recordFields, type AssetRecord, type Origins, type RecordField } from './asset-record.ts'

/** Rows of `asset_records`. */

const columnOf: Readonly<Record<RecordField, readonly [name: string, type: string]>> = {
  owner: ['owner', 'text'],
  department: ['department', 'text'],
  costCentre: ['cost_centre', 'text'],
  placeId: ['place_id', 'uuid'],
  state: ['state', 'text'],
  purchasedOn: ['purchased_on', 'date'],
  price: ['price', 'numeric'],
  currency: ['currency', 'text'],
  supplier: ['supplier', 'text'],
  orderNumber: ['order_number', 'text'],
  warrantyEnds: ['warranty_ends', 'date'],
  leaseEnds: ['lease_ends', 'date'],
  replaceOn: ['replace_on', 'date'],
  hardwareEol: ['hardware_eol', 'date'],
  approved: ['approved', 'text'],
  externallyScannedOn: ['externally_scanned_on', 'date'],
  notes: ['notes', 'text'],
}

/** Fields that conditions compare as normalized text, in columns of their own. */
const normalizedColumns = {
  owner: 'normalized_owner',
  department: 'normalized_department',
  costCentre: 'normalized_cost_centre',
  supplier: 'normalized_supplier',
  orderNumber: 'normalized_order_number',
} as const satisfies Partial<Record<RecordField, string>>
type NormalizedField = keyof typeof normalizedColumns
const normalizedFields = Object.keys(normalizedColumns) as NormalizedField[]

function normalizedValues(values: AssetRecord['values']): Readonly<Record<string, string | null>> {
  return Object.fromEntries(
    normalizedFields.map((field) => {
      const text = values[field]
      return [normalizedColumns[field], text === null ? null : normalizeText(text)]
    }),
  )
}

const eachNormalized = (write: (name: string) => string) =>
  sql.raw(normalizedFields.map((field) => write(normalizedColumns[field])).join(', '))

const eachColumn = (write: (name: string, type: string, field: RecordField) => string) =>
  sql.raw(recordFields.map((field) => write(...columnOf[field], field)).join(', '))

type Row = Readonly<Record<RecordField, string | null>> & {
  readonly assetId: string
  readonly ownerId: string | null
  readonly origins: Origins
}

const columns = sql`asset_id as "assetId", owner_id as "ownerId", origins,
  ${eachColumn((name, _, field) => `${name}::text as "${field}"`)}`

function toRecord({ assetId, ownerId, origins, ...values }: Row): AssetRecord {
  return { assetId, ownerId, origins, values }
}

/** Of those assets that have one. */
export async function records(ctx: Ctx, assetIds: readonly string[]): Promise<AssetRecord[]> {
  if (assetIds.length === 0) return []
  const rows = await ctx.db.all(sql<Row>`
    select ${columns} from asset_records
    where tenant_id = ${ctx.tenantId} and asset_id = any(${[...assetIds]}::uuid[])`)
  return rows.map(toRecord)
}

/** One for each asset, made if there is none; locked until the end of the transaction, in the order of ids. */
export async function lockRecords(ctx: Ctx, assetIds: readonly string[]): Promise<AssetRecord[]> {
  const sorted = [...assetIds].sort()
  await ctx.db.about(sorted).run(sql`
    insert into asset_records (tenant_id, asset_id)
    select ${ctx.tenantId}, asset_id from unnest(${sorted}::uuid[]) as r(asset_id)
    on conflict (tenant_id, asset_id) do nothing`)
  const rows = await ctx.db.all(sql<Row>`
    select ${columns} from asset_records
    where tenant_id = ${ctx.tenantId} and asset_id = any(${sorted}::uuid[]) order by asset_id for update`)
  return rows.map(toRecord)
}

/** Of rows that are there. */
export async function writeRecords(ctx: Ctx, changed: readonly AssetRecord[]): Promise<void> {
  if (changed.length === 0) return
  const rows = changed.map(({ values, ...row }) => ({ ...row, ...values, ...normalizedValues(values) }))
  await ctx.db.about(changed.map(({ assetId }) => assetId)).run(sql`
    update asset_records a set owner_id = r."ownerId", origins = r.origins,
      ${eachColumn((name, _, field) => `${name} = r."${field}"`)},
      ${eachNormalized((name) => `${name} = r.${name}`)}
    from json_to_recordset(${JSON.stringify(rows)}::json) as r("assetId" uuid, "ownerId" uuid, origins jsonb,
      ${eachColumn((_, type, field) => `"${field}" ${type}`)}, ${eachNormalized((name) => `${name} text`)})
    where a.tenant_id = ${ctx.tenantId} and a.asset_id = r."assetId"`)
}

/** Rows in which nothing is recorded any more. */
export async function removeEmpty(ctx: Ctx, assetIds: readonly string[]): Promise<void> {
  await ctx.db.about(assetIds).run(sql`
    delete from asset_records
    where tenant_id = ${ctx.tenantId} and asset_id = any(${[...assetIds]}::uuid[]) and origins = '{}'`)
}

export async function removeRecords(ctx: Ctx, assetIds: readonly string[]): Promise<void> {
  await ctx.db.about(assetIds).run(sql`
    delete from asset_records where tenant_id = ${ctx.tenantId} and asset_id = any(${[...assetIds]}::uuid[])`)
}

export type SuggestedField = 'owner' | 'department' | 'costCentre' | 'supplier'

/** Values in use that contain `text` (case-insensitive), the most used first. */
export function valuesInUse(
  ctx: Ctx,
  field: SuggestedField,
  { text, limit }: { readonly text: string; readonly limit: number },
): Promise<{ value: string; assets: number }[]> {
  const column = sql.raw(columnOf[field][0])
  return ctx.db.all(sql<{ value: string; assets: number }>`
    select ${column} as value, count(*) as assets from asset_records
    where tenant_id = ${ctx.tenantId} and ${column} is not null and strpos(lower(${column}), lower(${text})) > 0
    group by ${column} order by count(*) desc, ${column} limit ${limit}`)
}
