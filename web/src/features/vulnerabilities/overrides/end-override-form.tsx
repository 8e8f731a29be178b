import { Textarea } from '@mantine/core'
import { useForm } from '@mantine/form'
import { EndOverrideDocument, type OverrideRow } from '#api/generated/vulnerabilities.ts'
import { useChange } from '#api/query-client.ts'
import { count } from '#lib/numbers.ts'
import { FormDialog } from '#ui/dialog/form-dialog.tsx'

type Ending = Pick<OverrideRow, 'state' | 'isOwn'>

/** The verb of the button: a proposed override is withdrawn or refused, an active one is ended. */
export function endVerb({ state, isOwn }: Ending): string {
  if (state !== 'proposed') return 'End'
  return isOwn ? 'Withdraw' : 'Reject'
}

export function EndOverrideForm({
  override,
  onClose,
}: {
  readonly override: OverrideRow
  readonly onClose: () => void
}) {
  const { id, cveId, findings, state } = override
  const verb = endVerb(override)
  const form = useForm({
    initialValues: { reason: '' },
    validate: { reason: (reason) => (reason.trim() === '' ? 'Say why' : null) },
  })
  const end = useChange(EndOverrideDocument, {
    isQuiet: true,
    done:
      state === 'proposed'
        ? 'The override does not come into force'
        : 'Ended; what it changed is as the feeds say',
  })
  return (
    <FormDialog
      isOpen
      title={`${verb} the override of ${cveId}`}
      action={`${verb} override`}
      form={form}
      onSubmit={({ reason }) => end.mutateAsync({ id, reason })}
      onClose={onClose}
    >
      <p>
        {state === 'proposed'
          ? 'It changes nothing yet, and never will.'
          : `${count(findings)} ${findings === 1 ? 'finding is' : 'findings are'} as the feeds say again.`}
      </p>
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
