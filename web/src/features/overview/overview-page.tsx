import { usePrefetchQuery, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Radar } from 'lucide-react'
import { ArrivalsDocument, OverviewDocument, type OverviewData } from '#api/generated/operations.ts'
import { q } from '#api/query-client.ts'
import { usePermission } from '#api/use-permission.ts'
import { typeName } from '#features/assets/asset-types.ts'
import { sourceTerm } from '#features/assets/source-name.ts'
import { compareTerm } from '#features/conditions/condition-terms.ts'
import { RunningScans } from '#features/scans/running-scans.tsx'
import { GettingStarted } from '#features/shell/getting-started.tsx'
import { AfterLoading } from '#ui/after-loading.tsx'
import { BarList } from '#ui/bar-list.tsx'
import { EmptyState } from '#ui/empty-state.tsx'
import { Page } from '#ui/page.tsx'
import { Panel } from '#ui/panel.tsx'
import { LoadError } from '#ui/load-error.tsx'
import { SkeletonBlock } from '#ui/skeleton.tsx'
import { NewAssets } from './new-assets.tsx'
import { KeyFigures } from './key-figures.tsx'
import { FreshnessBar } from './freshness-bar.tsx'
import { TopRisks } from './top-risks.tsx'
import styles from './overview-page.module.css'

export function OverviewPage() {
  usePrefetchQuery(q(ArrivalsDocument, {}))
  const { data, error, refetch } = useQuery(q(OverviewDocument, {}))
  return (
    <Page title="Overview">
      {error && <LoadError error={error} onRetry={() => void refetch()} />}
      {!data && !error && (
        <Panel>
          <SkeletonBlock />
        </Panel>
      )}
      {data && (data.overview.total === 0 ? <NothingYet /> : <Counts overview={data.overview} />)}
    </Page>
  )
}

interface CountsProps {
  readonly overview: OverviewData['overview']
}

function Counts({ overview }: CountsProps) {
  const may = usePermission()
  return (
    <>
      <KeyFigures overview={overview} />
      {may('scans:read') && <RunningScans />}
      {may('vulnerabilities:read') && <TopRisks />}
      <AfterLoading>
        <Breakdown overview={overview} />
      </AfterLoading>
    </>
  )
}

function Breakdown({ overview }: CountsProps) {
  const { total, byType, bySource, byFreshness } = overview
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
    <>
      <Panel title="When last seen">
        <FreshnessBar shares={byFreshness} total={total} />
      </Panel>
      <div className={styles['columns']}>
        <Panel title="By type">
          <BarList bars={types} total={total} />
        </Panel>
        <Panel title="By source" aside="One asset may come from several">
          <BarList bars={sources} total={total} />
        </Panel>
        <NewAssets />
      </div>
    </>
  )
}

function NothingYet() {
  return (
    <Panel>
      <EmptyState icon={Radar} title="Nothing has been found yet" action={<GettingStarted />}>
        Sweep a network or import a list. What is found is counted here while it arrives.
      </EmptyState>
    </Panel>
  )
}
