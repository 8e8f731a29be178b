import { Select, Textarea, TextInput } from '@mantine/core'
import { useForm, type UseFormReturnType } from '@mantine/form'
import { useNavigate } from '@tanstack/react-router'
import { CreateComplianceCheckDocument } from '#api/generated/operations.ts'
import { useChange } from '#api/query-client.ts'
import { FormDialog } from '#ui/dialog/form-dialog.tsx'
import { controlsIn, type CheckValues } from './check-values.ts'

interface CheckFormProps {
  readonly title: string
  readonly initial: CheckValues
  readonly onClose: () => void
}

/** A check of one's own, new or as a copy of another one; its page opens once it is there. */
export function CheckForm({ title, initial, onClose }: CheckFormProps) {
  const navigate = useNavigate()
  const form = useForm<CheckValues>({ initialValues: initial })
  const create = useChange(CreateComplianceCheckDocument, {
    isQuiet: true,
    done: 'Created; it is judged with the next round, which begins at once',
    onDone: ({ createComplianceCheck: { id } }) =>
      void navigate({ to: '/compliance/checks/$checkId', params: { checkId: id } }),
  })
  return (
    <FormDialog
      isOpen
      title={title}
      action="Create check"
      form={form}
      onSubmit={({ controls, ...check }) =>
        create.mutateAsync({ check: { ...check, controls: controlsIn(controls) } })
      }
      onClose={onClose}
    >
      <CheckFields field={form.getInputProps} />
    </FormDialog>
  )
}

interface CheckFieldsProps {
  readonly field: UseFormReturnType<CheckValues>['getInputProps']
}

const CheckFields = ({ field }: CheckFieldsProps) => (
  <>
    <TextInput label="Title" required data-autofocus {...field('title')} />
    <Textarea
      label="Scope"
      description="Which assets it is about; empty: all."
      autosize
      {...field('scope')}
    />
    <Textarea
      label="Condition"
      description="What must hold for each of them, as in searches of assets."
      autosize
      required
      {...field('condition')}
    />
    <Select
      label="Severity"
      allowDeselect={false}
      data={['critical', 'high', 'medium', 'low']}
      {...field('severity')}
    />
    <TextInput
      label="Tolerated failures"
      description="A number of assets, or a share such as 2%."
      {...field('tolerance')}
    />
    <Textarea label="What to do about a failure" autosize {...field('next')} />
    <Textarea
      label="Counts for"
      description="A line for each control: framework and control, such as nist-csf-2.0 ID.AM-01."
      autosize
      minRows={2}
      required
      {...field('controls')}
    />
  </>
)
