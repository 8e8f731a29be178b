import { PasswordInput, Select, Textarea, TextInput } from '@mantine/core'
import { useForm, type UseFormReturnType } from '@mantine/form'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import {
  CloudProvidersDocument,
  ConnectCloudDocument,
  TestCloudConnectionDocument,
  type CloudCheckRow,
  type CloudFieldParts,
  type CloudProviderParts,
} from '#api/generated/cloud.ts'
import { ApiError } from '#api/errors.ts'
import { q, useChange } from '#api/query-client.ts'
import { FormDialog } from '#ui/dialog/form-dialog.tsx'
import { CloudChecks } from './cloud-checks.tsx'
import { providerName } from './cloud-search-params.ts'
import { CloudSetupSteps } from './cloud-setup-steps.tsx'

/** Besides the name: the values of the fields, by their names. */
type FormValues = Record<string, string>

interface CloudConnectionFormProps {
  readonly isOpen: boolean
  readonly onClose: () => void
}

/** Tests the connection when it is saved; one whose accounts cannot be listed, or whose role lets in anybody, is not. */
export function CloudConnectionForm({ isOpen, onClose }: CloudConnectionFormProps) {
  const { data } = useQuery({ ...q(CloudProvidersDocument, {}), enabled: isOpen })
  const [choice, setChoice] = useState<Choice>({ provider: 'AWS' })
  const form = useForm<FormValues>({ initialValues: { name: '' } })
  const providers = data?.cloudProviders ?? []
  const description = providers.find((it) => it.provider === choice.provider)
  const signIn = description?.signIns.find((it) => it.name === choice.signIn) ?? description?.signIns[0]
  const shown = description?.fields.filter(({ name }) => !signIn?.hides.includes(name)) ?? []
  const fields = [...(signIn?.fields ?? []), ...shown]
  const { checks, save } = useConnecting({
    connectionId: description?.connectionId,
    provider: choice.provider,
    signIn: signIn?.name ?? '',
    fields,
  })
  return (
    <FormDialog
      isOpen={isOpen}
      title="New connection"
      action="Test and connect"
      form={form}
      onSubmit={save}
      onClose={onClose}
    >
      <TextInput label="Name" required data-autofocus {...form.getInputProps('name')} />
      <Select
        label="Provider"
        allowDeselect={false}
        data={providers.map((it) => ({ value: it.provider, label: providerName(it.provider) }))}
        value={choice.provider}
        onChange={(value) => value && setChoice({ provider: value as Choice['provider'] })}
      />
      <Select
        label="Way of signing in"
        allowDeselect={false}
        data={(description?.signIns ?? []).map(({ name, label }) => ({ value: name, label }))}
        value={signIn?.name ?? null}
        onChange={(value) => value && setChoice({ ...choice, signIn: value })}
      />
      {signIn && <CloudSetupSteps provider={providerName(choice.provider)} signIn={signIn} />}
      {fields.map((field) => (
        <Value key={`${choice.provider} ${field.name}`} field={field} form={form} />
      ))}
      <CloudChecks checks={checks} />
    </FormDialog>
  )
}

interface Choice {
  readonly provider: CloudProviderParts['provider']
  /** The first that the provider offers, unless given. */
  readonly signIn?: string
}

interface Connecting extends Choice {
  /** To it belong external id and subject in the steps that the form shows. */
  readonly connectionId: string | undefined
  readonly signIn: string
  readonly fields: readonly CloudFieldParts[]
}

function useConnecting({ connectionId, provider, signIn, fields }: Connecting) {
  const [checks, setChecks] = useState<readonly CloudCheckRow[]>([])
  const test = useChange(TestCloudConnectionDocument, { isQuiet: true })
  const connect = useChange(ConnectCloudDocument, { done: 'Connected; it is being read', isQuiet: true })
  const save = async ({ name = '', ...given }: FormValues) => {
    const values = fields.flatMap((field) => {
      const value = given[field.name] ?? ''
      return value === '' ? [] : [{ name: field.name, value }]
    })
    const input = { connectionId, provider, signIn, values }
    const { testCloudConnection: found } = await test.mutateAsync(input)
    setChecks(found)
    const refused = found.find(({ isRefused }) => isRefused)
    if (refused) throw new ApiError('refused', refused.message)
    await connect.mutateAsync({ ...input, name, isTested: true })
    setChecks([])
  }
  return { checks, save }
}

interface ValueProps {
  readonly field: CloudFieldParts
  readonly form: UseFormReturnType<FormValues>
}

function Value({ field: { name, label, help, isRequired, isSecret, isLong }, form }: ValueProps) {
  const input = {
    label,
    description: help || undefined,
    required: isRequired,
    autoComplete: 'off',
    spellCheck: false,
    ...form.getInputProps(name),
    value: form.values[name] ?? '',
  }
  if (isLong) return <Textarea {...input} autosize minRows={3} maxRows={8} />
  if (isSecret) return <PasswordInput {...input} autoComplete="new-password" />
  return <TextInput {...input} />
}
