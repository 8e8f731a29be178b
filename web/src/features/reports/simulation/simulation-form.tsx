import { Button, NativeSelect, SegmentedControl, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { SimulatedChangeKind } from '#api/generated/enums-and-inputs.ts'
import { ConditionBox } from '#features/conditions/condition-box.tsx'
import styles from './simulation-form.module.css'
import { readSimulationSearch, type SimulationSearch } from './simulation-search-params.ts'

interface SimulationFormProps {
  readonly search: SimulationSearch
  /** What the server refused, and the field that it named. */
  readonly fault: { readonly field: string; readonly message: string } | undefined
  readonly isBusy: boolean
  readonly onAsk: (search: SimulationSearch) => void
}

interface Values {
  readonly kind: SimulatedChangeKind
  readonly name: string
  readonly version: string
  readonly by: string
  readonly where: string
}

interface FieldsProps {
  readonly values: Values
  readonly onChange: (change: Partial<Values>) => void
  readonly faultAt: (field: keyof Values) => string | undefined
}

type Form = 'update' | 'replace' | 'retire'

const FORMS: readonly { readonly value: Form; readonly label: string }[] = [
  { value: 'update', label: 'Update' },
  { value: 'replace', label: 'Replace' },
  { value: 'retire', label: 'Retire' },
]

const KIND_OF: Readonly<Record<Form, SimulatedChangeKind>> = {
  update: 'update_software',
  replace: 'replace_assets',
  retire: 'retire_system',
}

/** One question in three forms: update software, replace assets, retire software or an operating system. */
export function SimulationForm({ search, fault, isBusy, onAsk }: SimulationFormProps) {
  const { fields, ask } = useFields(search, fault, onAsk)
  const { values, onChange } = fields
  return (
    <form
      className={styles['form']}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        ask()
      }}
    >
      <SegmentedControl
        className={styles['forms'] ?? ''}
        aria-label="Kind of change"
        data={[...FORMS]}
        value={formOf(values.kind)}
        onChange={(form) => onChange({ kind: KIND_OF[form] })}
      />
      <div className={styles['fields']}>
        {values.kind === 'replace_assets' ? <DayField {...fields} /> : <SoftwareFields {...fields} />}
      </div>
      <AssetsField {...fields} />
      <Button type="submit" className={styles['ask'] ?? ''} loading={isBusy}>
        Work it out
      </Button>
    </form>
  )
}

function useFields(
  search: SimulationSearch,
  fault: SimulationFormProps['fault'],
  onAsk: SimulationFormProps['onAsk'],
): { fields: FieldsProps; ask: () => void } {
  const [values, setValues] = useState<Values>({
    kind: search.kind ?? 'update_software',
    name: search.name ?? '',
    version: search.version ?? '',
    by: search.by ?? '',
    where: search.where ?? '',
  })
  const [missing, setMissing] = useState<keyof Values>()
  const onChange = (change: Partial<Values>) => {
    setMissing(undefined)
    setValues((before) => ({ ...before, ...change }))
  }
  const faultAt = (field: keyof Values) => {
    if (missing === field) return field === 'by' ? 'Say by when.' : 'Name it.'
    return fault?.field === field ? fault.message : undefined
  }
  const ask = () => {
    const needed = values.kind === 'replace_assets' ? 'by' : 'name'
    if (values[needed].trim() === '') setMissing(needed)
    else onAsk(readSimulationSearch({ ...values }))
  }
  return { fields: { values, onChange, faultAt }, ask }
}

function formOf(kind: SimulatedChangeKind): Form {
  if (kind === 'update_software') return 'update'
  return kind === 'replace_assets' ? 'replace' : 'retire'
}

function DayField({ values, onChange, faultAt }: FieldsProps) {
  return (
    <TextInput
      label="By"
      type="date"
      required
      value={values.by}
      error={faultAt('by')}
      onChange={({ currentTarget: { value } }) => onChange({ by: value })}
    />
  )
}

/** What is updated or retired, by words of its name. */
function SoftwareFields({ values, onChange, faultAt }: FieldsProps) {
  const isSystem = values.kind === 'retire_system'
  return (
    <>
      {formOf(values.kind) === 'retire' && (
        <NativeSelect
          label="What"
          data={[
            { value: 'retire_system', label: 'An operating system, with its assets' },
            { value: 'retire_product', label: 'Software' },
          ]}
          value={values.kind}
          onChange={({ currentTarget: { value } }) =>
            onChange({ kind: value === 'retire_product' ? 'retire_product' : 'retire_system' })
          }
        />
      )}
      <TextInput
        label={isSystem ? 'Operating system' : 'Software'}
        placeholder={
          isSystem ? 'Words of its name, such as Windows 10' : 'Words of its name, such as Firefox'
        }
        required
        value={values.name}
        error={faultAt('name')}
        onChange={({ currentTarget: { value } }) => onChange({ name: value })}
      />
      {values.kind === 'update_software' && (
        <TextInput
          label="To version"
          placeholder="Empty: what fixes each finding"
          value={values.version}
          error={faultAt('version')}
          onChange={({ currentTarget: { value } }) => onChange({ version: value })}
        />
      )}
    </>
  )
}

function AssetsField({ values, onChange, faultAt }: FieldsProps) {
  const fault = faultAt('where')
  return (
    <div className={styles['assets']}>
      <span className={styles['label']}>
        {values.kind === 'replace_assets' ? 'These assets' : 'On these assets'}
      </span>
      <ConditionBox
        subject="asset"
        label="Which assets"
        placeholder="All, or a condition such as department = Sales and type = laptop"
        hint="Empty: all assets, at most 10,000."
        where={values.where}
        text=""
        onChange={({ where }) => onChange({ where })}
      />
      {fault !== undefined && (
        <p role="alert" className={styles['fault']}>
          {fault}
        </p>
      )}
    </div>
  )
}
