import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { FlowEventMatchesDocument } from '#api/generated/editor.ts'
import { q } from '#api/query-client.ts'
import { many } from '#lib/numbers.ts'
import type { Definition } from '../flow-sentence.ts'

const TYPING_MS = 400
/** As many as the server looks at. */
const EVENTS_MAX = 200

interface EventMatchesProps {
  readonly trigger: Definition['trigger']
  readonly condition: string
}

/** How many of the newest events the condition lets through. */
export function EventMatches({ trigger, condition }: EventMatchesProps) {
  const [asked] = useDebouncedValue(condition, TYPING_MS)
  const { data } = useQuery({
    ...q(FlowEventMatchesDocument, { trigger, condition: asked }),
    enabled: (trigger.eventTypes ?? []).length > 0,
    placeholderData: keepPreviousData,
    retry: false,
  })
  const found = data?.flowEventMatches
  if (!found) return null
  const { events, matching } = found
  if (events === 0)
    return (
      <p className="quiet" role="status">
        No such event in the last 30 days.
      </p>
    )
  const which =
    events === EVENTS_MAX ? `the last ${EVENTS_MAX} events` : `${many(events, 'event')} of the last 30 days`
  return (
    <p className="quiet" role="status">
      <strong>{matching}</strong> of {which} would start it.
    </p>
  )
}
