import { useState, type KeyboardEvent, type RefObject } from 'react'
import type { ConditionSubject } from '#api/generated/enums-and-inputs.ts'
import { contextOf } from './draft.ts'
import { complete, type Suggestion } from './suggestions.ts'
import { useCompletion } from './use-completion.ts'
import type { useConditionDraft } from './use-condition-draft.ts'

type DraftState = ReturnType<typeof useConditionDraft>

/** The suggestions for the cursor of a condition box, and what its keys do. */
export function useSuggestions(
  subject: ConditionSubject,
  state: DraftState,
  input: RefObject<HTMLInputElement | null>,
) {
  const [isOpen, setOpen] = useState(false)
  const [cursor, setCursor] = useState(0)
  const [active, setActive] = useState(-1)
  const { draft } = state
  const at = Math.min(cursor, draft.length)
  const { from, suggestions } = useSuggested(subject, state, { typed: draft.slice(0, at), isOpen })
  const close = () => {
    setOpen(false)
    setActive(-1)
  }
  const type = (text: string, position: number | null) => {
    state.type(text)
    setCursor(position ?? text.length)
    setOpen(true)
    setActive(-1)
  }
  const choose = (suggestion: Suggestion) => {
    const completed = complete(draft, { from, cursor: at }, suggestion)
    type(completed.text, completed.cursor)
    input.current?.focus()
    requestAnimationFrame(() => placeCursor(input.current, completed))
    if (!completed.isWhole) return
    close()
    void state.commit(completed.text)
  }
  const move = (to: number) => {
    setOpen(true)
    setActive(to)
  }
  const blur = () => input.current?.blur()
  const keys = keysOf(state, { suggestions, active, choose, close, move, blur })
  return {
    suggestions,
    active: suggestions[active] ? active : -1,
    choose,
    close,
    type,
    open: () => setOpen(true),
    moveTo: (position: number | null) => setCursor(position ?? draft.length),
    onKeyDown: (event: KeyboardEvent) => {
      if (!event.nativeEvent.isComposing && keys[event.key]?.()) event.preventDefault()
    },
  }
}

/** Who has typed on in the meantime keeps their cursor. */
function placeCursor(
  input: HTMLInputElement | null,
  completed: { readonly text: string; readonly cursor: number },
) {
  const { text, cursor } = completed
  if (input?.value === text) input.setSelectionRange(cursor, cursor)
}

function useSuggested(
  subject: ConditionSubject,
  { draft, terms, editing }: DraftState,
  asked: { readonly typed: string; readonly isOpen: boolean },
) {
  const context = editing === undefined ? contextOf(terms, draft) : ''
  return useCompletion({ subject, context, ...asked })
}

interface Popup {
  readonly suggestions: readonly Suggestion[]
  readonly active: number
  readonly choose: (suggestion: Suggestion) => void
  readonly close: () => void
  readonly move: (to: number) => void
  readonly blur: () => void
}

/** What the keys do; each answers whether it did something. */
function keysOf(state: DraftState, popup: Popup): Readonly<Record<string, () => boolean>> {
  const { suggestions, active, choose, close, move, blur } = popup
  const { draft, terms, editing } = state
  const chosen = suggestions[active]
  const take = () => {
    if (chosen) choose(chosen)
    return chosen !== undefined
  }
  return {
    ArrowDown: () => {
      move(suggestions.length === 0 ? -1 : (active + 1) % suggestions.length)
      return true
    },
    ArrowUp: () => {
      if (suggestions.length > 0) move((active <= 0 ? suggestions.length : active) - 1)
      return suggestions.length > 0
    },
    Tab: take,
    Enter: () => {
      if (take()) return true
      close()
      void state.commit()
      return true
    },
    Escape: () => {
      if (suggestions.length > 0) close()
      else if (editing === undefined) blur()
      else state.edit(undefined)
      return true
    },
    Backspace: () => {
      const isBehindChip = draft === '' && editing === undefined && terms.length > 0
      if (isBehindChip) state.edit(terms.length - 1)
      return isBehindChip
    },
  }
}
