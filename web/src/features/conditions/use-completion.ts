import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ConditionCompletionsDocument } from '#api/generated/conditions.ts'
import type { ConditionSubject } from '#api/generated/enums-and-inputs.ts'
import { q } from '#api/query-client.ts'
import { stillFitting, withClosing, type Answered, type Suggestion } from './suggestions.ts'

const TYPING_MS = 60

interface Asked {
  readonly subject: ConditionSubject
  /** What stands before the draft, which the person does not see in the field. */
  readonly context: string
  /** The draft up to the cursor. */
  readonly typed: string
  readonly isOpen: boolean
}

/** Suggestions for the cursor, and where in the draft what they replace begins. */
export function useCompletion({ subject, context, typed, isOpen }: Asked): {
  readonly from: number
  readonly suggestions: readonly Suggestion[]
} {
  const text = context + typed
  const [asked] = useDebouncedValue(text, TYPING_MS)
  const { data } = useQuery({
    ...q(ConditionCompletionsDocument, { subject, text: asked, cursor: asked.length }),
    enabled: isOpen,
  })
  const [last, setLast] = useState<Answered>({ asked: '', from: 0, suggestions: [] })
  const completion = data?.conditionCompletions
  if (completion && (last.asked !== asked || last.suggestions !== completion.suggestions))
    setLast({ asked, from: completion.from, suggestions: completion.suggestions })
  if (!isOpen) return { from: 0, suggestions: [] }
  return {
    from: Math.max(0, last.from - context.length),
    suggestions: withClosing(stillFitting(last, text), text),
  }
}
