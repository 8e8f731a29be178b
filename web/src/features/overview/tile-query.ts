import { queryOptions } from '@tanstack/react-query'
import { OpenItemsDocument } from '#api/generated/notices.ts'
import { ArrivalsDocument, OverviewRiskDocument } from '#api/generated/overview.ts'
import { q } from '#api/query-client.ts'
import { coverageQuery } from './coverage.tsx'
import { firstStepsQuery } from './first-steps.tsx'
import { changesQuery, endsQuery, failedScansQuery, feedsQuery } from './small-tiles.tsx'
import type { TileId } from './tiles.ts'
import { trendQuery } from './trends.tsx'

type AnyQuery = ReturnType<typeof queryOptions<unknown, Error, unknown, readonly unknown[]>>

/** What the overview loaded already has come. */
const LOADED = queryOptions<unknown, Error, unknown, readonly unknown[]>({
  queryKey: ['loaded with the overview'],
  queryFn: () => true,
  initialData: true,
})

/** What a tile asks the server before it is drawn. */
export function tileQuery(id: TileId, may: (permission: string) => boolean): AnyQuery {
  const query = (): unknown => {
    switch (id) {
      case 'first-steps':
        return firstStepsQuery(may)
      case 'since-yesterday':
        return changesQuery()
      case 'waiting':
        return q(OpenItemsDocument, {})
      case 'trends':
        return trendQuery()
      case 'risks':
        return q(OverviewRiskDocument, {})
      case 'coverage':
        return coverageQuery()
      case 'failed-scans':
        return failedScansQuery()
      case 'end-of-life':
        return endsQuery()
      case 'feeds':
        return feedsQuery()
      case 'newest':
        return q(ArrivalsDocument, {})
      case 'last-seen':
      case 'by-type':
      case 'by-source':
      default:
        return LOADED
    }
  }
  return query() as AnyQuery
}
