import { MultiSelect, NativeSelect, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import type { NoticeDigest } from '#api/generated/enums-and-inputs.ts'
import {
  CreateNoticeRuleDocument,
  UpdateNoticeRuleDocument,
  type NoticeChannelRow,
  type NoticeRuleRow,
  type NoticesData,
} from '#api/generated/notices.ts'
import { useChange } from '#api/query-client.ts'
import { usePermission } from '#api/use-permission.ts'
import { FormDialog } from '#ui/dialog/form-dialog.tsx'

interface RuleFormProps {
  /** Undefined for a new one. */
  readonly rule: NoticeRuleRow | undefined
  readonly channels: readonly NoticeChannelRow[]
  readonly subjects: NoticesData['noticeSubjects']
  readonly onClose: () => void
}

const DIGESTS = [
  { value: 'now', label: 'At once' },
  { value: 'hourly', label: 'Every hour, together' },
  { value: 'daily', label: 'Once a day, together' },
]

export function RuleForm({ rule, channels, subjects, onClose }: RuleFormProps) {
  const form = useForm({
    initialValues: {
      name: rule?.name ?? '',
      about: [...(rule?.itemKinds ?? []), ...(rule?.eventTypes ?? [])],
      condition: rule?.condition ?? '',
      channelId: rule?.channelId ?? '',
      digest: rule?.digest ?? ('now' as NoticeDigest),
    },
    validate: {
      name: (name) => (name.trim() === '' ? 'Name the rule.' : null),
      about: (about) => (about.length === 0 ? 'Choose at least one.' : null),
    },
  })
  const create = useChange(CreateNoticeRuleDocument, { isQuiet: true, done: 'Rule made' })
  const update = useChange(UpdateNoticeRuleDocument, { isQuiet: true, done: 'Rule changed' })
  const isEvent = (name: string): boolean => subjects.some((it) => it.name === name && it.isEvent)
  return (
    <FormDialog
      isOpen
      title={rule ? `Change ${rule.name}` : 'New rule'}
      action={rule ? 'Save changes' : 'Make rule'}
      form={form}
      onSubmit={({ about, channelId, ...values }) => {
        const fields = {
          ...values,
          name: values.name.trim(),
          eventTypes: about.filter(isEvent),
          itemKinds: about.filter((name) => !isEvent(name)),
          channelId: channelId === '' ? null : channelId,
        }
        return rule ? update.mutateAsync({ id: rule.id, ...fields }) : create.mutateAsync(fields)
      }}
      onClose={onClose}
    >
      <RuleFields
        channels={channels}
        subjects={subjects}
        hasEvents={form.values.about.some(isEvent)}
        input={(name) => form.getInputProps(name)}
      />
    </FormDialog>
  )
}

interface RuleFieldsProps extends Pick<RuleFormProps, 'channels' | 'subjects'> {
  /** Whether a condition can be asked. */
  readonly hasEvents: boolean
  readonly input: (name: string) => object
}

function RuleFields({ channels, subjects, hasEvents, input }: RuleFieldsProps) {
  const may = usePermission()
  const group = (title: string, wanted: boolean) => ({
    group: title,
    items: subjects
      .filter((it) => it.isEvent === wanted)
      .map(({ name, title: label }) => ({ value: name, label })),
  })
  return (
    <>
      <TextInput label="Name" required data-autofocus {...input('name')} />
      <MultiSelect
        label="Tell me about"
        required
        searchable
        data={[group('What waits or fails', false), group('What happens', true)]}
        {...input('about')}
      />
      {hasEvents && (
        <TextInput
          label="Only if"
          description="A condition on the event and its asset; empty: always."
          placeholder="event.severity = critical and asset.type = server"
          spellCheck={false}
          {...input('condition')}
        />
      )}
      <NativeSelect
        label="Where"
        description={may('notices:write') ? undefined : 'Your role does not send to shared channels.'}
        disabled={!may('notices:write')}
        data={[
          { value: '', label: 'Mail to me' },
          ...channels.map(({ id, name }) => ({ value: id, label: name })),
        ]}
        {...input('channelId')}
      />
      <NativeSelect label="When" data={DIGESTS} {...input('digest')} />
    </>
  )
}
