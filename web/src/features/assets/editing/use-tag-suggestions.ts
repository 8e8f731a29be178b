import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { AssetTagsDocument } from '#api/generated/assets.ts'
import { q } from '#api/query-client.ts'

const TYPING_MS = 150

/** The tags in use that contain the text, most used first; searched on the server. */
export function useTagSuggestions(text: string): readonly string[] {
  const [search] = useDebouncedValue(text.trim(), TYPING_MS)
  const { data } = useQuery({ ...q(AssetTagsDocument, { search }), placeholderData: keepPreviousData })
  return (data?.assetTags ?? []).map(({ tag }) => tag)
}
