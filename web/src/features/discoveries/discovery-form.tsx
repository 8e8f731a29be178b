import { MultiSelect, Select, Textarea, TextInput } from '@mantine/core'
import { useForm, type UseFormReturnType } from '@mantine/form'
import { useQuery } from '@tanstack/react-query'
import {
  CreateDiscoveryDocument,
  DiscoveriesDocument,
  UpdateDiscoveryDocument,
  type DiscoveryRow,
} from '#api/generated/discoveries.ts'
import type { LoginType } from '#api/generated/enums-and-inputs.ts'
import { q, useChange } from '#api/query-client.ts'
import { FormDialog } from '#ui/dialog/form-dialog.tsx'
import { NumberField } from '#ui/number-field.tsx'
import { windowLines, windowsFrom } from './discovery-words.ts'

interface DiscoveryFormProps {
  readonly edited: 'new' | DiscoveryRow
  readonly onClose: () => void
}

type Values = {
  readonly name: string
  readonly targetId: string
  readonly types: LoginType[]
  readonly hostsAtOnce: number
  readonly cron: string
  readonly zone: string
  readonly windows: string
}

const TYPES: LoginType[] = ['ssh', 'wmi', 'snmp', 'vmware', 'hypervisor']

const ownZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone

export function DiscoveryForm({ edited, onClose }: DiscoveryFormProps) {
  const before = edited === 'new' ? undefined : edited
  const form = useForm<Values>({
    initialValues: {
      name: before?.name ?? '',
      targetId: before?.targetId ?? '',
      types: [...(before?.types ?? TYPES)],
      hostsAtOnce: before?.hostsAtOnce ?? 16,
      cron: before?.cron ?? '',
      zone: before?.zone ?? ownZone(),
      windows: before ? windowLines(before) : '',
    },
    validate: {
      name: (name) => (name.trim() === '' ? 'Give it a name, such as “All sites, nightly”.' : null),
      targetId: (id) => (id === '' ? 'Choose a target.' : null),
      windows: (lines) => {
        const read = windowsFrom(lines)
        return typeof read === 'string' ? `“${read}” must be like Mon,Tue 22:00-05:00.` : null
      },
    },
  })
  const create = useChange(CreateDiscoveryDocument, { done: 'Discovery added', isQuiet: true })
  const update = useChange(UpdateDiscoveryDocument, { done: 'Discovery saved', isQuiet: true })
  return (
    <FormDialog
      isOpen
      title={before ? `Edit ${before.name}` : 'New discovery'}
      action={before ? 'Save' : 'Add discovery'}
      form={form}
      onSubmit={({ windows, cron, ...values }) => {
        const read = windowsFrom(windows)
        const wanted = { ...values, windows: typeof read === 'string' ? [] : read, cron: cron.trim() }
        if (before) return update.mutateAsync({ id: before.id, ...wanted })
        const { cron: when, ...others } = wanted
        return create.mutateAsync({ ...others, ...(when !== '' && { cron: when }) })
      }}
      onClose={onClose}
    >
      <Fields form={form} />
    </FormDialog>
  )
}

function Fields({ form }: { readonly form: UseFormReturnType<Values> }) {
  const { data } = useQuery(q(DiscoveriesDocument, {}))
  return (
    <>
      <TextInput label="Name" required data-autofocus {...form.getInputProps('name')} />
      <Select
        label="Target"
        description="Targets are made under Scans."
        required
        data={(data?.targets ?? []).map(({ id, name, address }) => ({
          value: id,
          label: `${name} (${address.slice(0, 60)})`,
        }))}
        {...form.getInputProps('targetId')}
      />
      <MultiSelect
        label="Logs in by"
        description="Only with what the vault may show to the host; none: it sweeps."
        data={TYPES}
        {...form.getInputProps('types')}
      />
      <NumberField label="Hosts at once" min={1} max={64} {...form.getInputProps('hostsAtOnce')} />
      <TextInput
        label="Schedule"
        description="Minute, hour, day, month, weekday: 0 2 * * 1-5. Empty: when somebody starts it."
        {...form.getInputProps('cron')}
      />
      <TextInput label="Time zone" required {...form.getInputProps('zone')} />
      <Textarea
        label="Hours"
        description="When it may touch the network, one a line: Mon,Tue 22:00-05:00. Empty: at any time."
        autosize
        minRows={2}
        {...form.getInputProps('windows')}
      />
    </>
  )
}
