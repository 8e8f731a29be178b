import type { Identifier, Observation } from '#features/assets/observation.ts'
import { recordCells, toObservation, wrongs, type AssetColumn, type AssetRow } from '../columns/asset-row.ts'
import type { Reading, Rejection } from '../formats/format.ts'
import { jsonRecords } from '../parsing/json-records.ts'
import { isObject, type Fields } from '../parsing/json-document.ts'
import { invalid } from '#platform/errors.ts'

/** What another product says of one asset. */
export interface InventoryItem {
  /** The product's own id of it: the same asset of tomorrow's export is the same sighting. */
  readonly key: string
  readonly row: AssetRow
  /** What has no column. */
  readonly more?: Partial<Observation>
  readonly addresses?: readonly Identifier[]
}

/** What the product calls our columns, for messages. */
export type FieldNames = Readonly<Partial<Record<AssetColumn, string>>>

const SHOWN_LENGTH = 40
const IDENTIFIERS_MAX = 200

/** The item as an observation with what is recorded; or the first thing wrong with it, in the product's own words. */
export function readingOf(
  line: number,
  item: InventoryItem,
  { now, names }: { readonly now: Date; readonly names: FieldNames },
): Reading {
  const { key, row, more, addresses = [] } = item
  if (key.endsWith(':')) return { line, field: 'id', message: 'is missing' }
  const [wrong] = wrongs(row, now)
  if (wrong) {
    const field = names[wrong.field as AssetColumn] ?? wrong.field
    const value = row[wrong.field] ?? ''
    return { line, field, message: `${wrong.why}: ${JSON.stringify(value.slice(0, SHOWN_LENGTH))} (${key})` }
  }
  const observation = toObservation(row, now)
  const recorded = recordCells(row)
  return {
    line,
    observation: {
      ...observation,
      ...more,
      sourceKey: key,
      identifiers: [...observation.identifiers, ...addresses].slice(0, IDENTIFIERS_MAX),
    },
    ...(recorded && { recorded }),
  }
}

/** What a product's API answers. */
export interface JsonInventory {
  /** Under which a page of its API holds the list. */
  readonly listKey: string
  /** For messages. */
  readonly product: string
  readonly isItem: (value: Fields) => boolean
}

/** Reads the items one by one; what is no item of the product is a rejection, and a file of nothing else is refused. */
export async function* jsonReadings(
  content: AsyncIterable<Buffer>,
  { listKey, product, isItem }: JsonInventory,
  read: (line: number, value: Fields) => Reading | undefined,
): AsyncIterable<readonly Reading[]> {
  for await (const records of jsonRecords(content, listKey)) {
    const readings: Reading[] = []
    for (const { line, number, isAlone, value, why } of records) {
      const wrong = (message: string): Rejection => ({ line, field: `record ${number}`, message })
      if (why !== undefined) readings.push(wrong(why))
      else if (isObject(value) && isItem(value)) {
        const reading = read(line, value)
        if (reading) readings.push(reading)
      } else if (isAlone && number === 1)
        throw invalid('file', `is JSON, but no ${product}: it has no ${listKey}`)
      else readings.push(wrong(`is no ${product}`))
    }
    yield readings
  }
}
