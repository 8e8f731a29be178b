import { MultiSelect, type MultiSelectProps } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { CollectorsDocument } from '#api/generated/operations.ts'
import { q } from '#api/query-client.ts'

/** Which collectors scan a target; not there while there are none to choose or to take off. */
export function CollectorsInput(input: Pick<MultiSelectProps, 'value' | 'onChange' | 'error'>) {
  const { data } = useQuery(q(CollectorsDocument, {}))
  const isChosen = (id: string) => input.value?.includes(id) ?? false
  const offered = data?.collectors.filter(({ id, state }) => state !== 'revoked' || isChosen(id)) ?? []
  if (offered.length === 0) return null
  return (
    <MultiSelect
      label="Scanned by"
      description="Collectors at the site; none: this server."
      data={offered.map(({ id, name, state }) => ({
        value: id,
        label: state === 'revoked' ? `${name} (revoked)` : name,
      }))}
      {...input}
    />
  )
}
