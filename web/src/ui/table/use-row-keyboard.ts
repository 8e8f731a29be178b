import { useEffect, useState } from 'react'

interface RowKeyboard {
  readonly total: number
  readonly onOpen: (index: number) => void
  readonly onMark?: (index: number) => void
  readonly onEscape?: () => void
  /** For a list that is a part of its screen, where arrows scroll: false, the keys are for another list. */
  readonly isMeant?: () => boolean
}

/**
 * j and k or the arrows move through rows, Enter opens one, x marks it, Escape clears the marks. Returns the index of the
 * current row, -1 for none.
 */
export function useRowKeyboard({ total, onOpen, onMark, onEscape, isMeant }: RowKeyboard) {
  const [cursor, setCursor] = useState(-1)
  useEffect(() => {
    const move = (step: number) => setCursor((at) => Math.min(total - 1, Math.max(0, at + step)))
    const acts: Readonly<Record<string, () => void>> = {
      j: () => move(1),
      ...(!isMeant && { ArrowDown: () => move(1), ArrowUp: () => move(-1) }),
      k: () => move(-1),
      x: () => cursor >= 0 && onMark?.(cursor),
      Enter: () => cursor >= 0 && onOpen(cursor),
      Escape: () => (onEscape ? onEscape() : setCursor(-1)),
    }
    const onKey = (event: KeyboardEvent) => {
      const act = acts[event.key]
      if (
        !act ||
        event.defaultPrevented ||
        event.ctrlKey ||
        event.metaKey ||
        event.altKey ||
        isElsewhere(event) ||
        isMeant?.() === false
      )
        return
      event.preventDefault()
      act()
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [total, cursor, onOpen, onMark, onEscape, isMeant])
  return { cursor }
}

/** Whether the key is for what has the focus, or for what is open above the list. */
const isElsewhere = ({ key, target }: KeyboardEvent): boolean =>
  (target instanceof HTMLElement &&
    target.matches(key === 'Enter' ? `${TYPED_INTO}, button, a, summary` : TYPED_INTO)) ||
  document.querySelector('[role="dialog"], [aria-expanded="true"]') !== null
const TYPED_INTO = 'input:not([type="checkbox"]), textarea, select'
