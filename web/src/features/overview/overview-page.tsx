import { useQueries, useQuery } from '@tanstack/react-query'
import { useRouteContext } from '@tanstack/react-router'
import { Radar } from 'lucide-react'
import { SavedViewsDocument } from '#api/generated/conditions.ts'
import { OverviewDocument, OverviewLayoutDocument, type OverviewData } from '#api/generated/overview.ts'
import { q } from '#api/query-client.ts'
import { usePermission } from '#api/use-permission.ts'
import { RunningScans } from '#features/scans/running-scans.tsx'
import { GettingStarted } from '#features/shell/getting-started.tsx'
import { DemoButton } from '#features/tenancy/organisations/demo-button.tsx'
import { DemoNotice } from '#features/tenancy/organisations/demo-notice.tsx'
import { EmptyState } from '#ui/empty-state.tsx'
import { LoadError } from '#ui/load-error.tsx'
import { Page } from '#ui/page.tsx'
import { Panel } from '#ui/panel.tsx'
import { SkeletonBlock } from '#ui/skeleton.tsx'
import { ArrangeTiles } from './arrange-tiles.tsx'
import { FirstSteps } from './first-steps.tsx'
import { KeyFigures } from './key-figures.tsx'
import { LoadedTile } from './loaded-tile.tsx'
import styles from './overview-page.module.css'
import { TileContent } from './tile-content.tsx'
import { tileQuery } from './tile-query.ts'
import { arranged, isShown, TILES, withViews, type Layout, type Tile } from './tiles.ts'

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
  const hasViews = layout.tiles.some((id) => id.startsWith('view-'))
  const views = useQuery({ ...q(SavedViewsDocument, {}), enabled: hasViews }).data?.savedViews ?? []
  const shown = arranged(withViews(tiles, views), layout).filter(({ id }) => isShown(layout, id))
  const loaded = useLoadedInOrder(shown)
  return (
    <>
      <KeyFigures overview={overview} />
      {may('scans:read') && <RunningScans />}
      <div className={styles['tiles']}>
        {shown.slice(0, loaded + 1).map((tile) => (
          <div
            key={tile.id}
            className={styles['tile']}
            data-wide={tile.isWide || undefined}
            data-tile={tile.id}
          >
            <LoadedTile tile={tile}>
              <TileContent id={tile.id} overview={overview} views={views} />
            </LoadedTile>
          </div>
        ))}
      </div>
    </>
  )
}

/** How many tiles have come before the first that has not. What is behind that one would move when it comes. */
function useLoadedInOrder(tiles: readonly Tile[]): number {
  const may = usePermission()
  const answers = useQueries({ queries: tiles.map(({ id }) => tileQuery(id, may)) })
  const pending = answers.findIndex(({ isPending }) => isPending)
  return pending === -1 ? tiles.length : pending
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
