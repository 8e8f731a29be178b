import {
  customFieldOfColumn,
  importCustomValues,
  listCustomFields,
  readCustomValue,
} from '#features/assets/assets.ts'
import type { CustomField } from '#features/assets/editing/custom-field.ts'
import { assetsOfKeys } from '#features/sources/sources.ts'
import type { Source } from '#features/sources/source.ts'
import type { Ctx } from '#platform/context.ts'
import type { Rejection, Row } from '../formats/format.ts'
import { rejectedRecords } from './recorded-cells.ts'

/** Cells of a table about custom fields: columns such as `custom.cost_centre`. */

/** The custom fields of the tenant, where a row has cells of any. */
const customFieldsFor = (ctx: Ctx, rows: readonly Row[]): Promise<readonly CustomField[]> =>
  rows.some(({ custom }) => custom) ? listCustomFields(ctx) : Promise.resolve([])

const SHOWN_LENGTH = 40

/** One rejection for each row of which a cell is no value of the record or of a custom field, or names no field. */
export async function rejectedCells(ctx: Ctx, rows: readonly Row[]): Promise<Rejection[]> {
  const found = [...rejectedRecords(rows), ...rejectedCustom(await customFieldsFor(ctx, rows), rows)]
  const firstOfLine = new Map(found.toReversed().map((it) => [it.line, it]))
  return [...firstOfLine.values()].sort((a, b) => a.line - b.line)
}

function rejectedCustom(fields: readonly CustomField[], rows: readonly Row[]): Rejection[] {
  return rows.flatMap(({ line, custom = {} }): Rejection[] => {
    for (const [column, text] of Object.entries(custom)) {
      const field = customFieldOfColumn(fields, column)
      if (!field) return [{ line, field: column, message: 'names no custom field' }]
      const read = readCustomValue(field, text)
      if ('why' in read)
        return [
          { line, field: column, message: `${read.why}: ${JSON.stringify(text.slice(0, SHOWN_LENGTH))}` },
        ]
    }
    return []
  })
}

/** Writes the cells of rows that were submitted, in the caller's transaction. Answers the assets that changed. */
export async function importCustom(ctx: Ctx, source: Source, rows: readonly Row[]): Promise<string[]> {
  const telling = rows.filter(({ custom }) => custom)
  if (telling.length === 0) return []
  const fields = await customFieldsFor(ctx, telling)
  const assets = await assetsOfKeys(
    ctx,
    source,
    telling.map(({ observation }) => observation.sourceKey),
  )
  return importCustomValues(
    ctx,
    telling.flatMap(({ observation, custom = {} }) =>
      Object.entries(custom).flatMap(([column, text]) => {
        const assetId = assets.get(observation.sourceKey)
        const field = customFieldOfColumn(fields, column)
        const read = field && readCustomValue(field, text)
        return assetId !== undefined && field && read && 'value' in read
          ? [{ assetId, field, value: read.value }]
          : []
      }),
    ),
  )
}
