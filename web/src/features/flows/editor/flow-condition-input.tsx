import { TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useId, useRef, useState, type KeyboardEvent } from 'react'
import { FlowConditionCompletionsDocument } from '#api/generated/editor.ts'
import { q } from '#api/query-client.ts'
import { SuggestionList } from '#features/conditions/suggestion-list.tsx'
import { complete, stillFitting, type Answered, type Suggestion } from '#features/conditions/suggestions.ts'
import type { Definition } from '../flow-sentence.ts'
import styles from './flow-editor.module.css'

const TYPING_MS = 60
const NOTHING: Answered = { asked: '', from: 0, suggestions: [] }

interface FlowConditionInputProps {
  readonly label: string
  readonly description?: string
  readonly placeholder: string
  /** Which decides what may be asked as event.… */
  readonly trigger: Definition['trigger']
  readonly value: string
  readonly error: string | undefined
  readonly onChange: (text: string) => void
}

/** A condition as text, with suggestions for the place of the cursor. */
export function FlowConditionInput(props: FlowConditionInputProps) {
  const { label, description, placeholder, value, error, onChange } = props
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  const [cursor, setCursor] = useState<number>()
  const [active, setActive] = useState(-1)
  const { from, suggestions } = useFlowCompletion(props, cursor)
  const type = (text: string, at: number) => {
    onChange(text)
    setCursor(at)
    setActive(-1)
  }
  const choose = (suggestion: Suggestion) => {
    const completed = complete(value, { from, cursor: cursor ?? value.length }, suggestion)
    type(completed.text, completed.cursor)
    requestAnimationFrame(() => input.current?.setSelectionRange(completed.cursor, completed.cursor))
  }
  const close = () => {
    setCursor(undefined)
    setActive(-1)
  }
  return (
    <div className={styles['completed']}>
      <TextInput
        ref={input}
        role="combobox"
        aria-autocomplete="list"
        aria-expanded={suggestions.length > 0}
        aria-controls={`${id}-list`}
        aria-activedescendant={suggestions[active] && `${id}-${active}`}
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        {...{ label, description, placeholder, value, error }}
        onChange={({ currentTarget: it }) => type(it.value, it.selectionStart ?? it.value.length)}
        onClick={({ currentTarget: it }) => setCursor(it.selectionStart ?? it.value.length)}
        onBlur={close}
        onKeyDown={(event) => pressed(event, { suggestions, active, setActive, choose, close })}
      />
      <SuggestionList id={id} {...{ suggestions, active }} onChoose={choose} />
    </div>
  )
}

interface Popup {
  readonly suggestions: readonly Suggestion[]
  readonly active: number
  readonly setActive: (at: number) => void
  readonly choose: (suggestion: Suggestion) => void
  readonly close: () => void
}

function pressed(event: KeyboardEvent, { suggestions, active, setActive, choose, close }: Popup): void {
  if (suggestions.length === 0 || event.nativeEvent.isComposing) return
  const chosen = suggestions[active]
  if (event.key === 'ArrowDown') setActive((active + 1) % suggestions.length)
  else if (event.key === 'ArrowUp') setActive((active <= 0 ? suggestions.length : active) - 1)
  else if (event.key === 'Escape') close()
  else if ((event.key === 'Enter' || event.key === 'Tab') && chosen) choose(chosen)
  else return
  event.preventDefault()
}

/** Suggestions for the cursor, and where in the text what they replace begins; none without a cursor. */
function useFlowCompletion({ trigger, value }: FlowConditionInputProps, cursor: number | undefined) {
  const typed = value.slice(0, cursor)
  const [text] = useDebouncedValue(typed, TYPING_MS)
  const { data } = useQuery({
    ...q(FlowConditionCompletionsDocument, { trigger, text }),
    enabled: cursor !== undefined,
    retry: false,
  })
  const [last, setLast] = useState(NOTHING)
  const completion = data?.flowConditionCompletions
  if (completion && (last.asked !== text || last.suggestions !== completion.suggestions))
    setLast({ asked: text, from: completion.from, suggestions: completion.suggestions })
  return { from: last.from, suggestions: cursor === undefined ? [] : stillFitting(last, typed) }
}
