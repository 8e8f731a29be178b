import { Button, MultiSelect, Select, Textarea, TextInput } from '@mantine/core'
import { useForm, type UseFormReturnType } from '@mantine/form'
import { useQuery } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import {
  CreateDiscoveryDocument,
  DiscoveriesDocument,
  UpdateDiscoveryDocument,
  type DiscoveryRow,
} from '#api/generated/discoveries.ts'
import type { LoginType } from '#api/generated/enums-and-inputs.ts'
import { q, useChange } from '#api/query-client.ts'
import { TargetForm } from '#features/scans/target-form.tsx'
import { zone } from '#lib/dates.ts'
import { FormDialog } from '#ui/dialog/form-dialog.tsx'
import { NumberField } from '#ui/number-field.tsx'
import { usualSchedules, windowLines, windowsFrom } from './discovery-words.ts'

interface DiscoveryFormProps {
  readonly edited: 'new' | DiscoveryRow
  readonly onClose: () => void
}

type Values = {
  readonly name: string
  readonly targetId: string
  readonly types: LoginType[]
  readonly hostsAtOnce: number
  /** A usual cron, `BY_HAND`, or `OTHER` and one that is typed. */
  readonly often: string
  readonly cron: string
  readonly zone: string
  readonly windows: string
}

const TYPES: LoginType[] = ['ssh', 'wmi', 'snmp', 'vmware', 'hypervisor']

const BY_HAND = 'by hand'
const OTHER = 'other'

const oftenOf = (cron: string | null | undefined): string => {
  if (cron === null || cron === undefined) return BY_HAND
  return cron in usualSchedules ? cron : OTHER
}

const cronOf = ({ often, cron }: Pick<Values, 'often' | 'cron'>): string => {
  if (often === BY_HAND) return ''
  return often === OTHER ? cron.trim() : often
}

export function DiscoveryForm({ edited, onClose }: DiscoveryFormProps) {
  const before = edited === 'new' ? undefined : edited
  const [isMakingTarget, setIsMakingTarget] = useState(false)
  const form = useDiscoveryForm(before)
  const create = useChange(CreateDiscoveryDocument, { done: 'Discovery added', isQuiet: true })
  const update = useChange(UpdateDiscoveryDocument, { done: 'Discovery saved', isQuiet: true })
  return (
    <>
      <FormDialog
        isOpen
        title={before ? `Edit ${before.name}` : 'New discovery'}
        action={before ? 'Save' : 'Add discovery'}
        form={form}
        onSubmit={({ windows, often, cron: typed, ...values }) => {
          const read = windowsFrom(windows)
          const cron = cronOf({ often, cron: typed })
          const wanted = { ...values, windows: typeof read === 'string' ? [] : read, cron }
          if (before) return update.mutateAsync({ id: before.id, ...wanted })
          const { cron: when, ...others } = wanted
          return create.mutateAsync({ ...others, ...(when !== '' && { cron: when }) })
        }}
        onClose={onClose}
      >
        <Fields form={form} onMakeTarget={() => setIsMakingTarget(true)} />
      </FormDialog>
      <TargetForm
        isOpen={isMakingTarget}
        onMade={(id) => form.setFieldValue('targetId', id)}
        onClose={() => setIsMakingTarget(false)}
      />
    </>
  )
}

const useDiscoveryForm = (before: DiscoveryRow | undefined) =>
  useForm<Values>({
    initialValues: {
      name: before?.name ?? '',
      targetId: before?.targetId ?? '',
      types: [...(before?.types ?? TYPES)],
      hostsAtOnce: before?.hostsAtOnce ?? 16,
      often: oftenOf(before?.cron),
      cron: before?.cron ?? '',
      zone: before?.zone ?? zone(),
      windows: before ? windowLines(before) : '',
    },
    validate: {
      name: (name) => (name.trim() === '' ? 'Give it a name, such as “All sites, nightly”.' : null),
      targetId: (id) => (id === '' ? 'Choose a target.' : null),
      cron: (cron, { often }) =>
        often === OTHER && cron.trim() === '' ? 'Say when, such as 0 2 * * 1-5.' : null,
      windows: (lines) => {
        const read = windowsFrom(lines)
        return typeof read === 'string' ? `“${read}” must be like Mon,Tue 22:00-05:00.` : null
      },
    },
  })

interface FieldsProps {
  readonly form: UseFormReturnType<Values>
  readonly onMakeTarget: () => void
}

function Fields({ form, onMakeTarget }: FieldsProps) {
  const { data } = useQuery(q(DiscoveriesDocument, {}))
  return (
    <>
      <TextInput label="Name" required data-autofocus {...form.getInputProps('name')} />
      <Select
        label="Target"
        description="The networks and hosts that it looks at."
        required
        data={(data?.targets ?? []).map(({ id, name, address }) => ({
          value: id,
          label: `${name} (${address.slice(0, 60)})`,
        }))}
        {...form.getInputProps('targetId')}
      />
      <Button variant="subtle" leftSection={<Plus size={14} aria-hidden />} onClick={onMakeTarget}>
        New target
      </Button>
      <MultiSelect
        label="Logs in by"
        description="Only with what the vault may show to the host; none: it sweeps."
        data={TYPES}
        {...form.getInputProps('types')}
      />
      <NumberField label="Hosts at once" min={1} max={64} {...form.getInputProps('hostsAtOnce')} />
      <WhenFields form={form} />
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

function WhenFields({ form }: Pick<FieldsProps, 'form'>) {
  return (
    <>
      <Select
        label="How often"
        data={[
          { value: BY_HAND, label: 'When somebody starts it' },
          ...Object.entries(usualSchedules).map(([value, label]) => ({ value, label })),
          { value: OTHER, label: 'At other times' },
        ]}
        allowDeselect={false}
        {...form.getInputProps('often')}
      />
      {form.values.often === OTHER && (
        <TextInput
          label="Cron"
          description="Minute, hour, day, month, weekday: 0 2 * * 1-5"
          required
          {...form.getInputProps('cron')}
        />
      )}
      <TextInput label="Time zone" required {...form.getInputProps('zone')} />
    </>
  )
}
