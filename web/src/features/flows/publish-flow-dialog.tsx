import { Alert } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { FlowBackTestDocument, PublishFlowDocument, StartFlowBackTestDocument } from '#api/generated/flows.ts'
import { messageOf } from '#api/errors.ts'
import { q, useChange } from '#api/query-client.ts'
import { ConfirmDialog } from '#ui/dialog/confirm-dialog.tsx'
import { BackTestOutcome } from './back-test-result.tsx'

const REFRESH_MS = 500

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
  return data ? <BackTestProgress id={data.startFlowBackTest.id} /> : <BackTestOutcome test={undefined} />
}

function BackTestProgress({ id }: { readonly id: string }) {
  const { data } = useQuery({
    ...q(FlowBackTestDocument, { id }),
    refetchInterval: ({ state }) =>
      state.data && state.data.flowBackTest.status !== 'running' ? false : REFRESH_MS,
  })
  return <BackTestOutcome test={data?.flowBackTest} />
}
