import type { Ctx } from '#platform/context.ts'
import { csvRow } from '#platform/csv.ts'
import type { Page } from '#platform/list.ts'
import type { Reply } from '#platform/route.ts'
import { exportAssets, type Asset } from './assets.ts'
import { browseAssets, type AssetQuery } from './browse.ts'

/** The inventory as a CSV file. */

const FILENAME = 'assets.csv'

const columns = [
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

/** All assets, or those that `query` finds in its order, at most 10,000; a header says when there are more. */
export async function exportAsCsv(ctx: Ctx, query?: AssetQuery): Promise<Reply> {
  const list = query && ((inner: Ctx, page: Page) => browseAssets(inner, page, query))
  const { assets, truncated } = await exportAssets(ctx, 'csv', FILENAME, list)
  return {
    file: { mediaType: 'text/csv', content: csvRow(columns) + assets.map(toCsv).join('') },
    headers: {
      'content-disposition': `attachment; filename="${FILENAME}"`,
      ...(truncated && { 'x-export-truncated': 'true' }),
    },
  }
}

const toCsv = (asset: Asset): string =>
  csvRow(columns.map((column) => (column === 'tags' ? asset.tags.join(';') : asset[column])))
