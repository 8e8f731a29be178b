import { Alert, Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { OctagonX } from 'lucide-react'
import { useState } from 'react'
import { FlowStopDocument, ResumeFlowsDocument, StopFlowsDocument } from '#api/generated/operations.ts'
import { q, useChange } from '#api/query-client.ts'
import { usePermission } from '#api/use-permission.ts'
import { ConfirmDialog } from '#ui/dialog/confirm-dialog.tsx'
import { Time } from '#ui/time.tsx'

/** Says that all flows are stopped, and by whom. */
export function FlowStopNotice() {
  const may = usePermission()
  const { data } = useQuery(q(FlowStopDocument, {}))
  const resume = useChange(ResumeFlowsDocument, { done: 'Flows run again' })
  const stop = data?.flowStop
  if (!stop) return null
  return (
    <Alert color="red" variant="light" role="alert" mb="md" title="All flows are stopped">
      <p>
        {stop.stoppedByName}, <Time at={stop.stoppedAt} />: {stop.reason}
      </p>
      {may('flows:write') && (
        <Button size="xs" variant="default" loading={resume.isPending} onClick={() => resume.mutate({})}>
          Let them run
        </Button>
      )}
    </Alert>
  )
}

/** Stops every flow of the organisation at once. */
export function StopFlowsButton() {
  const may = usePermission()
  const [isAsking, setAsking] = useState(false)
  const { data } = useQuery(q(FlowStopDocument, {}))
  const stop = useChange(StopFlowsDocument, { done: 'All flows are stopped', onDone: () => setAsking(false) })
  if (!may('flows:write') || data?.flowStop) return null
  return (
    <>
      <Button
        color="red"
        variant="light"
        leftSection={<OctagonX size={14} aria-hidden />}
        disabled={!data}
        onClick={() => setAsking(true)}
      >
        Stop all
      </Button>
      <ConfirmDialog
        isOpen={isAsking}
        title="Stop all flows?"
        action="Stop all flows"
        isDestructive
        isBusy={stop.isPending}
        onConfirm={() => stop.mutate({ reason: 'Stopped in the app' })}
        onClose={() => setAsking(false)}
      >
        <p>No run begins or goes on until somebody lets them. What runs have done stays.</p>
      </ConfirmDialog>
    </>
  )
}
