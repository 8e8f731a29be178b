import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { SavedViewsData } from '#api/generated/conditions.ts'
import { ViewTileDocument } from '#api/generated/overview.ts'
import { q } from '#api/query-client.ts'
import { filterOf, readAssetSearch } from '#features/assets/list/asset-search-params.ts'
import { count } from '#lib/numbers.ts'
import { LoadError } from '#ui/load-error.tsx'
import { Panel } from '#ui/panel.tsx'
import { SkeletonBlock } from '#ui/skeleton.tsx'
import { Time } from '#ui/time.tsx'
import { Lines } from './lines.tsx'

interface ViewTileProps {
  readonly view: SavedViewsData['savedViews'][number]
}

/** How many assets a saved view has, and its first ones. */
export function ViewTile({ view: { name, view } }: ViewTileProps) {
  const search = readAssetSearch(view as Record<string, unknown>)
  const { sort = null, direction = null } = search
  const { data, error, refetch } = useQuery(
    q(ViewTileDocument, { filter: filterOf(search), sort, direction }),
  )
  return (
    <Panel
      title={name}
      aside={
        data && (
          <Link to="/assets" search={search}>
            {`${count(data.assets.total)} in all`}
          </Link>
        )
      }
    >
      {error && <LoadError error={error} onRetry={() => void refetch()} />}
      {!data && !error && <SkeletonBlock label={`Loading ${name}`} />}
      {data && (
        <Lines
          empty="No asset is in this view."
          lines={data.assets.items.map(({ id, name: asset, lastSeen, riskScore }) => ({
            key: id,
            name: (
              <Link to="/assets/$assetId" params={{ assetId: id }}>
                {asset}
              </Link>
            ),
            note: riskScore > 0 && `risk ${Math.round(riskScore)}`,
            value: <Time at={lastSeen} />,
          }))}
        />
      )}
    </Panel>
  )
}
