import { Alert, Button, Textarea } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useQuery } from '@tanstack/react-query'
import { OctagonX } from 'lucide-react'
import { useState } from 'react'
import { FlowStopDocument, ResumeFlowsDocument, StopFlowsDocument } from '#api/generated/editor.ts'
import { q, useChange } from '#api/query-client.ts'
import { usePermission } from '#api/use-permission.ts'
import { FormDialog } from '#ui/dialog/form-dialog.tsx'
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
      {isAsking && <StopFlowsForm onClose={() => setAsking(false)} />}
    </>
  )
}

const REASON_LENGTH_MAX = 500

/** The reason stands above the list of flows, and in each run that is skipped or ended because of it. */
function StopFlowsForm({ onClose }: { readonly onClose: () => void }) {
  const form = useForm({
    initialValues: { reason: '' },
    validate: { reason: (text) => (text.trim() === '' ? 'Say why, for those who find them stopped.' : null) },
  })
  const stop = useChange(StopFlowsDocument, { isQuiet: true, done: 'All flows are stopped' })
  return (
    <FormDialog
      isOpen
      title="Stop all flows?"
      action="Stop all flows"
      form={form}
      onSubmit={({ reason }) => stop.mutateAsync({ reason: reason.trim() })}
      onClose={onClose}
    >
      <p>No run begins or goes on until somebody lets them. What runs have done stays.</p>
      <Textarea
        label="Reason"
        required
        data-autofocus
        autosize
        minRows={2}
        maxLength={REASON_LENGTH_MAX}
        {...form.getInputProps('reason')}
      />
    </FormDialog>
  )
}
