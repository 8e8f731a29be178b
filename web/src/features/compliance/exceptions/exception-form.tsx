import { Select, Textarea, TextInput } from '@mantine/core'
import { useForm, type UseFormReturnType } from '@mantine/form'
import { useRouteContext } from '@tanstack/react-router'
import { CreateComplianceExceptionDocument } from '#api/generated/checks.ts'
import { useChange } from '#api/query-client.ts'
import { TagInput } from '#features/assets/editing/tag-input.tsx'
import { AssetConditionField } from '#features/conditions/asset-condition-field.tsx'
import { dayIn } from '#lib/dates.ts'
import { FormDialog } from '#ui/dialog/form-dialog.tsx'
import { ExceptionPreview } from './exception-preview.tsx'
import { dayError, targetOf, variablesOf, type ExceptionSubject, type ExceptionValues } from './exception.ts'

interface ExceptionFormProps {
  readonly subject: ExceptionSubject
  readonly onClose: () => void
}

const DEFAULT_DAYS = 90
const DAYS_MAX = 364

/** An exception from a check or a control, with what it covers, a reason and a last day. */
export function ExceptionForm({ subject, onClose }: ExceptionFormProps) {
  const { asset } = subject
  const form = useExceptionForm(subject)
  const create = useChange(CreateComplianceExceptionDocument, {
    isQuiet: true,
    done: ({ createComplianceException: { state } }) =>
      state === 'proposed' ? 'Proposed; it counts when somebody else approves it' : 'In force',
  })
  return (
    <FormDialog
      isOpen
      title={`Except from: ${subject.title}`}
      action="Create exception"
      form={form}
      onSubmit={(values) => create.mutateAsync(variablesOf(subject, values))}
      onClose={onClose}
    >
      <p className="quiet">
        What is excepted still counts as a warning, never as a pass
        {'controlId' in subject ? '; for this control alone, in whichever checks judge it.' : '.'}
      </p>
      <CoveredFields form={form} asset={asset} />
      <Textarea label="Reason" autosize minRows={2} required {...form.getInputProps('reason')} />
      <TextInput
        type="email"
        label="Owner"
        description="E-mail address of the member who answers for it"
        {...form.getInputProps('owner')}
      />
      <TextInput
        type="date"
        label="Last day"
        description="Within a year. After it the failures count again."
        min={dayIn(0)}
        max={dayIn(DAYS_MAX)}
        {...form.getInputProps('endsOn')}
      />
      {/* last, where no list of suggestions opens over it */}
      <ExceptionPreview target={targetOf(subject, form.values)} />
    </FormDialog>
  )
}

interface CoveredFieldsProps {
  readonly form: UseFormReturnType<ExceptionValues>
  readonly asset: ExceptionSubject['asset']
}

/** Which assets it is of. */
const CoveredFields = ({ form, asset }: CoveredFieldsProps) => (
  <>
    <Select
      label="It applies to"
      allowDeselect={false}
      data={[
        ...(asset ? [{ value: 'asset', label: asset.name }] : []),
        { value: 'tag', label: 'Assets with a tag' },
        { value: 'where', label: 'Assets for which a condition holds' },
        { value: 'all', label: 'Every asset that fails' },
      ]}
      {...form.getInputProps('scope')}
    />
    {form.values.scope === 'tag' && (
      <TagInput label="Tag" required {...form.getInputProps('tag')} value={form.values.tag} />
    )}
    {form.values.scope === 'where' && (
      <AssetConditionField
        description="Whichever those are at the time: also those that come later."
        value={form.values.where}
        error={form.errors['where']}
        onChange={(where) => form.setFieldValue('where', where)}
      />
    )}
  </>
)

function useExceptionForm({ asset }: ExceptionSubject) {
  const { user } = useRouteContext({ from: '/app' }).session
  return useForm<ExceptionValues>({
    initialValues: {
      scope: asset ? 'asset' : 'tag',
      tag: '',
      where: '',
      reason: '',
      owner: user.email,
      endsOn: dayIn(DEFAULT_DAYS),
    },
    validate: {
      tag: (tag, { scope }) => (scope === 'tag' && tag.trim() === '' ? 'Which tag?' : null),
      where: (where, { scope }) =>
        scope === 'where' && where.trim() === '' ? 'Say which assets are meant' : null,
      reason: (reason) => (reason.trim() === '' ? 'Say why; an auditor will ask' : null),
      endsOn: (endsOn) => dayError(endsOn) ?? null,
    },
  })
}
