import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { FlowFaultsDocument } from '#api/generated/editor.ts'
import { q } from '#api/query-client.ts'
import type { Definition } from '../flow-sentence.ts'

const TYPING_MS = 300

/** What is wrong with the definition, by place; undefined while it is not known. */
export function useFlowFaults(definition: Definition): ReadonlyMap<string, string> | undefined {
  const [settled] = useDebouncedValue(definition, TYPING_MS)
  const { data } = useQuery({
    ...q(FlowFaultsDocument, { definition: settled }),
    placeholderData: keepPreviousData,
  })
  return data && new Map(data.flowFaults.map(({ place, message }) => [place, message]))
}
