import { X } from 'lucide-react'
import styles from './condition-chips.module.css'
import { describeTerm } from './describe-term.ts'

interface ConditionChipsProps {
  readonly terms: readonly string[]
  /** The term that stands in the field meanwhile. */
  readonly editing: number | undefined
  readonly onEdit: (at: number) => void
  readonly onRemove: (at: number) => void
}

/** The terms of a condition in words; each can be edited and removed. */
export function ConditionChips({ terms, editing, onEdit, onRemove }: ConditionChipsProps) {
  if (terms.length === 0) return null
  return (
    <ul className={styles['chips']} aria-label="Terms of the condition">
      {terms.map((term, at) => {
        const { field, comparison, value } = describeTerm(term)
        const words = [field, comparison, value].filter(Boolean).join(' ')
        return (
          <li key={`${at} ${term}`} className={styles['chip']} data-editing={at === editing || undefined}>
            <button
              type="button"
              className={styles['words']}
              aria-label={`Edit ${words}`}
              title={term}
              onClick={() => onEdit(at)}
            >
              <span className={styles['field']}>{field}</span>
              {comparison && <span className={styles['comparison']}> {comparison}</span>}
              {value && <span> {value}</span>}
            </button>
            <button
              type="button"
              className={styles['remove']}
              aria-label={`Remove ${words}`}
              onClick={() => onRemove(at)}
            >
              <X size={13} aria-hidden />
            </button>
          </li>
        )
      })}
    </ul>
  )
}
