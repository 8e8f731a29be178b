import { Alert } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useEffect } from 'react'
import {
  FlowBackTestDocument,
  PublishFlowDocument,
  StartFlowBackTestDocument,
  type FlowBackTestData,
} from '#api/generated/operations.ts'
import { messageOf } from '#api/errors.ts'
import { q, useChange } from '#api/query-client.ts'
import { ConfirmDialog } from '#ui/dialog/confirm-dialog.tsx'
import { ProgressBar } from '#ui/progress-bar.tsx'
import { Time } from '#ui/time.tsx'
import styles from './flow-steps.module.css'

const REFRESH_MS = 500
const RUNS_SHOWN = 10

interface PublishFlowDialogProps {
  readonly flowId: string
  readonly onClose: () => void
}

/** Says what the draft would have run for in the last 30 days before it is published. */
export function PublishFlowDialog({ flowId, onClose }: PublishFlowDialogProps) {
  const publish = useChange(PublishFlowDocument, {
    done: 'Published; switch it on when you are ready',
    onDone: onClose,
  })
  return (
    <ConfirmDialog
      isOpen
      title="Publish the draft?"
      action="Publish"
      size="lg"
      isBusy={publish.isPending}
      onConfirm={() => publish.mutate({ id: flowId })}
      onClose={onClose}
    >
      <p>Runs will do what the draft says, with your permissions. The flow is off until you switch it on.</p>
      <BackTest flowId={flowId} />
    </ConfirmDialog>
  )
}

function BackTest({ flowId }: { readonly flowId: string }) {
  const { mutate, data, error } = useChange(StartFlowBackTestDocument, { isQuiet: true })
  useEffect(() => mutate({ flowId }), [mutate, flowId])
  if (error)
    return (
      <Alert color="yellow" variant="light" role="alert" title="The past cannot be tried">
        {messageOf(error)}
      </Alert>
    )
  return data ? <BackTestProgress id={data.startFlowBackTest.id} /> : <Asking share={null} />
}

function BackTestProgress({ id }: { readonly id: string }) {
  const { data } = useQuery({
    ...q(FlowBackTestDocument, { id }),
    refetchInterval: ({ state }) =>
      state.data && state.data.flowBackTest.status !== 'running' ? false : REFRESH_MS,
  })
  const test = data?.flowBackTest
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

function Result({ result }: { readonly result: NonNullable<FlowBackTestData['flowBackTest']['result']> }) {
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
