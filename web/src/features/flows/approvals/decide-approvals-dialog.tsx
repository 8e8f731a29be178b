import { Textarea } from '@mantine/core'
import { useForm } from '@mantine/form'
import { DecideFlowApprovalsDocument, type FlowApprovalRow } from '#api/generated/approvals.ts'
import { useChange } from '#api/query-client.ts'
import { many } from '#lib/numbers.ts'
import { FormDialog } from '#ui/dialog/form-dialog.tsx'
import styles from './approvals.module.css'

export type Answer = 'approve' | 'refuse'

const NOTE_LENGTH_MAX = 2_000
const SHOWN_MAX = 5

const WORDS = {
  approve: { verb: 'Approve', done: 'Approved; the run goes on', note: 'Why, for the record. Optional.' },
  refuse: { verb: 'Refuse', done: 'Refused', note: 'What speaks against it. Optional.' },
} as const

interface DecideApprovalsDialogProps {
  readonly approvals: readonly FlowApprovalRow[]
  readonly answer: Answer
  readonly onClose: () => void
}

/** One answer, with a note, to one or several requests. */
export function DecideApprovalsDialog({ approvals, answer, onClose }: DecideApprovalsDialogProps) {
  const { verb, done, note } = WORDS[answer]
  const form = useForm({ initialValues: { note: '' } })
  const decide = useChange(DecideFlowApprovalsDocument, { isQuiet: true, done })
  const ids = approvals.map(({ id }) => id)
  return (
    <FormDialog
      isOpen
      title={
        approvals.length === 1 ? `${verb} this request?` : `${verb} ${many(approvals.length, 'request')}?`
      }
      action={verb}
      form={form}
      onSubmit={(values) => decide.mutateAsync({ ids, decision: answer, note: values.note.trim() })}
      onClose={onClose}
    >
      <ul className={styles['questions']}>
        {approvals.slice(0, SHOWN_MAX).map(({ id, question }) => (
          <li key={id}>{question}</li>
        ))}
        {approvals.length > SHOWN_MAX && <li className="quiet">and {approvals.length - SHOWN_MAX} more</li>}
      </ul>
      <p className="quiet">
        {answer === 'approve'
          ? 'The run goes on with its next step. An answer cannot be taken back.'
          : 'The run does what the flow says for a refusal, or ends. An answer cannot be taken back.'}
      </p>
      <Textarea
        label="Note"
        description={note}
        autosize
        minRows={2}
        maxLength={NOTE_LENGTH_MAX}
        data-autofocus
        {...form.getInputProps('note')}
      />
    </FormDialog>
  )
}
