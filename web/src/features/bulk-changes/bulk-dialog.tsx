import { Autocomplete, Button, Modal, Select, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { RecordValuesDocument } from '#api/generated/records.ts'
import { CustomFieldsDocument } from '#api/generated/settings.ts'
import { q } from '#api/query-client.ts'
import { messageOf } from '#api/errors.ts'
import { useTagSuggestions } from '#features/assets/editing/use-tag-suggestions.ts'
import { count, many } from '#lib/numbers.ts'
import { sentenceCase } from '#lib/sentence-case.ts'
import { FormDialog } from '#ui/dialog/form-dialog.tsx'
import { toastFailed } from '#ui/toast.ts'
import styles from './bulk-dialog.module.css'
import type { BulkOrder } from './use-bulk-change.ts'

export type BulkDialogKind =
  | 'add_tags'
  | 'remove_tags'
  | 'owner'
  | 'criticality'
  | 'exposure'
  | 'field'
  | 'delete'

interface BulkDialogProps {
  readonly kind: BulkDialogKind
  readonly n: number
  readonly onStart: (order: BulkOrder) => Promise<void>
  readonly onClose: () => void
}

/** Asks what a bulk change needs to know. */
export function BulkDialog(props: BulkDialogProps) {
  switch (props.kind) {
    case 'add_tags':
    case 'remove_tags':
      return <TagDialog {...props} />
    case 'owner':
      return <OwnerDialog {...props} />
    case 'criticality':
    case 'exposure':
      return <WeightDialog {...props} />
    case 'field':
      return <FieldDialog {...props} />
    case 'delete':
      return <DeleteDialog {...props} />
  }
}

function TagDialog({ kind, n, onStart, onClose }: BulkDialogProps) {
  const form = useForm({ initialValues: { tags: '' } })
  const known = useTagSuggestions(form.values.tags)
  const verb = kind === 'remove_tags' ? 'remove_tags' : 'add_tags'
  const title = verb === 'add_tags' ? 'Add tags' : 'Remove tags'
  return (
    <FormDialog
      isOpen
      title={`${title}: ${many(n, 'asset')}`}
      action={title}
      form={form}
      onSubmit={({ tags }) => onStart({ verb, values: { tags: tagsIn(tags) } })}
      onClose={onClose}
    >
      <Autocomplete
        label="Tags"
        description="Several with commas between them."
        data={form.values.tags === '' ? [] : [...known]}
        required
        data-autofocus
        {...form.getInputProps('tags')}
      />
    </FormDialog>
  )
}

const tagsIn = (text: string): string[] =>
  text
    .split(',')
    .map((tag) => tag.trim())
    .filter((tag) => tag !== '')

function OwnerDialog({ n, onStart, onClose }: BulkDialogProps) {
  const form = useForm({ initialValues: { owner: '' } })
  const { data } = useQuery(q(RecordValuesDocument, { field: 'owner' }))
  return (
    <FormDialog
      isOpen
      title={`Owner of ${many(n, 'asset')}`}
      action="Set owner"
      form={form}
      onSubmit={({ owner }) =>
        onStart({ verb: 'set_record', values: { record: { owner: owner.trim() || null } } })
      }
      onClose={onClose}
    >
      <Autocomplete
        label="Owner"
        description="A person or team; a member by e-mail address. Empty: none is recorded."
        data={[...new Set((data?.recordValues ?? []).map(({ value }) => value))]}
        data-autofocus
        {...form.getInputProps('owner')}
      />
    </FormDialog>
  )
}

const WEIGHTS = {
  criticality: ['critical', 'high', 'normal', 'low'],
  exposure: ['internet', 'unknown', 'isolated'],
} as const

const toastProblem = (error: unknown): void => toastFailed(messageOf(error))

/** One click chooses and starts. */
function WeightDialog({ kind, n, onStart, onClose }: BulkDialogProps) {
  const weight = kind === 'exposure' ? 'exposure' : 'criticality'
  const [isBusy, setBusy] = useState(false)
  const choose = async (value: string) => {
    setBusy(true)
    await onStart({ verb: 'set_weight', values: { [weight]: value } }).catch(toastProblem)
    onClose()
  }
  return (
    <Modal opened onClose={onClose} title={`${sentenceCase(weight)} of ${many(n, 'asset')}`}>
      <div className={styles['choices']}>
        {WEIGHTS[weight].map((value) => (
          <Button key={value} variant="default" disabled={isBusy} onClick={() => void choose(value)}>
            {sentenceCase(value)}
          </Button>
        ))}
      </div>
    </Modal>
  )
}

function FieldDialog({ n, onStart, onClose }: BulkDialogProps) {
  const form = useForm({ initialValues: { fieldId: '', value: '' } })
  const fields = useQuery(q(CustomFieldsDocument, {})).data?.customFields ?? []
  const field = fields.find(({ id }) => id === form.values.fieldId)
  const choices = field?.kind === 'boolean' ? ['yes', 'no'] : field?.choices
  const input = {
    label: 'Value',
    description: 'Empty: the field is cleared.',
    ...form.getInputProps('value'),
  }
  return (
    <FormDialog
      isOpen
      title={`Custom field of ${many(n, 'asset')}`}
      action="Set field"
      form={form}
      onSubmit={({ fieldId, value }) =>
        onStart({ verb: 'set_field', values: { fieldId, value: valueFrom(field?.kind, value.trim()) } })
      }
      onClose={onClose}
    >
      <Select
        label="Field"
        data={fields.map(({ id, name }) => ({ value: id, label: name }))}
        nothingFoundMessage="No custom field is defined"
        required
        data-autofocus
        {...form.getInputProps('fieldId')}
      />
      {choices ? (
        <Select
          clearable
          data={[...choices]}
          {...input}
          value={form.values.value || null}
          onChange={(value) => form.setFieldValue('value', value ?? '')}
        />
      ) : (
        <TextInput type={field?.kind === 'date' ? 'date' : 'text'} {...input} />
      )}
    </FormDialog>
  )
}

function valueFrom(kind: string | undefined, text: string): string | number | boolean | null {
  if (text === '') return null
  if (kind === 'boolean') return text === 'yes'
  return kind === 'number' ? Number(text) : text
}

/** Final, so the person types how many. */
function DeleteDialog({ n, onStart, onClose }: BulkDialogProps) {
  const form = useForm({
    initialValues: { confirm: '' },
    validate: {
      confirm: (text) =>
        Number(text.replaceAll(/[\s,.]/g, '')) === n ? null : `Type ${count(n)} to delete them`,
    },
  })
  return (
    <FormDialog
      isOpen
      title={`Delete ${many(n, 'asset')}`}
      action={`Delete ${many(n, 'asset')}`}
      form={form}
      onSubmit={() => onStart({ verb: 'delete', confirm: n })}
      onClose={onClose}
    >
      <p>
        They are deleted with their observations, tags, findings and records. This is final; archiving can be
        undone.
      </p>
      <TextInput
        label={`Type ${count(n)}, the number of assets`}
        inputMode="numeric"
        autoComplete="off"
        data-autofocus
        {...form.getInputProps('confirm')}
      />
    </FormDialog>
  )
}
