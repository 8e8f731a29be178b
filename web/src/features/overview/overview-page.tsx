import { useQueries, useQuery } from '@tanstack/react-query'
import { useRouteContext } from '@tanstack/react-router'
import { Radar } from 'lucide-react'
import {
  ArrivalsDocument,
  OverviewDocument,
  OverviewLayoutDocument,
  OverviewRiskDocument,
  type OverviewData,
} from '#api/generated/overview.ts'
import { q } from '#api/query-client.ts'
import { usePermission } from '#api/use-permission.ts'
import { RunningScans } from '#features/scans/running-scans.tsx'
import { GettingStarted } from '#features/shell/getting-started.tsx'
import { useOpenItems } from '#features/shell/navigation/use-open-items.ts'
import { DemoButton } from '#features/tenancy/organisations/demo-button.tsx'
import { DemoNotice } from '#features/tenancy/organisations/demo-notice.tsx'
import { AfterLoading } from '#ui/after-loading.tsx'
import { EmptyState } from '#ui/empty-state.tsx'
import { LoadError } from '#ui/load-error.tsx'
import { Page } from '#ui/page.tsx'
import { Panel } from '#ui/panel.tsx'
import { SkeletonBlock } from '#ui/skeleton.tsx'
import { ArrangeTiles } from './arrange-tiles.tsx'
import { coverageQuery } from './coverage.tsx'
import { FirstSteps, firstStepsQuery } from './first-steps.tsx'
import { KeyFigures } from './key-figures.tsx'
import styles from './overview-page.module.css'
import { changesQuery, endsQuery, failedScansQuery, feedsQuery } from './small-tiles.tsx'
import { TileContent } from './tile-content.tsx'
import { arranged, TILES, type Layout, type Tile } from './tiles.ts'
import { trendQuery } from './trends.tsx'

const ASSUMED: Layout = { tiles: [], hidden: [] }

export function OverviewPage() {
  const { data, error, refetch } = useQuery(q(OverviewDocument, {}))
  const tiles = useTiles()
  const layout = useQuery(q(OverviewLayoutDocument, {})).data?.overviewLayout ?? ASSUMED
  const { tenant } = useRouteContext({ from: '/app' }).session
  const isEmpty = data?.overview.total === 0
  return (
    <Page title="Overview" actions={data && !isEmpty && <ArrangeTiles tiles={tiles} layout={layout} />}>
      {error && <LoadError error={error} onRetry={() => void refetch()} />}
      {!data && !error && (
        <Panel>
          <SkeletonBlock />
        </Panel>
      )}
      {tenant.isDemo && <DemoNotice assets={data?.overview.total} />}
      {data && isEmpty && !tenant.isDemo && <NothingYet />}
      {data && !isEmpty && <Counts overview={data.overview} tiles={tiles} layout={layout} />}
    </Page>
  )
}

/** Those that the role may see. */
function useTiles(): readonly Tile[] {
  const { session } = useRouteContext({ from: '/app' })
  const may = usePermission()
  const all: readonly Tile[] = TILES
  return all.filter(
    ({ permission, isOfAllAssets = false, isOfRealOnes = false }) =>
      may(permission) &&
      !(isOfAllAssets && session.limitedTo !== null) &&
      !(isOfRealOnes && session.tenant.isDemo),
  )
}

interface CountsProps {
  readonly overview: OverviewData['overview']
  readonly tiles: readonly Tile[]
  readonly layout: Layout
}

function Counts({ overview, tiles, layout }: CountsProps) {
  const may = usePermission()
  const shown = arranged(tiles, layout).filter(({ id }) => !layout.hidden.includes(id))
  useTileData(shown)
  return (
    <>
      <KeyFigures overview={overview} />
      {may('scans:read') && <RunningScans />}
      <AfterLoading>
        <div className={styles['tiles']}>
          {shown.map(({ id, isWide = false }) => (
            <div key={id} className={styles['tile']} data-wide={isWide || undefined}>
              <TileContent id={id} overview={overview} />
            </div>
          ))}
        </div>
      </AfterLoading>
    </>
  )
}

/** Asked for before the tiles are drawn, so that none of them moves when its answer comes. */
function useTileData(shown: readonly Tile[]): void {
  const may = usePermission()
  const wants = (id: Tile['id']) => shown.some((it) => it.id === id)
  useOpenItems()
  useQueries({
    queries: [
      { ...firstStepsQuery(may), enabled: wants('first-steps') },
      { ...changesQuery(), enabled: wants('since-yesterday') },
      { ...trendQuery(), enabled: wants('trends') },
      { ...coverageQuery(), enabled: wants('coverage') },
      { ...failedScansQuery(), enabled: wants('failed-scans') },
      { ...endsQuery(), enabled: wants('end-of-life') },
      { ...feedsQuery(), enabled: wants('feeds') },
      { ...q(OverviewRiskDocument, {}), enabled: wants('risks') },
      { ...q(ArrivalsDocument, {}), enabled: wants('newest') },
    ],
  })
}

function NothingYet() {
  return (
    <>
      <Panel>
        <EmptyState
          icon={Radar}
          title="Nothing has been found yet"
          action={
            <GettingStarted>
              <DemoButton />
            </GettingStarted>
          }
        >
          Sweep a network or import a list. What is found is counted here while it arrives.
        </EmptyState>
      </Panel>
      <FirstSteps />
    </>
  )
}
