import { TagsInput } from '@mantine/core'
import { useState, type ComponentProps } from 'react'
import { useTagSuggestions } from './use-tag-suggestions.ts'

type TagPickerProps = Pick<ComponentProps<typeof TagsInput>, 'value' | 'onChange' | 'error'>

/**
 * Input of several tags, with suggestions while typing, which otherwise stay closed so that they do not cover the
 * buttons.
 */
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
