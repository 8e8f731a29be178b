import { useIsFetching } from '@tanstack/react-query'
import { Suspense, useEffect, useState } from 'react'
import { lazyScreen } from '#api/lazy-screen.ts'
import { TypedAhead, usePaletteText } from './palette/typed-ahead.tsx'

const loadPalette = () => import('./palette/command-palette.tsx')
const loadHelp = () => import('./keyboard-shortcuts-help.tsx')
const CommandPalette = lazyScreen(loadPalette, 'CommandPalette')
const KeyboardShortcutsHelp = lazyScreen(loadHelp, 'KeyboardShortcutsHelp')

interface LaterOverlaysProps {
  readonly open: 'palette' | 'help' | undefined
  readonly onClose: () => void
}

/** What opens above every screen. It is loaded once the screen is there, or when it is asked for before. */
export function LaterOverlays({ open, onClose }: LaterOverlaysProps) {
  const isPalette = open === 'palette'
  const [text, setText] = usePaletteText(isPalette, onClose)
  const isLoaded = useLoaded() || open !== undefined
  if (!isLoaded) return null
  return (
    <Suspense fallback={isPalette && <TypedAhead text={text} />}>
      <CommandPalette isOpen={isPalette} text={text} onText={setText} onClose={onClose} />
      <KeyboardShortcutsHelp isOpen={open === 'help'} onClose={onClose} />
    </Suspense>
  )
}

/**
 * Loads them when the screen waits for nothing and the browser has nothing else to do. Where that fails, the screen is
 * not to suffer from it.
 */
function useLoaded(): boolean {
  const [isLoaded, setLoaded] = useState(false)
  const isWaiting = useIsFetching() > 0
  useEffect(() => {
    if (isWaiting || isLoaded) return
    const load = (): void =>
      void Promise.all([loadPalette(), loadHelp()]).then(
        () => setLoaded(true),
        () => {},
      )
    // Safari cannot say when it is idle
    if (!('requestIdleCallback' in window)) {
      const timer = setTimeout(load, LATER_MS)
      return () => clearTimeout(timer)
    }
    const request = requestIdleCallback(load, { timeout: LATER_MS })
    return () => cancelIdleCallback(request)
  }, [isWaiting, isLoaded])
  return isLoaded
}
const LATER_MS = 3_000
