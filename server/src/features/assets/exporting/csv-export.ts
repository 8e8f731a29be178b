import type { Ctx } from '#platform/context.ts'
import { invalid, notFound } from '#platform/errors.ts'
import { csvRow } from '#platform/formats/csv.ts'
import type { Page } from '#platform/http/paging.ts'
import type { Reply } from '#platform/http/route.ts'
import { exportAssets, exportLines, type Asset } from '../assets.ts'
import type { CustomField } from '../editing/custom-field.ts'
import { listCustomFields } from '../editing/custom-fields.ts'
import { valuesOfFields } from '../editing/custom-values.ts'
import type { AssetQuery } from '../listing/asset-query.ts'
import { queryAssets } from '../listing/filter-and-sort.ts'

/** The inventory as a CSV file. */

const FILENAME = 'assets.csv'

/** Default columns of the API's export and of the app's. */
const usualColumns = [
  'id',
  'name',
  'assetType',
  'ipAddress',
  'macAddress',
  'os',
  'riskScore',
  'lastSeen',
  'tags',
] as const satisfies readonly (keyof Asset)[]

/** Available columns, named as in the API. */
const csvColumns = [
  ...usualColumns,
  'deviceType',
  'hostname',
  'serial',
  'vendor',
  'model',
  'confidence',
  'firstSeen',
] as const satisfies readonly (keyof Asset)[]
/** Names that `columns` may hold, separated by commas, as a regular expression. */
const columnPattern = `(${csvColumns.join('|')}|custom\\.[a-z0-9_]{1,40})`
export const columnsPattern = `^(${columnPattern}(,${columnPattern})*)?$`
type CsvColumn = (typeof csvColumns)[number]

/**
 * All assets, or those that `query` finds in its order, at most 10,000; a header says when there are more. The id is
 * always the first column, so that an import can match the rows to the assets. `columns` are of `csvColumns`, or custom
 * fields: `custom.` and the key. Throws 400, which names `columns`, and 404 for a custom field that is not there.
 * `isTried`: for what HEAD answers; nobody is told of an export.
 */
export async function exportAsCsv(
  ctx: Ctx,
  query?: AssetQuery,
  columns: readonly string[] = usualColumns,
  isTried?: boolean,
): Promise<Reply> {
  const file = { format: 'csv', filename: FILENAME, isTried } as const
  const names = [...new Set(['id', ...columns])]
  if (!query && names.every(isCsvColumn)) {
    const { lines, truncated } = await exportLines(ctx, file, names)
    return reply(csvRow(names) + lines, truncated)
  }
  const list = query && ((inner: Ctx, page: Page) => queryAssets(inner, page, query))
  // read before anything is exported, so that a wrong name costs no export
  const fields = await customFieldsNamed(ctx, names)
  const { assets, truncated } = await exportAssets(ctx, file, list)
  const values = await customValues(
    ctx,
    [...fields.values()].map(({ id }) => id),
    assets.map(({ id }) => id),
  )
  const cellOf = (asset: Asset, name: string) => {
    const field = fields.get(name)
    return field ? (values.get(`${asset.id} ${field.id}`) ?? '') : cell(asset, name as CsvColumn)
  }
  const lines = assets.map((asset) => csvRow(names.map((name) => cellOf(asset, name))))
  return reply(csvRow(names) + lines.join(''), truncated)
}

const reply = (content: string, truncated: boolean): Reply => ({
  file: { mediaType: 'text/csv', content },
  headers: {
    'content-disposition': `attachment; filename="${FILENAME}"`,
    ...(truncated && { 'x-export-truncated': 'true' }),
  },
})

const isCsvColumn = (name: string): name is CsvColumn => csvColumns.some((it) => it === name)

/** The custom fields among the names, by name. */
async function customFieldsNamed(ctx: Ctx, names: readonly string[]): Promise<Map<string, CustomField>> {
  const others = names.filter((name) => !isCsvColumn(name))
  const known = others.length === 0 ? [] : await listCustomFields(ctx)
  return new Map(
    others.map((name) => {
      const field = known.find(({ key, aliases }) => [key, ...aliases].some((it) => name === `custom.${it}`))
      if (!field) {
        if (name.startsWith('custom.')) throw notFound('custom field')
        throw invalid('columns', `names one that is none of ${csvColumns.join(', ')}, custom.KEY`)
      }
      return [name, field]
    }),
  )
}

/** Texts by the ids of the asset and of the field, with a blank between them. */
async function customValues(
  ctx: Ctx,
  fieldIds: readonly string[],
  assetIds: readonly string[],
): Promise<Map<string, string>> {
  if (fieldIds.length === 0) return new Map()
  const rows = await valuesOfFields(ctx, fieldIds, assetIds)
  return new Map(rows.map(({ assetId, fieldId, value }) => [`${assetId} ${fieldId}`, String(value)]))
}

const cell = (asset: Asset, column: CsvColumn) => (column === 'tags' ? asset.tags.join(';') : asset[column])
