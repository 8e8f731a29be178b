import { Input } from '@mantine/core'
import { useState, type ReactNode } from 'react'
import { ConditionBox } from './condition-box.tsx'

interface AssetLimitFieldProps {
  /** Whom the condition limits, as in "for whoever has the role". */
  readonly description: string
  readonly value?: string
  readonly onChange: (where: string) => void
  readonly error?: ReactNode
}

/** A field of a form for the condition that limits a role or a key to some assets. What is typed and not applied counts. */
export function AssetLimitField({ description, value = '', onChange, error }: AssetLimitFieldProps) {
  const [applied, setApplied] = useState({ where: value, text: '' })
  return (
    <Input.Wrapper
      labelElement="div"
      label="Only assets where"
      description={description}
      descriptionProps={{ mb: 4 }}
      {...(error !== undefined && { error })}
    >
      <ConditionBox
        subject="asset"
        label="Only assets where"
        placeholder="site = Oslo"
        hint="Empty: all assets."
        {...applied}
        onChange={setApplied}
        onWritten={(written) => {
          if (written !== value) onChange(written)
        }}
      />
    </Input.Wrapper>
  )
}
