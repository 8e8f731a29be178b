import { importRecords, placesByPath, wrongWith } from '#features/records/records.ts'
import { assetsOfKeys } from '#features/sources/sources.ts'
import type { Source } from '#features/sources/source.ts'
import type { Ctx } from '#platform/context.ts'
import { recordColumns, type RecordCells } from '../columns/asset-row.ts'
import type { Rejection, Row } from '../formats/format.ts'

/** Cells of a table about the record of the asset: owner, place, purchase and so on. */

/** One rejection for each row of which a cell is no value of its field. */
export function rejectedRecords(rows: readonly Row[]): Rejection[] {
  return rows.flatMap(({ line, recorded }): Rejection[] => {
    const wrong = recorded && wrongCell(recorded)
    return wrong ? [{ line, ...wrong }] : []
  })
}

const SHOWN_LENGTH = 40

function wrongCell(cells: RecordCells): Omit<Rejection, 'line'> | undefined {
  for (const column of recordColumns) {
    const text = cells[column]
    const why = text === undefined ? undefined : wrongWith(column === 'site' ? 'department' : column, text)
    if (why !== undefined)
      return { field: column, message: `${why}: ${JSON.stringify((text ?? '').slice(0, SHOWN_LENGTH))}` }
  }
  if (cells.price !== undefined && cells.currency === undefined)
    return { field: 'currency', message: 'must say what the price is in, such as EUR' }
  return undefined
}

/**
 * Writes the cells of rows that were submitted, in the caller's transaction; sites that are missing are made.
 * Answers the assets whose record changed.
 */
export async function importRecorded(
  ctx: Ctx,
  { source, name, rows }: { readonly source: Source; readonly name: string; readonly rows: readonly Row[] },
): Promise<string[]> {
  const telling = rows.flatMap(({ observation, recorded }) =>
    recorded ? [{ key: observation.sourceKey, recorded }] : [],
  )
  if (telling.length === 0) return []
  const assets = await assetsOfKeys(
    ctx,
    source,
    telling.map(({ key }) => key),
  )
  const places = await placesByPath(
    ctx,
    telling.flatMap(({ recorded }) => recorded.site ?? []),
  )
  return importRecords(
    ctx,
    name,
    telling.flatMap(({ key, recorded: { site, ...values } }) => {
      const assetId = assets.get(key)
      const placeId = site === undefined ? undefined : places.get(site)
      return assetId === undefined ? [] : [{ assetId, values: { ...values, ...(placeId && { placeId }) } }]
    }),
  )
}
