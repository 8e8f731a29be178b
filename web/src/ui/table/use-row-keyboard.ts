import { useEffect, useState } from 'react'

interface RowKeyboard {
  readonly total: number
  readonly onOpen: (index: number) => void
  readonly onMark?: ((index: number) => void) | undefined
  readonly onEscape?: (() => void) | undefined
  readonly onPreview?: ((index: number) => void) | undefined
  /** Another row became the current one. */
  readonly onMove?: ((index: number) => void) | undefined
  /** The current row until another one is chosen; -1 for none. */
  readonly start?: number
  /** Further keys, which act on the current row. */
  readonly more?: Readonly<Record<string, (index: number) => void>>
  /** For a list that is a part of its screen, where arrows scroll: false, the keys are for another list. */
  readonly isMeant?: () => boolean
}

/**
 * j and k or the arrows move through rows, Enter opens one, p shows it beside the list, x marks it, Escape takes back what
 * was done last. Returns the index of the current row, -1 for none.
 */
export function useRowKeyboard(keyboard: RowKeyboard) {
  const { total, onOpen, onMark, onEscape, onPreview, onMove, more, start = -1, isMeant } = keyboard
  const [chosen, setCursor] = useState(-1)
  const cursor = chosen >= 0 ? chosen : start
  useEffect(() => {
    const move = (step: number) => {
      const next = Math.min(total - 1, Math.max(0, cursor + step))
      setCursor(next)
      onMove?.(next)
    }
    const acts: Readonly<Record<string, (() => void) | undefined>> = {
      j: () => move(1),
      ...(!isMeant && { ArrowDown: () => move(1), ArrowUp: () => move(-1) }),
      k: () => move(-1),
      x: onMark && (() => cursor >= 0 && onMark(cursor)),
      p: onPreview && (() => cursor >= 0 && onPreview(cursor)),
      Enter: () => cursor >= 0 && onOpen(cursor),
      Escape: () => (onEscape ? onEscape() : setCursor(-1)),
      ...Object.fromEntries(
        Object.entries(more ?? {}).map(([key, act]) => [key, () => cursor >= 0 && act(cursor)]),
      ),
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
  }, [total, cursor, onOpen, onMark, onEscape, onPreview, onMove, more, isMeant])
  return { cursor, setCursor }
}

/** Whether the key is for what has the focus, or for what is open above the list. */
const isElsewhere = ({ key, target }: KeyboardEvent): boolean =>
  (target instanceof HTMLElement &&
    target.matches(key === 'Enter' ? `${TYPED_INTO}, button, a, summary` : TYPED_INTO)) ||
  document.querySelector('[role="dialog"], [aria-expanded="true"]:not([data-stays])') !== null
const TYPED_INTO = 'input:not([type="checkbox"]), textarea, select'
