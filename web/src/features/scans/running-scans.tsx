import { useQuery } from '@tanstack/react-query'
import { RunningScansDocument, type ScanRow } from '#api/generated/scans.ts'
import { q } from '#api/query-client.ts'
import { duration } from '#lib/dates.ts'
import { count, many } from '#lib/numbers.ts'
import { TwoLines } from '#ui/table/cell.tsx'
import { Panel } from '#ui/panel.tsx'
import { ProgressBar } from '#ui/progress-bar.tsx'
import { CancelScanButton } from './cancel-scan-button.tsx'
import styles from './running-scans.module.css'
import { SampledOnly } from './sampled-only.tsx'

/** Polling interval; the event stream does not report progress. */
const REFRESH_MS = 2_000

/** Queued and running scans; renders nothing if there are none. */
export function RunningScans() {
  const { data } = useQuery({
    ...q(RunningScansDocument, {}),
    refetchInterval: ({ state }) =>
      state.data && state.data.running.items.length + state.data.pending.items.length > 0
        ? REFRESH_MS
        : false,
  })
  const scans = [...(data?.running.items ?? []), ...(data?.pending.items ?? [])]
  if (scans.length === 0) return null
  return (
    <Panel title="Under way" isFlush>
      <ul className={styles['scans']}>
        {scans.map((scan) => (
          <Scan key={scan.id} scan={scan} />
        ))}
      </ul>
    </Panel>
  )
}

function Scan({ scan }: { readonly scan: ScanRow }) {
  const { type, targetAddress, progress, status } = scan
  const share = progress && progress.total > 0 ? progress.done / progress.total : null
  return (
    <li className={styles['scan']}>
      <TwoLines below={type}>{targetAddress}</TwoLines>
      <div className={styles['measure']}>
        <ProgressBar label={`Progress of ${targetAddress}`} share={status === 'pending' ? 0 : share} />
        <div className={styles['figures']}>
          <Figures scan={scan} />
        </div>
      </div>
      <CancelScanButton scan={scan} />
    </li>
  )
}

function Figures({ scan: { type, status, progress, message } }: { readonly scan: ScanRow }) {
  if (status === 'pending') return <span>Waits for its turn</span>
  if (!progress || type !== 'sweep') return <span>{message || 'Begins'}</span>
  const { done, total, found, ratePerSecond, remainingSeconds, sampledOnly } = progress
  return (
    <>
      <span>
        {count(done)} of {many(total, 'address', 'addresses')} · {many(found, 'host')} found
      </span>
      <SampledOnly sampledOnly={sampledOnly} />
      {ratePerSecond > 0 && (
        <span>
          {count(Math.round(ratePerSecond))} a second · {duration(remainingSeconds)} left
        </span>
      )}
    </>
  )
}
