import { Select, Textarea, TextInput } from '@mantine/core'
import { useForm, type UseFormReturnType } from '@mantine/form'
import { useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import type { AssetRecordInput, SuggestedRecordField } from '#api/generated/enums-and-inputs.ts'
import { PlacesDocument, RecordValuesDocument, SetAssetRecordDocument } from '#api/generated/records.ts'
import { q, useChange } from '#api/query-client.ts'
import { FormDialog } from '#ui/dialog/form-dialog.tsx'
import { changesOf, formOf, lifeStates, type AssetRecord, type RecordForm } from './record-fields.ts'
import styles from './record-panel.module.css'

interface RecordFormProps {
  readonly assetId: string
  readonly record: AssetRecord
  readonly onClose: () => void
}

/** An emptied field is cleared. */
export function RecordFormDialog({ assetId, record, onClose }: RecordFormProps) {
  const before = formOf(record)
  const form = useForm({ initialValues: before })
  const set = useChange(SetAssetRecordDocument, { done: 'Record saved', isQuiet: true })
  return (
    <FormDialog
      isOpen
      title="Record"
      action="Save record"
      form={form}
      onSubmit={(values) =>
        set.mutateAsync({ assetIds: [assetId], values: changesOf(before, values) as AssetRecordInput })
      }
      onClose={onClose}
    >
      <Belonging form={form} />
      <Purchase form={form} />
      <Ends form={form} />
      <Decisions form={form} />
      <Textarea label="Notes" rows={3} {...form.getInputProps('notes')} />
    </FormDialog>
  )
}

interface PartProps {
  readonly form: UseFormReturnType<RecordForm>
}

function Belonging({ form }: PartProps) {
  const places = useQuery(q(PlacesDocument, {})).data?.places ?? []
  return (
    <>
      <Suggested
        form={form}
        field="owner"
        label="Owner"
        description="A person or team; a member by e-mail address."
      />
      <div className={styles['pair']}>
        <Suggested form={form} field="department" label="Department" />
        <Suggested form={form} field="costCentre" label="Cost centre" />
      </div>
      <div className={styles['pair']}>
        <Select
          label="Place"
          placeholder="By its address"
          data={places.map(({ id, path }) => ({ value: id, label: path }))}
          searchable
          clearable
          {...form.getInputProps('placeId')}
          value={form.values.placeId || null}
          onChange={(id) => form.setFieldValue('placeId', id ?? '')}
        />
        <Select
          label="State"
          data={[...lifeStates]}
          clearable
          {...form.getInputProps('state')}
          value={form.values.state || null}
          onChange={(state) => form.setFieldValue('state', state ?? '')}
        />
      </div>
    </>
  )
}

const Purchase = ({ form }: PartProps) => (
  <>
    <h3 className={styles['group']}>Purchase</h3>
    <div className={styles['pair']}>
      <TextInput label="Purchased" type="date" {...form.getInputProps('purchasedOn')} />
      <Suggested form={form} field="supplier" label="Supplier" />
    </div>
    <div className={styles['pair']}>
      <TextInput label="Price" inputMode="decimal" placeholder="1299.00" {...form.getInputProps('price')} />
      <TextInput label="Currency" placeholder="EUR" maxLength={3} {...form.getInputProps('currency')} />
    </div>
    <TextInput label="Order number" {...form.getInputProps('orderNumber')} />
  </>
)

const Ends = ({ form }: PartProps) => (
  <>
    <h3 className={styles['group']}>Ends</h3>
    <div className={styles['pair']}>
      <TextInput label="Warranty ends" type="date" {...form.getInputProps('warrantyEnds')} />
      <TextInput label="Lease ends" type="date" {...form.getInputProps('leaseEnds')} />
    </div>
    <div className={styles['pair']}>
      <TextInput label="Replace on" type="date" {...form.getInputProps('replaceOn')} />
      <TextInput label="Hardware support ends" type="date" {...form.getInputProps('hardwareEol')} />
    </div>
  </>
)

const Decisions = ({ form }: PartProps) => (
  <>
    <h3 className={styles['group']}>Decisions</h3>
    <div className={styles['pair']}>
      <Select
        label="Approved"
        description="Whether it may be there."
        data={[
          { value: 'yes', label: 'Yes' },
          { value: 'no', label: 'No' },
        ]}
        clearable
        {...form.getInputProps('approved')}
        value={form.values.approved || null}
        onChange={(answer) => form.setFieldValue('approved', answer ?? '')}
      />
      <TextInput
        label="Scanned from outside"
        description="The last time, by whom you trust."
        type="date"
        {...form.getInputProps('externallyScannedOn')}
      />
    </div>
  </>
)

interface SuggestedProps extends PartProps {
  readonly field: SuggestedRecordField
  readonly label: string
  readonly description?: string
}

/** A text with the values in use as suggestions. */
function Suggested({ form, field, ...input }: SuggestedProps) {
  const { data } = useQuery(q(RecordValuesDocument, { field }))
  const id = useId()
  return (
    <>
      <TextInput list={id} autoComplete="off" {...input} {...form.getInputProps(field)} />
      <datalist id={id}>
        {data?.recordValues.map(({ value }) => (
          <option key={value}>{value}</option>
        ))}
      </datalist>
    </>
  )
}
