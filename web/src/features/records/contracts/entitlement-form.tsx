import { Select, TextInput } from '@mantine/core'
import { useForm, type UseFormReturnType } from '@mantine/form'
import { useQuery } from '@tanstack/react-query'
import type { EntitlementMetric } from '#api/generated/enums-and-inputs.ts'
import { ContractsDocument, SaveEntitlementDocument, type EntitlementsData } from '#api/generated/records.ts'
import { q, useChange } from '#api/query-client.ts'
import { FormDialog } from '#ui/dialog/form-dialog.tsx'
import styles from '../record-panel.module.css'
import { TermFields } from './term-fields.tsx'
import { givenTexts } from './term-words.tsx'

export type Entitlement = EntitlementsData['entitlements'][number]

export const metrics: Readonly<Record<EntitlementMetric, string>> = {
  device: 'Devices',
  user: 'Users',
  core: 'Processor cores',
  concurrent: 'At the same time',
  site: 'Whole site',
}

interface EntitlementFormProps {
  /** Undefined: a new one. */
  readonly entitlement: Entitlement | undefined
  readonly onClose: () => void
}

export function EntitlementForm({ entitlement, onClose }: EntitlementFormProps) {
  const form = useForm({
    initialValues: valuesOf(entitlement),
    validate: {
      product: (product) => (product.trim() === '' ? 'Say for which software.' : null),
      count: (count) => (/^\d{0,9}$/.test(count.trim()) ? null : 'A whole number, or nothing for no limit.'),
    },
  })
  const save = useChange(SaveEntitlementDocument, {
    done: entitlement ? 'Entitlement saved' : 'Entitlement added',
    isQuiet: true,
  })
  return (
    <FormDialog
      isOpen
      title={entitlement ? `Edit ${entitlement.product}` : 'New entitlement'}
      action={entitlement ? 'Save entitlement' : 'Add entitlement'}
      form={form}
      onSubmit={({ product, metric, count, ...texts }) =>
        save.mutateAsync({
          id: entitlement?.id ?? null,
          product: product.trim(),
          metric: metric as EntitlementMetric,
          count: count.trim() === '' ? null : Number(count),
          ...givenTexts(texts),
        })
      }
      onClose={onClose}
    >
      <EntitlementFields form={form} />
      <TermFields inputProps={(field) => form.getInputProps(field)} />
    </FormDialog>
  )
}

const valuesOf = (entitlement: Entitlement | undefined) => ({
  product: entitlement?.product ?? '',
  vendor: entitlement?.vendor ?? '',
  metric: (entitlement?.metric ?? 'device') as string,
  count: entitlement?.count?.toString() ?? '',
  versionFrom: entitlement?.versionFrom ?? '',
  versionTo: entitlement?.versionTo ?? '',
  contractId: entitlement?.contractId ?? '',
  begins: entitlement?.begins ?? '',
  ends: entitlement?.ends ?? '',
  cost: entitlement?.cost ?? '',
  currency: entitlement?.currency ?? '',
  notes: entitlement?.notes ?? '',
})

function EntitlementFields({ form }: { readonly form: UseFormReturnType<ReturnType<typeof valuesOf>> }) {
  const contracts = useQuery(q(ContractsDocument, {})).data?.contracts ?? []
  return (
    <>
      <div className={styles['pair']}>
        <TextInput label="Software" required data-autofocus {...form.getInputProps('product')} />
        <TextInput label="Maker" {...form.getInputProps('vendor')} />
      </div>
      <div className={styles['pair']}>
        <Select
          label="Counted by"
          data={Object.entries(metrics).map(([value, label]) => ({ value, label }))}
          {...form.getInputProps('metric')}
        />
        <TextInput
          label="How many"
          placeholder="No limit"
          inputMode="numeric"
          {...form.getInputProps('count')}
        />
      </div>
      <div className={styles['pair']}>
        <TextInput label="From version" {...form.getInputProps('versionFrom')} />
        <TextInput label="To version" {...form.getInputProps('versionTo')} />
      </div>
      <Select
        label="Contract"
        data={contracts.map(({ id, name }) => ({ value: id, label: name }))}
        clearable
        searchable
        {...form.getInputProps('contractId')}
        value={form.values.contractId || null}
        onChange={(id) => form.setFieldValue('contractId', id ?? '')}
      />
    </>
  )
}
