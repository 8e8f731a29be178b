import { PasswordInput, Select, Text, Textarea, TextInput } from '@mantine/core'
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
} from '#api/generated/operations.ts'
import { q, useChange } from '#api/query-client.ts'
import { FormDialog } from '#ui/dialog/form-dialog.tsx'
import { CloudChecks } from './cloud-checks.tsx'
import { providerName } from './cloud-search-params.ts'

/** Besides the name: the values of the fields, by their names. */
type FormValues = Record<string, string>

interface CloudConnectionFormProps {
  readonly isOpen: boolean
  readonly onClose: () => void
}

/** Tests the connection when it is saved; one whose accounts cannot be listed is not saved. */
export function CloudConnectionForm({ isOpen, onClose }: CloudConnectionFormProps) {
  const { data } = useQuery({ ...q(CloudProvidersDocument, {}), enabled: isOpen })
  const [provider, setProvider] = useState<CloudProviderParts['provider']>('AWS')
  const [signInName, setSignIn] = useState<string>()
  const [checks, setChecks] = useState<readonly CloudCheckRow[]>([])
  const form = useForm<FormValues>({ initialValues: { name: '' } })
  const test = useChange(TestCloudConnectionDocument, { isQuiet: true })
  const connect = useChange(ConnectCloudDocument, { done: 'Connected; it is being read', isQuiet: true })
  const description = data?.cloudProviders.find((it) => it.provider === provider)
  const signIn = description?.signIns.find((it) => it.name === signInName) ?? description?.signIns[0]
  const fields = [...(description?.fields ?? []), ...(signIn?.fields ?? [])]
  const save = async ({ name = '', ...given }: FormValues) => {
    const values = fields.flatMap((field) => {
      const value = given[field.name] ?? ''
      return value === '' ? [] : [{ name: field.name, value }]
    })
    const input = { provider, signIn: signIn?.name ?? '', values }
    const { testCloudConnection: found } = await test.mutateAsync(input)
    setChecks(found)
    if (found[0]?.isAllowed === false) throw new Error(found[0].message)
    await connect.mutateAsync({ name, ...input })
    setChecks([])
  }
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
        data={(data?.cloudProviders ?? []).map((it) => ({ value: it.provider, label: providerName(it.provider) }))}
        value={provider}
        onChange={(value) => {
          setProvider((value ?? 'AWS') as typeof provider)
          setSignIn(undefined)
          setChecks([])
        }}
      />
      <Select
        label="Way of signing in"
        allowDeselect={false}
        data={(description?.signIns ?? []).map(({ name, label }) => ({ value: name, label }))}
        value={signIn?.name ?? null}
        onChange={(value) => setSignIn(value ?? undefined)}
      />
      {provider === 'AWS' && description && <ExternalId externalId={description.externalId} />}
      {fields.map((field) => (
        <Value key={`${provider} ${field.name}`} field={field} form={form} />
      ))}
      <CloudChecks checks={checks} />
    </FormDialog>
  )
}

/** Roles in other accounts must ask for it, or they are refused. */
function ExternalId({ externalId }: { readonly externalId: string }) {
  return (
    <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
      Roles in other accounts trust the account of the key on the condition that sts:ExternalId is{' '}
      <code>{externalId}</code>
    </Text>
  )
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
