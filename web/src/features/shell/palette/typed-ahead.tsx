import { useEffect, useEffectEvent, useState } from 'react'
import styles from './typed-ahead.module.css'

/** The field of the command palette: what is pressed while it has the focus, it takes itself. */
export const PALETTE_FIELD = 'palette-field'

/**
 * The text of the command palette. What is pressed before its field has the focus belongs to it too: while its script
 * is loading, keys would else be lost, or be shortcuts of the screen behind.
 */
export function usePaletteText(isOpen: boolean, onClose: () => void) {
  const [text, setText] = useState('')
  const [wasOpen, setWasOpen] = useState(isOpen)
  // when it opens, not when it closes: it fades with what it shows
  if (wasOpen !== isOpen) {
    setWasOpen(isOpen)
    setText(isOpen ? '' : text)
  }
  const close = useEffectEvent(onClose)
  useEffect(() => {
    if (!isOpen) return
    const onKey = (event: KeyboardEvent) => {
      if (isInField(event) || event.ctrlKey || event.metaKey || event.altKey) return
      if (event.key.length === 1) setText((before) => before + event.key)
      else if (event.key === 'Backspace') setText((before) => before.slice(0, -1))
      else if (event.key === 'Escape') close()
      else if (event.key !== 'Enter') return
      event.preventDefault()
      event.stopPropagation()
    }
    // at the window, because the shortcuts of screens listen at the document
    window.addEventListener('keydown', onKey, true)
    return () => window.removeEventListener('keydown', onKey, true)
  }, [isOpen])
  return [text, setText] as const
}

const isInField = ({ target }: Event): boolean => target instanceof HTMLElement && target.id === PALETTE_FIELD

/** In place of the palette while its script is loading. */
export const TypedAhead = ({ text }: { readonly text: string }) => (
  <p role="status" className={styles['typed']}>
    {text === '' ? <span className="quiet">Loading…</span> : text}
  </p>
)
