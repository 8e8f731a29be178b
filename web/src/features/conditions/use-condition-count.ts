import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { ApiError, messageOf } from '#api/errors.ts'
import { ConditionCountDocument, type ConditionCountData } from '#api/generated/conditions.ts'
import type { ConditionSubject } from '#api/generated/enums-and-inputs.ts'
import { q } from '#api/query-client.ts'
import { readFault, type Fault } from './draft.ts'

const TYPING_MS = 200

interface Counted {
  readonly count: ConditionCountData['conditionCount'] | undefined
  readonly fault: Fault | undefined
}

/** For how many a condition holds, while it is being typed; an answer to an earlier text is dropped. Empty asks nothing. */
export function useConditionCount(subject: ConditionSubject, where: string): Counted {
  const [asked] = useDebouncedValue(where, TYPING_MS)
  const { data, error } = useQuery({
    ...q(ConditionCountDocument, { subject, where: asked }),
    enabled: asked !== '',
  })
  if (asked !== where || where === '') return { count: undefined, fault: undefined }
  return { count: data?.conditionCount, fault: faultOf(error) }
}

/** The fault of a condition that the server refused; undefined for every other error. */
export const faultOf = (error: unknown): Fault | undefined =>
  error instanceof ApiError && error.field === 'where' ? readFault(messageOf(error)) : undefined
