import { Select, type SelectProps } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { PlacesDocument } from '#api/generated/records.ts'
import { q } from '#api/query-client.ts'

type SiteInputProps = Pick<SelectProps, 'value' | 'onChange' | 'error' | 'label' | 'description'>

/** Chooses one site; not there while there are none. */
export function SiteInput(input: SiteInputProps) {
  const { data } = useQuery(q(PlacesDocument, {}))
  const sites = data?.places.filter(({ kind }) => kind === 'site') ?? []
  if (sites.length === 0) return null
  return (
    <Select
      data={sites.map(({ id, name }) => ({ value: id, label: name }))}
      clearable
      searchable
      placeholder="Of no site"
      {...input}
    />
  )
}
