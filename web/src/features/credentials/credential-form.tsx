import { Checkbox, MultiSelect, PasswordInput, Select, Textarea, TextInput } from '@mantine/core'
import { useForm, type UseFormReturnType } from '@mantine/form'
import { useQuery } from '@tanstack/react-query'
import {
  CreateCredentialDocument,
  UpdateCredentialDocument,
  type CredentialRow,
} from '#api/generated/credentials.ts'
import type { CredentialKind } from '#api/generated/enums-and-inputs.ts'
import { TargetsDocument } from '#api/generated/scans.ts'
import { q, useChange } from '#api/query-client.ts'
import { CollectorsInput } from '#features/collectors/collectors-input.tsx'
import { FormDialog } from '#ui/dialog/form-dialog.tsx'
import { kindNames, kinds, type Field } from './credential-kinds.ts'
import { canAsk, valuesOf, variablesOf, type FormValues } from './credential-values.ts'

interface CredentialFormProps {
  /** The credential to change; absent for a new one. */
  readonly credential?: CredentialRow
  readonly isOpen: boolean
  readonly onClose: () => void
}

export function CredentialForm({ credential, isOpen, onClose }: CredentialFormProps) {
  const isNew = credential === undefined
  const form = useForm<FormValues>({
    initialValues: valuesOf(credential),
    validate: (values) => problemsOf(values, isNew),
  })
  const create = useChange(CreateCredentialDocument, { done: 'Credential stored', isQuiet: true })
  const update = useChange(UpdateCredentialDocument, { done: 'Credential changed', isQuiet: true })
  const save = (values: FormValues) =>
    credential
      ? update.mutateAsync({ id: credential.id, ...variablesOf(values, credential.collectorIds) })
      : create.mutateAsync({ kind: values.kind, ...variablesOf(values) })
  return (
    <FormDialog
      isOpen={isOpen}
      title={credential ? `Change ${credential.name}` : 'New credential'}
      action={isNew ? 'Store credential' : 'Save'}
      form={form}
      onSubmit={save}
      onClose={onClose}
    >
      <TextInput label="Name" required data-autofocus {...form.getInputProps('name')} />
      {isNew && (
        <Select
          label="Kind"
          allowDeselect={false}
          data={kindNames.map((value) => ({ value, label: kinds[value].title }))}
          value={form.values.kind}
          onChange={(kind) => kind && form.setFieldValue('kind', kind as CredentialKind)}
        />
      )}
      {kinds[form.values.kind].fields.map((field) => (
        <Value key={`${form.values.kind} ${field.name}`} field={field} isNew={isNew} form={form} />
      ))}
      <Bindings form={form} />
      <OpenedBy form={form} />
      {canAsk(form.values) && <Asking form={form} />}
      <TextInput
        label="Port"
        description="If the service listens elsewhere than usual."
        inputMode="numeric"
        {...form.getInputProps('port')}
      />
    </FormDialog>
  )
}

function OpenedBy({ form }: { readonly form: UseFormReturnType<FormValues> }) {
  return (
    <CollectorsInput
      label="Opened by"
      description={
        form.values.collectorIds.length === 0
          ? 'None: this server opens the secret.'
          : 'Only these collectors can open the secret, and only for the networks above. Enter it anew to add one, and to close a network to them for good.'
      }
      needsKey
      {...form.getInputProps('collectorIds')}
    />
  )
}

function Asking({ form }: { readonly form: UseFormReturnType<FormValues> }) {
  return (
    <Checkbox
      label="Ask before it goes to an unknown host"
      description={
        form.values.asksOnUnknownHost
          ? 'A scan that meets a host for the first time stops there and shows its key under Host keys. Nothing secret is sent until someone approves the key.'
          : 'Whoever answers at an address first is taken for the host and is sent this secret.'
      }
      {...form.getInputProps('asksOnUnknownHost', { type: 'checkbox' })}
    />
  )
}

interface ValueProps {
  readonly field: Field
  readonly isNew: boolean
  readonly form: UseFormReturnType<FormValues>
}

/** A stored secret is not displayed: new text replaces it, an empty field leaves it unchanged. */
function Value({ field, isNew, form }: ValueProps) {
  const { name, label, description, isRequired = false, isSecret = false, isLong = false, choices } = field
  const input = {
    label,
    required: isRequired && (isNew || !isSecret),
    description: isSecret && !isNew ? 'Stored and not shown. What you enter here replaces it.' : description,
    autoComplete: 'off',
    spellCheck: false,
    ...form.getInputProps(name),
  }
  if (choices) {
    const chosen = form.values[name] === '' ? (choices[0] ?? '') : form.values[name]
    return <Select {...input} data={[...choices]} allowDeselect={false} value={chosen} />
  }
  if (isLong) return <Textarea {...input} autosize minRows={3} maxRows={8} />
  if (isSecret) return <PasswordInput {...input} autoComplete="new-password" />
  return <TextInput {...input} />
}

function Bindings({ form }: { readonly form: UseFormReturnType<FormValues> }) {
  const { data } = useQuery(q(TargetsDocument, {}))
  const hosts = (data?.targets ?? []).filter(({ kind }) => kind === 'host')
  return (
    <>
      <Textarea
        label="Networks"
        description="Only hosts of these are ever shown it. One to a line, such as 10.20.0.0/16."
        autosize
        minRows={2}
        spellCheck={false}
        {...form.getInputProps('cidrs')}
      />
      {hosts.length > 0 && (
        <MultiSelect
          label="Targets"
          description="And these hosts, at the address they have when they are scanned."
          data={hosts.map(({ id, name, address }) => ({ value: id, label: `${name} (${address})` }))}
          {...form.getInputProps('targetIds')}
        />
      )}
    </>
  )
}

function problemsOf(values: FormValues, isNew: boolean): Record<string, string> {
  const problems: Record<string, string> = {}
  if (values.name.trim() === '') problems['name'] = 'Give it a name, such as “Linux servers”.'
  if (values.cidrs.trim() === '' && values.targetIds.length === 0)
    problems['cidrs'] = 'Say at least one network or target where it may be shown.'
  for (const { name, label, isRequired, isSecret } of kinds[values.kind].fields)
    if (isRequired && values[name] === '' && (isNew || !isSecret)) problems[name] = `${label} is needed.`
  return problems
}
