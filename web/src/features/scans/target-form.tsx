import { SegmentedControl, TextInput, type TextInputProps } from '@mantine/core'
import { useForm } from '@mantine/form'
import { CreateTargetDocument } from '#api/generated/operations.ts'
import { useChange } from '#api/query-client.ts'
import { FormDialog } from '#ui/dialog/form-dialog.tsx'

interface TargetFormProps {
  readonly isOpen: boolean
  readonly onClose: () => void
}

export function TargetForm({ isOpen, onClose }: TargetFormProps) {
  const form = useForm({
    initialValues: { kind: 'cidr', name: '', cidr: '', host: '' },
    validate: {
      name: (name) => (name.trim() === '' ? 'Give it a name, such as “Office, 2nd floor”.' : null),
      cidr: (cidr, { kind }) => (kind === 'cidr' && cidr.trim() === '' ? 'Say which network.' : null),
      host: (host, { kind }) => (kind === 'host' && host.trim() === '' ? 'Say which host.' : null),
    },
  })
  const create = useChange(CreateTargetDocument, { done: 'Target added', isQuiet: true })
  return (
    <FormDialog
      isOpen={isOpen}
      title="New target"
      action="Add target"
      form={form}
      onSubmit={({ kind, name, cidr, host }) =>
        create.mutateAsync(kind === 'cidr' ? { name: name.trim(), cidr } : { name: name.trim(), host })
      }
      onClose={onClose}
    >
      <TextInput label="Name" required data-autofocus {...form.getInputProps('name')} />
      <SegmentedControl
        aria-label="Kind of target"
        data={[
          { value: 'cidr', label: 'Network' },
          { value: 'host', label: 'One host' },
        ]}
        {...form.getInputProps('kind')}
      />
      <AddressInput kind={form.values.kind} {...form.getInputProps(form.values.kind)} />
    </FormDialog>
  )
}

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
