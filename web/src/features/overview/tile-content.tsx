import { Link } from '@tanstack/react-router'
import type { SavedViewsData } from '#api/generated/conditions.ts'
import type { OverviewData } from '#api/generated/overview.ts'
import { typeName } from '#features/assets/asset-types.ts'
import { sourceTerm } from '#features/assets/source-name.ts'
import { compareTerm } from '#features/conditions/condition-terms.ts'
import { BarList } from '#ui/bar-list.tsx'
import { Panel } from '#ui/panel.tsx'
import { Coverage } from './coverage.tsx'
import { FirstStepsToDo } from './first-steps.tsx'
import { FreshnessBar } from './freshness-bar.tsx'
import { NewAssets } from './new-assets.tsx'
import { Ends, FailedScans, FeedAges, SinceYesterday, Waiting } from './small-tiles.tsx'
import { viewOf, type TileId } from './tiles.ts'
import { ViewTile } from './view-tile.tsx'
import { TopRisks } from './top-risks.tsx'
import { Trends } from './trends.tsx'

interface OverviewProps {
  readonly overview: OverviewData['overview']
}

interface TileContentProps extends OverviewProps {
  readonly id: TileId
  readonly views: SavedViewsData['savedViews']
}

export function TileContent({ id, overview, views }: TileContentProps) {
  const view = views.find((it) => it.id === viewOf(id))
  if (view) return <ViewTile view={view} />
  switch (id) {
    case 'first-steps':
      return <FirstStepsToDo />
    case 'since-yesterday':
      return <SinceYesterday />
    case 'waiting':
      return <Waiting />
    case 'trends':
      return <Trends />
    case 'risks':
      return <TopRisks />
    case 'coverage':
      return <Coverage />
    case 'failed-scans':
      return <FailedScans />
    case 'end-of-life':
      return <Ends />
    case 'feeds':
      return <FeedAges />
    case 'last-seen':
      return (
        <Panel title="When last seen">
          <FreshnessBar shares={overview.byFreshness} total={overview.total} />
        </Panel>
      )
    case 'by-type':
      return <ByType overview={overview} />
    case 'by-source':
      return <BySource overview={overview} />
    case 'newest':
      return <NewAssets />
    default:
      // of a view that is gone
      return null
  }
}

function ByType({ overview: { byType, total } }: OverviewProps) {
  const types = byType
    .filter(({ count }) => count > 0)
    .toSorted((a, b) => b.count - a.count)
    .map(({ type, count }) => ({
      key: type,
      count,
      label: (
        <Link to="/assets" search={{ where: compareTerm('asset_type', [type]) }}>
          {typeName(type)}
        </Link>
      ),
    }))
  return (
    <Panel title="By type">
      <BarList bars={types} total={total} />
    </Panel>
  )
}

function BySource({ overview: { bySource, total } }: OverviewProps) {
  const sources = bySource
    .toSorted((a, b) => b.count - a.count)
    .map(({ sourceId, kind, name, count }) => ({
      key: sourceId,
      count,
      label: (
        <Link to="/assets" search={{ where: sourceTerm({ name, kind }) }} title={`${kind} ${name}`}>
          {name || kind}
        </Link>
      ),
    }))
  return (
    <Panel title="By source" aside="One asset may come from several">
      <BarList bars={sources} total={total} />
    </Panel>
  )
}
