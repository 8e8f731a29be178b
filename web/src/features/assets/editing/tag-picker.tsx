import { TagsInput } from '@mantine/core'
import { useState, type ComponentProps } from 'react'
import { useTagSuggestions } from './use-tag-suggestions.ts'

type TagPickerProps = Pick<ComponentProps<typeof TagsInput>, 'value' | 'onChange' | 'error'>

/** Tags to be given. Those in use are offered while one writes, and never lie over the buttons otherwise. */
export function TagPicker(props: TagPickerProps) {
  const [text, setText] = useState('')
  const tags = useTagSuggestions(text)
  return (
    <TagsInput
      label="Tags"
      description="Press Enter after each."
      data={text === '' ? [] : [...tags]}
      searchValue={text}
      onSearchChange={setText}
      data-autofocus
      {...props}
    />
  )
}
