import { Alert, Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import {
  LatestFlowBackTestDocument,
  StartFlowBackTestDocument,
  type FlowBackTestRow,
} from '#api/generated/flows.ts'
import { q, useChange } from '#api/query-client.ts'
import { usePermission } from '#api/use-permission.ts'
import { Panel } from '#ui/panel.tsx'
import { ProgressBar } from '#ui/progress-bar.tsx'
import { Time } from '#ui/time.tsx'
import styles from './flow-steps.module.css'

const REFRESH_MS = 1_000
const RUNS_SHOWN = 10

/** What a draft would have done in the last 30 days, as far as somebody has asked. */
export function BackTestPanel({ flowId }: { readonly flowId: string }) {
  const may = usePermission()
  const { data } = useQuery({
    ...q(LatestFlowBackTestDocument, { flowId }),
    refetchInterval: ({ state }) =>
      state.data?.latestFlowBackTest?.status === 'running' ? REFRESH_MS : false,
  })
  const start = useChange(StartFlowBackTestDocument)
  const test = data?.latestFlowBackTest
  const ask = may('flows:write') && test?.status !== 'running' && (
    <Button size="xs" variant="default" loading={start.isPending} onClick={() => start.mutate({ flowId })}>
      {test ? 'Ask again' : 'What would it have done?'}
    </Button>
  )
  return (
    <Panel title="The last 30 days" aside={ask}>
      {data && !test && <p className="quiet">Nobody has asked what it would have done.</p>}
      {test && <BackTestOutcome test={test} />}
      {test?.finishedAt && (
        <p className="quiet">
          As the newest version was <Time at={test.createdAt} />.
        </p>
      )}
    </Panel>
  )
}

/** Progress, then what would have happened; or why the past cannot be tried. */
export function BackTestOutcome({ test }: { readonly test: FlowBackTestRow | undefined }) {
  if (!test || test.status === 'running')
    return <Asking share={test && test.total > 0 ? test.done / test.total : null} />
  if (!test.result)
    return (
      <Alert color="yellow" variant="light" role="alert" title="The past cannot be tried">
        {test.message}
      </Alert>
    )
  return <Result result={test.result} />
}

const Asking = ({ share }: { readonly share: number | null }) => (
  <div>
    <p className="quiet">What would it have done in the last 30 days?</p>
    <ProgressBar label="Trying it over the last 30 days" share={share} />
  </div>
)

function Result({ result }: { readonly result: NonNullable<FlowBackTestRow['result']> }) {
  const { summary, note, sample, runs } = result
  const shown = sample.slice(0, RUNS_SHOWN)
  return (
    <section className={styles['card']} role="status" aria-label="What it would have done">
      <strong>{summary}</strong>
      {shown.length > 0 && (
        <ul>
          {shown.map(({ at, eventId, assetId, assetName }) => (
            <li key={`${at} ${eventId} ${assetId}`}>
              <Time at={at} />{' '}
              {assetId !== null && (
                <Link to="/assets/$assetId" params={{ assetId }}>
                  {assetName === '' ? assetId : assetName}
                </Link>
              )}
            </li>
          ))}
        </ul>
      )}
      {runs > shown.length && shown.length > 0 && <p className="quiet">… and {runs - shown.length} more.</p>}
      {note !== '' && <p className="quiet">{note}</p>}
    </section>
  )
}
