import type { Ctx } from '#platform/context.ts'
import { csvRow } from '#platform/formats/csv.ts'
import type { Page } from '#platform/http/paging.ts'
import type { Reply } from '#platform/http/route.ts'
import { exportAssets, type Asset } from '../assets.ts'
import type { AssetQuery } from './asset-query.ts'
import { queryAssets } from './filter-and-sort.ts'

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
export const csvColumns = [
  ...usualColumns,
  'deviceType',
  'hostname',
  'serial',
  'vendor',
  'model',
  'confidence',
  'firstSeen',
] as const satisfies readonly (keyof Asset)[]
export type CsvColumn = (typeof csvColumns)[number]

/**
 * All assets, or those that `query` finds in its order, at most 10,000; a header says when there are more. The id is
 * always the first column, so that an import can match the rows to the assets.
 */
export async function exportAsCsv(
  ctx: Ctx,
  query?: AssetQuery,
  columns: readonly CsvColumn[] = usualColumns,
): Promise<Reply> {
  const wanted = [...new Set<CsvColumn>(['id', ...columns])]
  const list = query && ((inner: Ctx, page: Page) => queryAssets(inner, page, query))
  const { assets, truncated } = await exportAssets(ctx, 'csv', FILENAME, list)
  return {
    file: {
      mediaType: 'text/csv',
      content: csvRow(wanted) + assets.map((asset) => toCsv(asset, wanted)).join(''),
    },
    headers: {
      'content-disposition': `attachment; filename="${FILENAME}"`,
      ...(truncated && { 'x-export-truncated': 'true' }),
    },
  }
}

const toCsv = (asset: Asset, columns: readonly CsvColumn[]): string =>
  csvRow(columns.map((column) => (column === 'tags' ? asset.tags.join(';') : asset[column])))
