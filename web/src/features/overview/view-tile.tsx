import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { SavedViewsData } from '#api/generated/conditions.ts'
import { FindingViewTileDocument, ViewTileDocument } from '#api/generated/overview.ts'
import { q } from '#api/query-client.ts'
import { filterOf, readAssetSearch } from '#features/assets/list/asset-search-params.ts'
import { isAnythingAssessed } from '#features/vulnerabilities/assessment.ts'
import { SeverityMark } from '#features/vulnerabilities/finding-badges.tsx'
import {
  readFindingSearch,
  UNGROUPED,
  variablesOf,
} from '#features/vulnerabilities/findings/finding-search-params.ts'
import { count } from '#lib/numbers.ts'
import { LoadError } from '#ui/load-error.tsx'
import { Panel } from '#ui/panel.tsx'
import { SkeletonBlock } from '#ui/skeleton.tsx'
import { Time } from '#ui/time.tsx'
import { Lines } from './lines.tsx'

interface ViewTileProps {
  readonly view: SavedViewsData['savedViews'][number]
}

/** How many rows a saved view has, and its first ones. */
export function ViewTile({ view }: ViewTileProps) {
  return view.subject === 'finding' ? <FindingsTile view={view} /> : <AssetsTile view={view} />
}

function AssetsTile({ view: { name, view } }: ViewTileProps) {
  const search = readAssetSearch(view as Record<string, unknown>)
  // absent where none was chosen: null is no order
  const { sort, direction } = search
  const order = { ...(sort && { sort }), ...(direction && { direction }) }
  const { data, error, refetch } = useQuery(q(ViewTileDocument, { filter: filterOf(search), ...order }))
  return (
    <ViewPanel
      name={name}
      error={error}
      onRetry={() => void refetch()}
      aside={
        data && (
          <Link to="/assets" search={search}>
            {`${count(data.assets.total)} in all`}
          </Link>
        )
      }
    >
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
    </ViewPanel>
  )
}

function FindingsTile({ view: { name, view } }: ViewTileProps) {
  const search = readFindingSearch(view as Record<string, unknown>)
  const { data, error, refetch } = useQuery(q(FindingViewTileDocument, variablesOf(search)))
  return (
    <ViewPanel
      name={name}
      error={error}
      onRetry={() => void refetch()}
      aside={
        data && (
          // the findings themselves, which are what is counted
          <Link to="/vulnerabilities" search={{ ...search, group: search.group ?? UNGROUPED }}>
            {`${count(data.findings.total)} in all`}
          </Link>
        )
      }
    >
      {data && (
        <Lines
          empty={
            isAnythingAssessed(data.assessment)
              ? 'No finding is in this view.'
              : 'Nothing was assessed yet, so no finding is in this view.'
          }
          lines={data.findings.items.map(({ id, cveId, assetId, assetName, ...finding }) => ({
            key: id,
            name: (
              <Link to="/vulnerabilities/$cveId" params={{ cveId }}>
                {cveId}
              </Link>
            ),
            note: (
              <Link to="/assets/$assetId" params={{ assetId }}>
                {assetName}
              </Link>
            ),
            value: (
              <SeverityMark
                severity={finding.severity}
                score={finding.cvssScore}
                isScored={finding.isScored}
              />
            ),
          }))}
        />
      )}
    </ViewPanel>
  )
}

interface ViewPanelProps {
  readonly name: string
  readonly error: unknown
  readonly onRetry: () => void
  readonly aside: ReactNode
  /** Undefined: they are loading. */
  readonly children: ReactNode
}

function ViewPanel({ name, error, onRetry, aside, children }: ViewPanelProps) {
  return (
    <Panel title={name} aside={aside}>
      {error !== null && error !== undefined && <LoadError error={error} onRetry={onRetry} />}
      {children ?? (!error && <SkeletonBlock label={`Loading ${name}`} />)}
    </Panel>
  )
}
