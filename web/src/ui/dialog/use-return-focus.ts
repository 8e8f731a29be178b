import { useEffect, useState } from 'react'

/**
 * For dialogs that are mounted when they open: when they go, the focus returns to where it was, or to the content if
 * that is gone as well, so that Tab does not begin at the top of the page. Dialogs that stay mounted do it themselves.
 */
export function useReturnFocus(): void {
  const [before] = useState(() => document.activeElement)
  useEffect(
    () => () => {
      // after the dialog has been taken out of the page
      requestAnimationFrame(() => {
        if (document.activeElement !== document.body) return
        const next =
          before?.isConnected && before !== document.body ? before : document.getElementById('content')
        if (next instanceof HTMLElement) next.focus({ preventScroll: true })
      })
    },
    [before],
  )
}
