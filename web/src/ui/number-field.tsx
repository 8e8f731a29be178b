import { TextInput, type TextInputProps } from '@mantine/core'

interface NumberFieldProps extends Omit<TextInputProps, 'type' | 'value' | 'defaultValue' | 'onChange'> {
  /** A number that is not a whole one may be typed too. */
  readonly isDecimal?: boolean
  /** Empty text: no number is given. */
  readonly value?: number | string
  readonly onChange?: (value: number | '') => void
}

/** A field for a number, with the keyboard for numbers on phones. Its form says what is wrong with the number. */
export function NumberField({ isDecimal = false, value, onChange, ...props }: NumberFieldProps) {
  return (
    <TextInput
      {...props}
      type="number"
      step={isDecimal ? 'any' : 1}
      inputMode={isDecimal ? 'decimal' : 'numeric'}
      {...(value !== undefined && { value })}
      onChange={({ currentTarget }) =>
        onChange?.(currentTarget.value === '' ? '' : currentTarget.valueAsNumber)
      }
    />
  )
}
