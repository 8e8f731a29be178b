import { Input } from '@mantine/core'
import { useState, type ReactNode } from 'react'
import { ConditionBox } from '#features/conditions/condition-box.tsx'

interface ExceptionConditionFieldProps {
  readonly value: string
  readonly error: ReactNode
  readonly onChange: (where: string) => void
}

/** Which assets an exception covers, as a condition. What is typed and not applied counts. */
export function ExceptionConditionField({ value, error, onChange }: ExceptionConditionFieldProps) {
  const [applied, setApplied] = useState({ where: value, text: '' })
  return (
    <Input.Wrapper
      labelElement="div"
      label="Assets where"
      description="Whichever those are at the time: also those that come later."
      descriptionProps={{ mb: 4 }}
      error={error}
    >
      <ConditionBox
        subject="asset"
        label="Assets where"
        placeholder="site = Oslo and type = printer"
        hint="As in the list of assets."
        {...applied}
        onChange={setApplied}
        onWritten={(written) => {
          if (written !== value) onChange(written)
        }}
      />
    </Input.Wrapper>
  )
}
