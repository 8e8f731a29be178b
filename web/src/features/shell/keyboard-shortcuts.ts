import { useNavigate } from '@tanstack/react-router'
import { useEffect, useEffectEvent } from 'react'
import { navigationItems } from './navigation/navigation.ts'

const SEQUENCE_MS = 1_200
/** Time stamps count from when the page began to load: 0 is not long ago for a key that is pressed at once. */
const LONG_AGO = -Infinity

interface Shortcuts {
  readonly onPalette: () => void
  readonly onHelp: () => void
}

/** Global keyboard shortcuts; while the focus is in an input, only the one of the command palette. */
export function useKeyboardShortcuts({ onPalette, onHelp }: Shortcuts): void {
  const navigate = useNavigate()
  const openPalette = useEffectEvent(onPalette)
  const openHelp = useEffectEvent(onHelp)
  useEffect(() => {
    let leader = LONG_AGO
    const onKey = (event: KeyboardEvent) => {
      if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'k')
        return handle(event, openPalette)
      if (event.ctrlKey || event.metaKey || event.altKey || isBusy(event.target)) return
      const item = navigationItems.find(({ key }) => key === event.key)
      if (event.timeStamp - leader < SEQUENCE_MS && item) handle(event, () => void navigate({ to: item.to }))
      else if (event.key === '/') handle(event, () => focusSearch() || openPalette())
      else if (event.key === '?') handle(event, openHelp)
      leader = event.key === 'g' ? event.timeStamp : LONG_AGO
    }
    // in the capture phase, so that handlers of screens do not get the handled keys
    document.addEventListener('keydown', onKey, true)
    return () => document.removeEventListener('keydown', onKey, true)
  }, [navigate])
}

function handle(event: KeyboardEvent, act: () => unknown): void {
  event.preventDefault()
  act()
}

/** Focuses the search box of the screen; false if there is none. */
function focusSearch(): boolean {
  const box = document.querySelector<HTMLInputElement>('main input[type="search"]')
  box?.focus()
  box?.select()
  return box !== null
}

const isBusy = (target: EventTarget | null): boolean =>
  (target instanceof HTMLElement && target.matches('input, textarea, select, [contenteditable]')) ||
  document.querySelector('[role="dialog"]') !== null
