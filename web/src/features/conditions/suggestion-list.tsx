import { useEffect, useRef } from 'react'
import { count } from '#lib/numbers.ts'
import styles from './suggestion-list.module.css'
import type { Suggestion } from './suggestions.ts'

interface SuggestionListProps {
  readonly id: string
  readonly suggestions: readonly Suggestion[]
  /** Index of the one that Enter takes; -1 for none. */
  readonly active: number
  readonly onChoose: (suggestion: Suggestion) => void
}

/** What may stand at the cursor; values with how often they occur. */
export function SuggestionList({ id, suggestions, active, onChoose }: SuggestionListProps) {
  const list = useRef<HTMLDivElement>(null)
  useEffect(() => {
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' })
  }, [active])
  return (
    <div
      ref={list}
      id={`${id}-list`}
      role="listbox"
      aria-label="Suggestions"
      className={styles['list']}
      hidden={suggestions.length === 0}
    >
      {suggestions.map((suggestion, at) => (
        <div
          key={`${suggestion.kind} ${suggestion.text}`}
          id={`${id}-${at}`}
          role="option"
          tabIndex={-1}
          aria-selected={at === active}
          className={styles['option']}
          data-kind={suggestion.kind}
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => onChoose(suggestion)}
          onKeyDown={() => undefined}
        >
          <span className={styles['text']}>{suggestion.text}</span>
          <span className={styles['detail']}>{detailOf(suggestion)}</span>
        </div>
      ))}
    </div>
  )
}

/** Of a value how often it occurs, unless it is one that is only known to be possible. */
function detailOf({ kind, detail }: Suggestion): string {
  if (kind !== 'value' || !/^\d+$/.test(detail)) return detail
  return detail === '0' ? '' : count(Number(detail))
}
