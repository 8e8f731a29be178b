import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import {
  CancelDiscoveryRunDocument,
  DiscoveryRunDocument,
  type DiscoveryRunRow,
} from '#api/generated/discoveries.ts'
import { ScanDocument } from '#api/generated/scans.ts'
import { q, useChange } from '#api/query-client.ts'
import { SampledOnly } from '#features/scans/sampled-only.tsx'
import { AllowedToScan } from '#features/scans/scan-permission.tsx'
import { count, many } from '#lib/numbers.ts'
import { LoadError } from '#ui/load-error.tsx'
import { Page } from '#ui/page.tsx'
import { Panel } from '#ui/panel.tsx'
import { ProgressBar } from '#ui/progress-bar.tsx'
import { SkeletonBlock } from '#ui/skeleton.tsx'
import { Time } from '#ui/time.tsx'
import styles from './discoveries.module.css'
import { isUnderWay } from './discovery-words.ts'
import { RunHosts } from './run-hosts.tsx'
import { RunRestraint } from './run-restraint.tsx'
import { RunStatusBadge } from './run-status.tsx'
import { changeText } from './runs-panel.tsx'

const REFRESH_MS = 2_000

/** One run: how far it is, and what came of every host. */
export function DiscoveryRunPage() {
  const { runId } = useParams({ from: '/app/discoveries/$runId' })
  const { data, error, refetch } = useQuery({
    ...q(DiscoveryRunDocument, { id: runId }),
    refetchInterval: ({ state }) => (state.data && isUnderWay(state.data.discoveryRun) ? REFRESH_MS : false),
  })
  const run = data?.discoveryRun
  return (
    <Page
      title={run?.name ?? 'Run'}
      aside={run && <RunStatusBadge status={run.status} />}
      description={run?.message}
      actions={
        <>
          {run && isUnderWay(run) && <CancelButton run={run} />}
          <Button variant="default" renderRoot={(props) => <Link to="/discoveries" {...props} />}>
            Discoveries
          </Button>
        </>
      }
    >
      {error ? <LoadError error={error} onRetry={() => void refetch()} /> : null}
      {!error && !run && <SkeletonBlock />}
      {run && <Progress run={run} />}
      {run && <RunRestraint {...run} />}
      {run && <RunHosts key={runId} runId={runId} isUnderWay={isUnderWay(run)} />}
    </Page>
  )
}

function CancelButton({ run: { id } }: { readonly run: DiscoveryRunRow }) {
  const cancel = useChange(CancelDiscoveryRunDocument, { done: 'Run cancelled' })
  return (
    <AllowedToScan>
      <Button variant="default" loading={cancel.isPending} onClick={() => cancel.mutate({ id })}>
        Cancel
      </Button>
    </AllowedToScan>
  )
}

/** A completed run has swept every network. */
function Sampled({ run }: { readonly run: DiscoveryRunRow }) {
  const { data } = useQuery({
    ...q(ScanDocument, { id: run.sweepScanId ?? '' }),
    enabled: run.sweepScanId !== null && run.status !== 'completed',
    refetchInterval: isUnderWay(run) ? REFRESH_MS : false,
  })
  return <SampledOnly sampledOnly={data?.scan.progress?.sampledOnly ?? 0} />
}

function Progress({ run }: { readonly run: DiscoveryRunRow }) {
  return (
    <Panel title="Progress">
      <div className={styles['run']}>
        <ProgressBar label="Progress of the run" share={run.status === 'completed' ? 1 : run.share} />
        <div className={styles['figures']}>
          <span>
            {count(run.addressesDone)} of {many(run.addressesTotal, 'address', 'addresses')} swept
          </span>
          <span>
            {count(run.hostsDone)} of {many(run.hostsFound, 'host')} done
          </span>
          <span>{count(run.loggedIn)} logged in</span>
          <span>{count(run.refused)} refused</span>
          <span>{count(run.unanswered)} no answer</span>
          <span>{count(run.notAsked)} not asked</span>
          <Sampled run={run} />
          {run.newHosts !== null && <span>{changeText(run)}</span>}
          {run.waitsUntil !== null && (
            <span>
              Goes on <Time at={run.waitsUntil} />
            </span>
          )}
          {run.sweepScanId !== null && (
            <Link to="/scans/$scanId" params={{ scanId: run.sweepScanId }}>
              The sweep
            </Link>
          )}
        </div>
      </div>
    </Panel>
  )
}
