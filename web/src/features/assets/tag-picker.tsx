import { TagsInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState, type ComponentProps } from 'react'
import { AssetTagsDocument } from '#api/generated/operations.ts'
import { q } from '#api/queries.ts'

type TagPickerProps = Pick<ComponentProps<typeof TagsInput>, 'value' | 'onChange' | 'error'>

/** Tags to be given. Those in use are offered while one writes, and never lie over the buttons otherwise. */
export function TagPicker(props: TagPickerProps) {
  const [text, setText] = useState('')
  const { data } = useQuery(q(AssetTagsDocument, {}))
  const tags = (data?.assetTags ?? []).map(({ tag }) => tag)
  return (
    <TagsInput
      label="Tags"
      description="Press Enter after each."
      data={text === '' ? [] : tags}
      searchValue={text}
      onSearchChange={setText}
      data-autofocus
      {...props}
    />
  )
}
