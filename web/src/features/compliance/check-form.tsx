import { Alert, Button, Select, Textarea, TextInput } from '@mantine/core'
import { useForm, type UseFormReturnType } from '@mantine/form'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { messageOf } from '#api/errors.ts'
import { ComplianceCheckChangeDocument, CreateComplianceCheckDocument } from '#api/generated/checks.ts'
import { q, useChange } from '#api/query-client.ts'
import { TakeView } from '#features/lists/take-view.tsx'
import { FormDialog } from '#ui/dialog/form-dialog.tsx'
import { CheckChangePreview } from './checks/check-change-preview.tsx'
import { controlsIn, type CheckValues } from './check-values.ts'

interface CheckFormProps {
  readonly title: string
  readonly initial: CheckValues
  readonly onClose: () => void
}

/**
 * A check of one's own, new or as a copy of another one. What it would say of which assets is seen before it can be
 * created; its page opens once it is there.
 */
export function CheckForm({ title, initial, onClose }: CheckFormProps) {
  const navigate = useNavigate()
  const form = useForm<CheckValues>({ initialValues: initial })
  const preview = usePreview(form.values)
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
      isReady={preview.data !== undefined}
    >
      <CheckFields field={form.getInputProps} onScope={(scope) => form.setFieldValue('scope', scope)} />
      <Preview {...preview} />
    </FormDialog>
  )
}

/** Of the conditions as they were when it was asked for; none once they are others. */
function usePreview({ scope, condition }: Pick<CheckValues, 'scope' | 'condition'>) {
  const [asked, setAsked] = useState<{ readonly scope: string; readonly condition: string }>()
  const isAsked = asked?.scope === scope && asked.condition === condition
  const { data, error, isFetching } = useQuery({
    ...q(ComplianceCheckChangeDocument, { scope: '', condition: '', ...asked }),
    enabled: asked !== undefined,
    retry: false,
  })
  return {
    data: isAsked ? data : undefined,
    error: isAsked ? error : null,
    isFetching,
    onAsk: () => setAsked({ scope, condition }),
  }
}

function Preview({ data, error, isFetching, onAsk }: ReturnType<typeof usePreview>) {
  return (
    <>
      <p>
        <Button variant="default" loading={isFetching} onClick={onAsk}>
          Preview
        </Button>{' '}
        {!data && (
          <span className="quiet">Shows which assets would pass and fail, before it is created.</span>
        )}
      </p>
      {error && (
        <Alert color="red" variant="light" role="alert">
          {messageOf(error)}
        </Alert>
      )}
      {data && <CheckChangePreview change={data.complianceCheckChange} />}
    </>
  )
}

interface CheckFieldsProps {
  readonly field: UseFormReturnType<CheckValues>['getInputProps']
  readonly onScope: (scope: string) => void
}

const CheckFields = ({ field, onScope }: CheckFieldsProps) => (
  <>
    <TextInput label="Title" required data-autofocus {...field('title')} />
    <Textarea
      label="Scope"
      description="Which assets it is about; empty: all."
      autosize
      {...field('scope')}
    />
    <TakeView subject="asset" onTake={onScope} />
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
