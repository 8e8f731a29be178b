import { Autocomplete, type AutocompleteProps } from '@mantine/core'
import { useTagSuggestions } from './use-tag-suggestions.ts'

const OFFERED = 12

type TagInputProps = Pick<AutocompleteProps, 'label' | 'required' | 'onChange' | 'error'> & {
  readonly value: string
}

/** Input of one tag, with suggestions of the tags in use. */
export function TagInput({ value, ...props }: TagInputProps) {
  const tags = useTagSuggestions(value)
  return (
    <Autocomplete
      {...props}
      value={value}
      data={[...tags]}
      filter={({ options }) => options}
      limit={OFFERED}
      description="Type a part of it; the tags in use are offered."
    />
  )
}
