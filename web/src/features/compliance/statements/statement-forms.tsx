import { Textarea, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import {
  ApproveComplianceStatementDocument,
  PasteComplianceStatementDocument,
} from '#api/generated/statements.ts'
import { useChange } from '#api/query-client.ts'
import { many } from '#lib/numbers.ts'
import { FormDialog } from '#ui/dialog/form-dialog.tsx'

interface StatementFormProps {
  readonly id: string
  readonly onClose: () => void
}

/** Rows as a spreadsheet copies them. */
export function PasteRowsForm({ id, onClose }: StatementFormProps) {
  const form = useForm({ initialValues: { rows: '' } })
  const paste = useChange(PasteComplianceStatementDocument, {
    isQuiet: true,
    done: ({ pasteComplianceStatement: n }) => `${many(n, 'row')} changed`,
  })
  return (
    <FormDialog
      isOpen
      title="Paste rows"
      action="Take rows"
      form={form}
      onSubmit={(values) => paste.mutateAsync({ id, ...values })}
      onClose={onClose}
    >
      <Textarea
        label="Rows"
        description="As copied from a spreadsheet. The first line names columns: control, applicable, justification, implementation, owner, measures, evidence, risks, reviewed on, next review on."
        rows={10}
        {...form.getInputProps('rows')}
      />
    </FormDialog>
  )
}

export function ApproveForm({ id, onClose }: StatementFormProps) {
  const form = useForm({ initialValues: { role: '' } })
  const approve = useChange(ApproveComplianceStatementDocument, {
    isQuiet: true,
    done: 'Approved; what it excludes is not applicable from now on',
  })
  return (
    <FormDialog
      isOpen
      title="Approve the statement"
      action="Approve"
      form={form}
      onSubmit={(values) => approve.mutateAsync({ id, ...values })}
      onClose={onClose}
    >
      <TextInput label="Your role" placeholder="CISO" {...form.getInputProps('role')} />
    </FormDialog>
  )
}
