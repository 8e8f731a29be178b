import { useLocation } from '@tanstack/react-router'
import { useEffect, useEffectEvent } from 'react'

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** The form of the screen, for a new one of what it lists, is wanted at once. */
    readonly opensForm?: boolean
  }
}

/** Opens the form of a screen for those who came for it, from the command palette. */
export function useFormOnArrival(open: () => void): void {
  const { state } = useLocation()
  const openForm = useEffectEvent(open)
  useEffect(() => {
    if (state.opensForm) openForm()
  }, [state.opensForm, state.key])
}
