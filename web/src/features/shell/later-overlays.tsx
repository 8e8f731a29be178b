import { Suspense, useEffect, useState } from 'react'
import { lazyScreen } from '#api/lazy-screen.ts'

const CommandPalette = lazyScreen(() => import('./palette/command-palette.tsx'), 'CommandPalette')
const KeyboardShortcutsHelp = lazyScreen(
  () => import('./keyboard-shortcuts-help.tsx'),
  'KeyboardShortcutsHelp',
)

interface LaterOverlaysProps {
  readonly open: 'palette' | 'help' | undefined
  readonly onClose: () => void
}

/** What opens above every screen. It is loaded once the screen is there, or when it is asked for before. */
export function LaterOverlays({ open, onClose }: LaterOverlaysProps) {
  const isLoaded = useIdle() || open !== undefined
  if (!isLoaded) return null
  return (
    <Suspense>
      <CommandPalette isOpen={open === 'palette'} onClose={onClose} />
      <KeyboardShortcutsHelp isOpen={open === 'help'} onClose={onClose} />
    </Suspense>
  )
}

/** Whether the browser has had nothing else to do since the page was loaded. */
function useIdle(): boolean {
  const [isIdle, setIdle] = useState(false)
  useEffect(() => {
    // Safari cannot say when it is idle
    if (!('requestIdleCallback' in window)) {
      const timer = setTimeout(() => setIdle(true), LATER_MS)
      return () => clearTimeout(timer)
    }
    const request = requestIdleCallback(() => setIdle(true), { timeout: LATER_MS })
    return () => cancelIdleCallback(request)
  }, [])
  return isIdle
}
const LATER_MS = 3_000
