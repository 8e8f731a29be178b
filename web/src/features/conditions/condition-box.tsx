import { ActionIcon } from '@mantine/core'
import { Search, X } from 'lucide-react'
import { useEffect, useId, useRef, type RefObject } from 'react'
import styles from './condition-box.module.css'
import { ConditionChips } from './condition-chips.tsx'
import { ConditionLine } from './condition-line.tsx'
import { SuggestionList } from './suggestion-list.tsx'
import { useConditionDraft, type DraftProps } from './use-condition-draft.ts'
import { useSuggestions } from './use-suggestions.ts'

interface ConditionBoxProps extends DraftProps {
  readonly label: string
  readonly placeholder: string
  /** Shown below the box while nothing is asked. */
  readonly hint: string
  /** Told of all that stands in the box, also of what is typed and not applied yet. */
  readonly onWritten?: (condition: string) => void
}

/**
 * One field for words to search for and for conditions, with suggestions for the place of the cursor. Each term that
 * is applied is a chip; below stands for how many the condition holds, or what is wrong with it.
 */
export function ConditionBox(props: ConditionBoxProps) {
  const { subject, label, placeholder, hint, onWritten } = props
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  const state = useConditionDraft(props)
  const popup = useSuggestions(props.subject, state, input)
  const { written } = state
  useEffect(() => onWritten?.(written), [written, onWritten])
  const isEmpty = state.terms.length === 0 && state.draft === ''
  return (
    <div className={styles['root']} role="search">
      <div className={styles['box']} data-faulty={state.fault !== undefined || undefined}>
        <Search size={14} aria-hidden className={styles['icon']} />
        <ConditionChips
          terms={state.terms}
          editing={state.editing}
          onRemove={state.remove}
          onEdit={(at) => {
            state.edit(at)
            input.current?.focus()
          }}
        />
        <TextField
          id={id}
          input={input}
          label={label}
          placeholder={isEmpty ? placeholder : ''}
          {...{ state, popup }}
        />
        {isEmpty ? (
          <kbd className={styles['key']}>/</kbd>
        ) : (
          <ActionIcon
            variant="subtle"
            color="gray"
            size="sm"
            aria-label="Clear the condition"
            onClick={state.clear}
          >
            <X size={14} aria-hidden />
          </ActionIcon>
        )}
      </div>
      <SuggestionList id={id} suggestions={popup.suggestions} active={popup.active} onChoose={popup.choose} />
      <ConditionLine id={`${id}-line`} subject={subject} state={state} hint={hint} />
    </div>
  )
}

interface TextFieldProps {
  readonly id: string
  readonly input: RefObject<HTMLInputElement | null>
  readonly label: string
  readonly placeholder: string
  readonly state: ReturnType<typeof useConditionDraft>
  readonly popup: ReturnType<typeof useSuggestions>
}

/** The text field, as a combobox of the ARIA patterns: the focus stays in it while suggestions are chosen. */
function TextField({ id, input, label, placeholder, state, popup }: TextFieldProps) {
  return (
    <input
      ref={input}
      type="search"
      className={styles['input']}
      role="combobox"
      aria-label={label}
      aria-autocomplete="list"
      aria-expanded={popup.suggestions.length > 0}
      aria-controls={`${id}-list`}
      aria-activedescendant={popup.active === -1 ? undefined : `${id}-${popup.active}`}
      aria-describedby={`${id}-line`}
      aria-invalid={state.fault !== undefined || undefined}
      autoComplete="off"
      autoCapitalize="off"
      spellCheck={false}
      placeholder={placeholder}
      value={state.draft}
      onChange={({ target }) => popup.type(target.value, target.selectionStart)}
      onSelect={({ currentTarget }) => popup.moveTo(currentTarget.selectionStart)}
      onFocus={state.use}
      onClick={popup.open}
      onBlur={popup.close}
      onKeyDown={popup.onKeyDown}
      // a dialog around it does not close when Escape closes the suggestions
      data-mantine-stop-propagation={popup.suggestions.length > 0}
    />
  )
}
