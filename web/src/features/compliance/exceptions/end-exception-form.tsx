import { Textarea } from '@mantine/core'
import { useForm } from '@mantine/form'
import { EndComplianceExceptionDocument, type ComplianceExceptionRow } from '#api/generated/checks.ts'
import { useChange } from '#api/query-client.ts'
import { FormDialog } from '#ui/dialog/form-dialog.tsx'

interface EndExceptionFormProps {
  readonly exception: ComplianceExceptionRow
  readonly onClose: () => void
}

/** Ends an exception that is in force, or refuses one that waits for approval. */
export function EndExceptionForm({ exception: { id, state }, onClose }: EndExceptionFormProps) {
  const isProposed = state === 'proposed'
  const form = useForm({
    initialValues: { reason: '' },
    validate: { reason: (reason) => (reason.trim() === '' ? 'Say why' : null) },
  })
  const end = useChange(EndComplianceExceptionDocument, {
    isQuiet: true,
    done: isProposed ? 'The exception does not come into force' : 'Ended; the failures count again',
  })
  return (
    <FormDialog
      isOpen
      title={isProposed ? 'Refuse the exception' : 'End the exception'}
      action={isProposed ? 'Refuse exception' : 'End exception'}
      form={form}
      onSubmit={({ reason }) => end.mutateAsync({ id, reason })}
      onClose={onClose}
    >
      <Textarea
        label="Reason"
        autosize
        minRows={2}
        required
        data-autofocus
        {...form.getInputProps('reason')}
      />
    </FormDialog>
  )
}
