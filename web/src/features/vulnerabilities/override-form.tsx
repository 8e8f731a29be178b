import { Select, Textarea, TextInput } from '@mantine/core'
import { useForm, type UseFormReturnType } from '@mantine/form'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { CreateOverrideDocument, PreviewOverrideDocument } from '#api/generated/operations.ts'
import { q, useChange } from '#api/queries.ts'
import { count } from '#lib/numbers.ts'
import { FormDialog } from '#ui/form-dialog.tsx'
import styles from './override-form.module.css'
import { DECISIONS, SCOPES, scopeOf, variablesOf, type OverrideValues, type Subject } from './overrides.ts'
import { SEVERITIES, severityName } from './severities.ts'

interface OverrideFormProps {
  readonly subject: Subject
  readonly onClose: () => void
}

const TYPING_MS = 250
const EXPIRIES = [
  { value: '30', label: 'In 30 days' },
  { value: '90', label: 'In 90 days' },
  { value: '180', label: 'In 180 days' },
  { value: '365', label: 'In a year' },
  { value: '', label: 'Never, until somebody ends it' },
]

type Form = UseFormReturnType<OverrideValues>

/** A decision, and beforehand what it would reach. */
export function OverrideForm({ subject, onClose }: OverrideFormProps) {
  const form = useOverrideForm(subject)
  const create = useChange(CreateOverrideDocument, {
    isQuiet: true,
    done: ({ createOverride }) =>
      createOverride.state === 'proposed'
        ? 'Proposed; it counts when somebody else approves it'
        : (DECISIONS.find(({ value }) => value === form.values.kind)?.done ?? 'Decided'),
  })
  return (
    <FormDialog
      isOpen
      title={`Decide about ${subject.cveId}`}
      action="Decide"
      form={form}
      onSubmit={(values) => create.mutateAsync(variablesOf(subject, values))}
      onClose={onClose}
    >
      <What form={form} />
      <Reach form={form} isOfFinding={subject.finding !== undefined} />
      <Preview subject={subject} values={form.values} />
      <Textarea
        label="Reason"
        description="Kept with the decision, for whoever asks in a year."
        autosize
        minRows={2}
        required
        {...form.getInputProps('reason')}
      />
      <Select
        label="Ends"
        description="Then what it decided about is open again."
        allowDeselect={false}
        data={EXPIRIES}
        {...form.getInputProps('days')}
      />
    </FormDialog>
  )
}

const useOverrideForm = ({ finding }: Subject): Form =>
  useForm<OverrideValues>({
    initialValues: {
      kind: 'accepted_risk',
      scope: finding ? 'finding' : 'cve',
      tag: '',
      severity: 'low',
      reason: '',
      days: '90',
    },
    validate: {
      reason: (reason) => (reason.trim() === '' ? 'Say why; others will ask' : null),
      tag: (tag, { scope }) => (scope === 'tag' && tag.trim() === '' ? 'Which tag?' : null),
    },
  })

function What({ form }: { readonly form: Form }) {
  return (
    <>
      <Select
        label="Decision"
        allowDeselect={false}
        data={DECISIONS.map(({ value, label }) => ({ value, label }))}
        data-autofocus
        {...form.getInputProps('kind')}
      />
      {form.values.kind === 'severity' && (
        <Select
          label="Severity from now on"
          allowDeselect={false}
          data={SEVERITIES.map((value) => ({ value, label: severityName(value) }))}
          {...form.getInputProps('severity')}
        />
      )}
    </>
  )
}

function Reach({ form, isOfFinding }: { readonly form: Form; readonly isOfFinding: boolean }) {
  const scopes = SCOPES.filter(({ value }) => isOfFinding || value === 'tag' || value === 'cve')
  return (
    <>
      <Select
        label="It is about"
        allowDeselect={false}
        data={scopes.map(({ value, label }) => ({ value, label }))}
        {...form.getInputProps('scope')}
      />
      {form.values.scope === 'tag' && <TextInput label="Tag" {...form.getInputProps('tag')} />}
    </>
  )
}

/** What would be decided about. Nothing is written. */
function Preview({ subject, values }: { readonly subject: Subject; readonly values: OverrideValues }) {
  const [scope] = useDebouncedValue(scopeOf(subject, values), TYPING_MS)
  const isWhole = values.scope !== 'tag' || scope.tag !== null
  const { data } = useQuery({
    ...q(PreviewOverrideDocument, scope),
    enabled: isWhole,
    placeholderData: keepPreviousData,
  })
  if (!isWhole || !data) return <p className={styles['preview']}>…</p>
  const { total, items } = data.previewOverride
  const verb = values.kind === 'severity' ? 'change' : 'disappear from the open ones'
  const names = [...new Set(items.map(({ assetName }) => assetName))]
  return (
    <div className={styles['preview']} role="status">
      <p>
        <strong>{count(total)}</strong> open {total === 1 ? 'finding' : 'findings'} would {verb}
        {total === 0 ? '.' : ':'}
      </p>
      {total > 0 && (
        <p className={styles['names']}>
          {names.join(', ')}
          {total > items.length && ` and ${count(total - items.length)} more`}
        </p>
      )}
    </div>
  )
}
