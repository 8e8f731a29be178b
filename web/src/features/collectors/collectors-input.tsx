import { MultiSelect, type MultiSelectProps } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { CollectorsDocument, type CollectorRow } from '#api/generated/collectors.ts'
import { q } from '#api/query-client.ts'

type CollectorsInputProps = Pick<MultiSelectProps, 'value' | 'onChange' | 'error'> & {
  readonly label: string
  readonly description: string
  /** Leaves out those that were never started: they have no key yet. */
  readonly needsKey?: boolean
}

/** Chooses among collectors; not there while there are none to choose or to take off. */
export function CollectorsInput({ needsKey = false, ...input }: CollectorsInputProps) {
  const { data } = useQuery(q(CollectorsDocument, {}))
  const isChosen = (id: string) => input.value?.includes(id) ?? false
  const isOffered = ({ state }: CollectorRow): boolean =>
    state !== 'revoked' && !(needsKey && state === 'waiting')
  const offered = data?.collectors.filter((it) => isOffered(it) || isChosen(it.id)) ?? []
  if (offered.length === 0) return null
  return (
    <MultiSelect
      data={offered.map(({ id, name, state }) => ({
        value: id,
        label: state === 'revoked' ? `${name} (revoked)` : name,
      }))}
      {...input}
    />
  )
}
