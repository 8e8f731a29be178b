import { deviceTypes } from '#features/recognition/recognition.ts'
import { LENGTH_MAX } from '#platform/conditions/parse.ts'
import { invalid } from '#platform/errors.ts'
import type { FileInput, FileRoute } from '#platform/http/uploads.ts'
import { assetSorts, freshnesses, weeklyChanges, type AssetQuery } from './listing/asset-query.ts'
import { exportAsCsv } from './exporting/csv-export.ts'
import { assetTypes } from './observation.ts'

const TEXT_LENGTH_MAX = 1_024

/** Exports the filtered and sorted list of the app with its displayed columns; without parameters all assets. */
export const files: readonly FileRoute[] = [
  {
    method: 'GET',
    path: '/assets.csv',
    handle: (ctx, { query: { columns, ...query }, isHead }) =>
      exportAsCsv(ctx, queryOf(query), columnsOf(columns), isHead),
  },
]

const choices = {
  type: assetTypes,
  deviceType: deviceTypes,
  freshness: freshnesses,
  thisWeek: weeklyChanges,
  sort: assetSorts,
  direction: ['asc', 'desc'],
} as const
const texts: readonly string[] = ['where', 'search', 'tag', 'sourceId']

function queryOf(given: FileInput['query']): AssetQuery {
  for (const [name, value] of Object.entries(given)) {
    const known = texts.includes(name) ? undefined : choicesOf(name)
    const most = name === 'where' ? LENGTH_MAX : TEXT_LENGTH_MAX
    if (typeof value !== 'string' || value.length > most)
      throw invalid(name, `must be given once, with at most ${most} characters`)
    if (known && !known.includes(value)) throw invalid(name, `is none of ${known.join(', ')}`)
  }
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== ''))
}

/** Names of columns, separated by commas. */
function columnsOf(given: FileInput['query'][string]): readonly string[] | undefined {
  if (given === undefined) return undefined
  if (typeof given !== 'string') throw invalid('columns', 'must be given once')
  return given.split(',')
}

function choicesOf(name: string): readonly string[] {
  const known: readonly string[] | undefined = Object.entries(choices).find(([each]) => each === name)?.[1]
  if (!known) throw invalid(name, 'is not a known parameter')
  return known
}
