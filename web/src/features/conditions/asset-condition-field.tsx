import { Input } from '@mantine/core'
import { useState, type ReactNode } from 'react'
import { TakeView } from '#features/lists/take-view.tsx'
import { ConditionBox } from './condition-box.tsx'

interface AssetConditionFieldProps {
  readonly label?: string
  readonly description: string
  readonly placeholder?: string
  readonly hint?: string
  readonly value?: string
  readonly error?: ReactNode
  readonly onChange: (where: string) => void
}

/** A field of a form for the assets that a condition means. What is typed and not applied counts. */
export function AssetConditionField({
  label = 'Assets where',
  description,
  placeholder = 'site = Oslo and type = server',
  hint = 'As in the list of assets.',
  value = '',
  error,
  onChange,
}: AssetConditionFieldProps) {
  const [applied, setApplied] = useState({ where: value, text: '' })
  return (
    <Input.Wrapper
      labelElement="div"
      label={label}
      description={description}
      descriptionProps={{ mb: 4 }}
      error={error}
    >
      <ConditionBox
        subject="asset"
        label={label}
        placeholder={placeholder}
        hint={hint}
        {...applied}
        onChange={setApplied}
        onWritten={(written) => {
          if (written !== value) onChange(written)
        }}
      />
      <TakeView subject="asset" onTake={(where) => setApplied({ where, text: '' })} />
    </Input.Wrapper>
  )
}

type AssetLimitFieldProps = Pick<AssetConditionFieldProps, 'description' | 'value' | 'error' | 'onChange'>

/** The assets to which a role, a key or a report is limited. The description says whom the condition limits. */
export const AssetLimitField = (props: AssetLimitFieldProps) => (
  <AssetConditionField
    label="Only assets where"
    placeholder="site = Oslo"
    hint="Empty: all assets."
    {...props}
  />
)
