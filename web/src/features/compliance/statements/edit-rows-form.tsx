import { Select, Textarea, TextInput } from '@mantine/core'
import { useForm, type UseFormReturnType } from '@mantine/form'
import type { StatementRowsEdit } from '#api/generated/enums-and-inputs.ts'
import { EditComplianceStatementDocument } from '#api/generated/statements.ts'
import { useChange } from '#api/query-client.ts'
import { many } from '#lib/numbers.ts'
import { FormDialog } from '#ui/dialog/form-dialog.tsx'

interface EditRowsFormProps {
  readonly id: string
  readonly controlIds: readonly string[]
  readonly onClose: () => void
  readonly onEdited: () => void
}

const implementations = ['planned', 'partly', 'implemented', 'alternative'] as const

/** The same change of all selected rows; what is left empty stays as it is in each. */
export function EditRowsForm({ id, controlIds, onClose, onEdited }: EditRowsFormProps) {
  const form = useForm<Values>({
    initialValues: {
      isApplicable: '',
      justification: '',
      implementation: '',
      owner: '',
      measures: '',
      evidence: '',
      risks: '',
      reviewedOn: '',
      nextReviewOn: '',
    },
  })
  const edit = useChange(EditComplianceStatementDocument, {
    isQuiet: true,
    done: ({ editComplianceStatement: n }) => `${many(n, 'row')} changed`,
    onDone: onEdited,
  })
  return (
    <FormDialog
      isOpen
      title={`Edit ${many(controlIds.length, 'control')}`}
      action="Change rows"
      form={form}
      onSubmit={(values) => edit.mutateAsync({ id, controlIds: [...controlIds], edit: editOf(values) })}
      onClose={onClose}
    >
      <p className="quiet">What is left empty stays as it is.</p>
      <RowFields form={form} />
    </FormDialog>
  )
}

const RowFields = ({ form }: { readonly form: UseFormReturnType<Values> }) => (
  <>
    <Select label="Applies" clearable data={['yes', 'no']} {...form.getInputProps('isApplicable')} />
    <Textarea label="Justification" autosize {...form.getInputProps('justification')} />
    <Select
      label="Implementation"
      clearable
      data={[...implementations]}
      {...form.getInputProps('implementation')}
    />
    <TextInput label="Owner" {...form.getInputProps('owner')} />
    <Textarea label="Measures" autosize {...form.getInputProps('measures')} />
    <Textarea
      label="Evidence"
      description="Where it is found."
      autosize
      {...form.getInputProps('evidence')}
    />
    <TextInput label="Risks" description="That the control treats." {...form.getInputProps('risks')} />
    <TextInput type="date" label="Reviewed on" {...form.getInputProps('reviewedOn')} />
    <TextInput type="date" label="Next review on" {...form.getInputProps('nextReviewOn')} />
  </>
)

interface Values extends Record<string, unknown> {
  readonly isApplicable: string | null
  readonly justification: string
  readonly implementation: string | null
  readonly owner: string
  readonly measures: string
  readonly evidence: string
  readonly risks: string
  readonly reviewedOn: string
  readonly nextReviewOn: string
}

function editOf({ isApplicable, implementation: name, ...texts }: Values): StatementRowsEdit {
  const implementation = implementations.find((it) => it === name)
  return {
    ...Object.fromEntries(
      Object.entries(texts).filter(([, text]) => typeof text === 'string' && text.trim() !== ''),
    ),
    ...(isApplicable ? { isApplicable: isApplicable === 'yes' } : {}),
    ...(implementation ? { implementation } : {}),
  }
}
