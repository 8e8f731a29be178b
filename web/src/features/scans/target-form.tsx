import {
  SegmentedControl,
  Textarea,
  TextInput,
  type MultiSelectProps,
  type SelectProps,
  type TextInputProps,
} from '@mantine/core'
import { useForm } from '@mantine/form'
import { CreateTargetDocument, UpdateTargetDocument, type TargetRow } from '#api/generated/scans.ts'
import { useChange } from '#api/query-client.ts'
import { CollectorsInput } from '#features/collectors/collectors-input.tsx'
import { SiteInput } from '#features/records/site-input.tsx'
import { FormDialog } from '#ui/dialog/form-dialog.tsx'
import { IndustrialReadsInput } from './industrial-reads-input.tsx'

interface TargetFormProps {
  readonly isOpen: boolean
  /** Called with the id of the new target. */
  readonly onMade?: (id: string) => void
  readonly onClose: () => void
}

export function TargetForm({ isOpen, onMade, onClose }: TargetFormProps) {
  const form = useNewTarget()
  const create = useChange(CreateTargetDocument, {
    done: 'Target added',
    isQuiet: true,
    onDone: ({ createTarget: { id } }) => onMade?.(id),
  })
  const { kind } = form.values
  return (
    <FormDialog
      isOpen={isOpen}
      title="New target"
      action="Add target"
      form={form}
      onSubmit={({ kind: chosen, name, cidr, host, entries, exclusions, siteId, ...others }) => {
        const address = {
          cidr: { cidr },
          host: { host },
          range: { entries: linesOf(entries), exclusions: linesOf(exclusions) },
        }[chosen as TargetRow['kind']]
        return create.mutateAsync({ ...others, name: name.trim(), siteId: siteId ?? null, ...address })
      }}
      onClose={onClose}
    >
      <TextInput label="Name" required data-autofocus {...form.getInputProps('name')} />
      <SegmentedControl
        aria-label="Kind of target"
        data={[
          { value: 'cidr', label: 'Network' },
          { value: 'host', label: 'One host' },
          { value: 'range', label: 'Several' },
        ]}
        {...form.getInputProps('kind')}
      />
      {kind === 'range' ? (
        <EntriesInputs
          entries={form.getInputProps('entries')}
          exclusions={form.getInputProps('exclusions')}
        />
      ) : (
        <AddressInput kind={kind} {...form.getInputProps(kind)} />
      )}
      <ScannedBy {...form.getInputProps('collectorIds')} />
      <OfSite {...form.getInputProps('siteId')} />
      <IndustrialReadsInput {...form.getInputProps('industrialReads')} />
    </FormDialog>
  )
}

const useNewTarget = () =>
  useForm({
    initialValues: {
      kind: 'cidr',
      name: '',
      cidr: '',
      host: '',
      entries: '',
      exclusions: '',
      collectorIds: [] as string[],
      siteId: null as string | null,
      industrialReads: [] as TargetRow['industrialReads'],
    },
    validate: {
      name: (name) => (name.trim() === '' ? 'Give it a name, such as “Office, 2nd floor”.' : null),
      cidr: (cidr, { kind }) => (kind === 'cidr' && cidr.trim() === '' ? 'Say which network.' : null),
      host: (host, { kind }) => (kind === 'host' && host.trim() === '' ? 'Say which host.' : null),
      entries: (entries, { kind }) =>
        kind === 'range' && linesOf(entries).length === 0 ? 'Say which networks and hosts.' : null,
    },
  })

interface EditTargetFormProps {
  readonly target: TargetRow
  readonly onClose: () => void
}

/** A target that is there. */
export function EditTargetForm({ target, onClose }: EditTargetFormProps) {
  const form = useForm({
    initialValues: {
      name: target.name,
      entries: target.entries.join('\n'),
      exclusions: target.exclusions.join('\n'),
      collectorIds: [...target.collectorIds],
      siteId: target.siteId ?? null,
      industrialReads: target.industrialReads,
    },
  })
  const update = useChange(UpdateTargetDocument, { done: 'Target saved', isQuiet: true })
  return (
    <FormDialog
      isOpen
      title={`Edit ${target.name}`}
      action="Save"
      form={form}
      onSubmit={({ name, entries, exclusions, siteId, ...others }) =>
        update.mutateAsync({
          id: target.id,
          name: name.trim(),
          entries: linesOf(entries),
          exclusions: linesOf(exclusions),
          siteId: siteId ?? '',
          ...others,
        })
      }
      onClose={onClose}
    >
      <TextInput label="Name" required data-autofocus {...form.getInputProps('name')} />
      <EntriesInputs entries={form.getInputProps('entries')} exclusions={form.getInputProps('exclusions')} />
      <ScannedBy {...form.getInputProps('collectorIds')} />
      <OfSite {...form.getInputProps('siteId')} />
      <IndustrialReadsInput {...form.getInputProps('industrialReads')} />
    </FormDialog>
  )
}

const linesOf = (text: string): string[] =>
  text
    .split(/[\n,]/)
    .map((line) => line.trim())
    .filter(Boolean)

interface EntriesInputsProps {
  readonly entries: object
  readonly exclusions: object
}

const EntriesInputs = ({ entries, exclusions }: EntriesInputsProps) => (
  <>
    <Textarea
      label="Networks and hosts"
      description="One a line: 10.20.0.0/22, 10.30.1.10-80, an address or a host name."
      required
      autosize
      minRows={3}
      maxRows={12}
      spellCheck={false}
      {...entries}
    />
    <Textarea
      label="Without"
      description="Never looked at; written in the same way."
      autosize
      minRows={2}
      maxRows={8}
      spellCheck={false}
      {...exclusions}
    />
  </>
)

const ADDRESSES = {
  cidr: {
    label: 'Network',
    description: 'With its prefix length, such as 192.168.1.0/24.',
    placeholder: '192.168.1.0/24',
  },
  host: {
    label: 'Host',
    description: 'An address, or a name that the server can resolve.',
    placeholder: 'printer.example.org',
  },
}

function AddressInput({ kind, ...input }: TextInputProps & { readonly kind: string }) {
  return (
    <TextInput
      key={kind}
      required
      spellCheck={false}
      {...ADDRESSES[kind === 'cidr' ? 'cidr' : 'host']}
      {...input}
    />
  )
}

const ScannedBy = (input: Pick<MultiSelectProps, 'value' | 'onChange' | 'error'>) => (
  <CollectorsInput label="Scanned by" description="Collectors at the site; none: this server." {...input} />
)

const OfSite = (input: Pick<SelectProps, 'value' | 'onChange' | 'error'>) => (
  <SiteInput
    label="Site"
    description="Whose network this is. The same address at two sites is two machines."
    {...input}
  />
)
