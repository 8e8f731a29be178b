import { Input, Select, Textarea } from '@mantine/core'
import { useForm, type UseFormReturnType } from '@mantine/form'
import { useState } from 'react'
import { CreateOverrideDocument } from '#api/generated/vulnerabilities.ts'
import { useChange } from '#api/query-client.ts'
import { TagInput } from '#features/assets/editing/tag-input.tsx'
import { useTagSuggestions } from '#features/assets/editing/use-tag-suggestions.ts'
import { ConditionBox } from '#features/conditions/condition-box.tsx'
import { dayIn } from '#lib/dates.ts'
import { FormDialog } from '#ui/dialog/form-dialog.tsx'
import { ExpiryField } from './expiry-field.tsx'
import { AffectedFindingsPreview } from './affected-findings-preview.tsx'
import {
  expiryError,
  OVERRIDE_KINDS,
  SCOPES,
  scopeOf,
  variablesOf,
  type OverrideValues,
  type Subject,
} from './override.ts'
import { SEVERITIES, severityName } from '../severities.ts'

interface OverrideFormProps {
  readonly subject: Subject
  readonly onClose: () => void
}

const DEFAULT_DAYS = 90

type Form = UseFormReturnType<OverrideValues>

/** Creates an override, with a preview of the findings that it would change. */
export function OverrideForm({ subject, onClose }: OverrideFormProps) {
  const form = useOverrideForm(subject)
  const { values } = form
  const create = useChange(CreateOverrideDocument, {
    isQuiet: true,
    done: ({ createOverride }) =>
      createOverride.state === 'proposed'
        ? 'Proposed; it counts when somebody else approves it'
        : (OVERRIDE_KINDS.find(({ value }) => value === values.kind)?.done ?? 'Override created'),
  })
  const { scope, tag, condition } = values
  const isComplete =
    (scope !== 'tag' || tag.trim() !== '') && (scope !== 'condition' || condition.trim() !== '')
  return (
    <FormDialog
      isOpen
      title={`Override ${subject.cveId}`}
      action="Create override"
      form={form}
      onSubmit={(submitted) => create.mutateAsync(variablesOf(subject, submitted))}
      onClose={onClose}
    >
      <Kind form={form} />
      <Textarea
        label="Reason"
        description="Kept with the override, for whoever asks in a year."
        autosize
        minRows={2}
        required
        data-autofocus
        {...form.getInputProps('reason')}
      />
      <Scope form={form} isOfFinding={subject.finding !== undefined} />
      <AffectedFindingsPreview
        scope={isComplete ? scopeOf(subject, values) : undefined}
        isSeverity={values.kind === 'severity'}
      />
      <ExpiryField {...form.getInputProps('endsOn')} value={values.endsOn} />
    </FormDialog>
  )
}

const useOverrideForm = ({ finding }: Subject): Form =>
  useForm<OverrideValues>({
    initialValues: {
      kind: 'accepted_risk',
      scope: finding ? 'finding' : 'cve',
      tag: '',
      condition: '',
      severity: 'low',
      reason: '',
      endsOn: dayIn(DEFAULT_DAYS),
    },
    validate: {
      reason: (reason) => (reason.trim() === '' ? 'Say why; others will ask' : null),
      tag: (tag, { scope }) => (scope === 'tag' && tag.trim() === '' ? 'Which tag?' : null),
      condition: (condition, { scope }) =>
        scope === 'condition' && condition.trim() === '' ? 'Which assets?' : null,
      endsOn: (endsOn) => expiryError(endsOn) ?? null,
    },
  })

function Kind({ form }: { readonly form: Form }) {
  return (
    <>
      <Select
        label="Override"
        allowDeselect={false}
        data={OVERRIDE_KINDS.map(({ value, label }) => ({ value, label }))}
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

function Scope({ form, isOfFinding }: { readonly form: Form; readonly isOfFinding: boolean }) {
  const scopes = SCOPES.filter(({ value }) => isOfFinding || ['tag', 'condition', 'cve'].includes(value))
  const { scope, tag } = form.values
  const tags = useTagSuggestions('').slice(0, TAGS_OFFERED)
  const [isTagChosen, setTagChosen] = useState(false)
  return (
    <>
      <Select
        label="It applies to"
        allowDeselect={false}
        data={[
          ...scopes.map(({ value, label }) => ({ value: value as string, label })),
          ...tags.map((it) => ({ value: TAGGED + it, label: `Assets tagged ${it}` })),
        ]}
        error={form.errors['scope'] ?? (isTagChosen && form.errors['tag'])}
        value={isTagChosen ? TAGGED + tag : scope}
        onChange={(to) => {
          if (to === null) return
          setTagChosen(to.startsWith(TAGGED))
          form.setValues(scopeChosen(to))
        }}
      />
      {scope === 'tag' && !isTagChosen && (
        <TagInput label="Tag" required {...form.getInputProps('tag')} value={tag} />
      )}
      {scope === 'condition' && <ConditionScope form={form} />}
    </>
  )
}

/** Before a tag that is chosen at once, without looking for it. */
const TAGGED = 'tag:'
/** The most used ones; others are looked for. */
const TAGS_OFFERED = 8

const scopeChosen = (chosen: string): Partial<OverrideValues> =>
  chosen.startsWith(TAGGED)
    ? { scope: 'tag', tag: chosen.slice(TAGGED.length) }
    : { scope: chosen as OverrideValues['scope'], tag: '' }

function ConditionScope({ form }: { readonly form: Form }) {
  const { condition } = form.values
  return (
    <Input.Wrapper component="div" error={form.errors['condition']}>
      <ConditionBox
        subject="asset"
        label="Assets that match"
        placeholder="site = Oslo and type = server"
        hint="Which assets it is about, as in the list of assets. It may ask nothing about findings or risk."
        where={condition}
        text=""
        onChange={({ where }) => form.setFieldValue('condition', where)}
      />
    </Input.Wrapper>
  )
}
