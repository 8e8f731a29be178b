import { NativeSelect, PasswordInput, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import type { NoticeChannelKind } from '#api/generated/enums-and-inputs.ts'
import { CreateNoticeChannelDocument } from '#api/generated/notices.ts'
import { useChange } from '#api/query-client.ts'
import { FormDialog } from '#ui/dialog/form-dialog.tsx'
import { CHANNEL_KINDS } from './channel-kinds.ts'

interface ChannelFormProps {
  readonly onSecret: (secret: string) => void
  readonly onClose: () => void
}

export function ChannelForm({ onSecret, onClose }: ChannelFormProps) {
  const form = useForm({
    initialValues: { name: '', kind: 'slack' as NoticeChannelKind, url: '', address: '', token: '' },
    validate: { name: (name) => (name.trim() === '' ? 'Name the channel.' : null) },
  })
  const create = useChange(CreateNoticeChannelDocument, {
    isQuiet: true,
    done: 'Channel added; send a test',
    onDone: ({ createNoticeChannel: { secret } }) => {
      if (secret !== null) onSecret(secret)
    },
  })
  const { kind } = form.values
  return (
    <FormDialog
      isOpen
      title="New channel"
      action="Add channel"
      form={form}
      onSubmit={({ name, url, address, token }) =>
        create.mutateAsync({
          name: name.trim(),
          kind,
          ...(kind === 'mail' ? { address: address.trim() } : { url: url.trim() }),
          ...(kind === 'ntfy' && token !== '' && { token }),
        })
      }
      onClose={onClose}
    >
      <ChannelFields kind={kind} input={(name) => form.getInputProps(name)} />
    </FormDialog>
  )
}

interface ChannelFieldsProps {
  readonly kind: NoticeChannelKind
  readonly input: (name: string) => object
}

function ChannelFields({ kind, input }: ChannelFieldsProps) {
  const { label, placeholder, help } = CHANNEL_KINDS[kind]
  return (
    <>
      <TextInput label="Name" required data-autofocus {...input('name')} />
      <NativeSelect
        label="Kind"
        data={Object.entries(CHANNEL_KINDS).map(([value, it]) => ({ value, label: it.label }))}
        {...input('kind')}
      />
      <TextInput
        key={label}
        label={kind === 'mail' ? 'Address' : 'URL'}
        description={help}
        placeholder={placeholder}
        required
        spellCheck={false}
        {...input(kind === 'mail' ? 'address' : 'url')}
      />
      {kind === 'ntfy' && (
        <PasswordInput label="Access token" description="If the topic needs one." {...input('token')} />
      )}
    </>
  )
}
