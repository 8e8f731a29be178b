import { sql } from 'kysely'
import { normalizeText } from '#platform/conditions/normalize-text.ts'
import type { Ctx } from '#platform/context.ts'

/** The column `custom` of assets: their values of custom fields, as conditions compare them. */

interface ValueRow {
  readonly assetId: string
  readonly fieldId: string
  readonly value: string | number | boolean
}

/** Writes the column of these assets anew from their values. The caller holds the tenant's lock. */
export async function refreshCustomFacets(ctx: Ctx, assetIds: readonly string[]): Promise<void> {
  if (assetIds.length === 0) return
  const values = await ctx.db.all(sql<ValueRow>`
    select asset_id as "assetId", field_id as "fieldId", value from asset_custom_values
    where tenant_id = ${ctx.tenantId} and asset_id = any(${[...assetIds]}::uuid[])`)
  const byAsset = Map.groupBy(values, ({ assetId }) => assetId)
  const rows = assetIds.map((id) => ({
    id,
    custom: Object.fromEntries(
      (byAsset.get(id) ?? []).map(({ fieldId, value }) => [
        fieldId,
        typeof value === 'string' ? normalizeText(value) : value,
      ]),
    ),
  }))
  await ctx.db.about(assetIds).run(sql`
    update assets a set custom = r.custom
    from json_to_recordset(${JSON.stringify(rows)}::json) as r(id uuid, custom jsonb)
    where a.tenant_id = ${ctx.tenantId} and a.id = r.id and a.custom <> r.custom`)
}

/** Assets that have values of custom fields, in the order of ids. */
export async function assetsWithValues(ctx: Ctx, after: string, limit: number): Promise<string[]> {
  const rows = await ctx.db.all(sql<{ id: string }>`
    select distinct asset_id as id from asset_custom_values
    where tenant_id = ${ctx.tenantId} and asset_id > ${after} order by asset_id limit ${limit}`)
  return rows.map(({ id }) => id)
}
