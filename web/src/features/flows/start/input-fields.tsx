import { NativeSelect, TextInput } from '@mantine/core'
import { sentenceCase } from '#lib/sentence-case.ts'
import { spaced } from '#lib/in-words.ts'
import { NumberField } from '#ui/number-field.tsx'

/** Kinds of the browser's own input. */
const INPUT_TYPES: Readonly<Record<string, string>> = { date: 'date', instant: 'datetime-local' }

interface InputFieldsProps {
  /** Types by name. */
  readonly fields: Readonly<Record<string, string>>
  readonly values: Readonly<Record<string, string>>
  readonly onChange: (name: string, value: string) => void
}

/** The values that a trigger names, each asked for by its type. */
export function InputFields({ fields, values, onChange }: InputFieldsProps) {
  return Object.entries(fields).map(([name, type]) => {
    const label = sentenceCase(spaced(name))
    const value = values[name] ?? ''
    if (type === 'bool')
      return (
        <NativeSelect
          key={name}
          label={label}
          data={['', 'yes', 'no']}
          value={value}
          onChange={({ currentTarget }) => onChange(name, currentTarget.value)}
        />
      )
    if (type === 'number')
      return (
        <NumberField
          isDecimal
          key={name}
          label={label}
          value={value}
          onChange={(given) => onChange(name, String(given))}
        />
      )
    return (
      <TextInput
        key={name}
        label={label}
        type={INPUT_TYPES[type] ?? 'text'}
        value={value}
        onChange={({ currentTarget }) => onChange(name, currentTarget.value)}
      />
    )
  })
}
