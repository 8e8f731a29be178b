import { useEffect, useState } from 'react'
import { isReachable } from '#api/client.ts'
import { ApiError } from '#api/errors.ts'
import { Page } from '#ui/page.tsx'
import { LoadError } from '#ui/load-error.tsx'

const RETRY_MS = [1_000, 2_000, 4_000, 8_000, 15_000] as const
/** Minimum time between two automatic reloads of a URL, which prevents a reload loop. */
const QUIET_MS = 20_000
const RELOADED = 'rollcall-reloaded'

/** In place of a screen whose script failed to load: reloads the page once the server answers. */
export function ChunkLoadErrorScreen() {
  const [isAway, setAway] = useState(false)
  const [attempt, setAttempt] = useState(0)
  useEffect(() => {
    let isOver = false
    let timer: ReturnType<typeof setTimeout> | undefined
    const again = (): void => setAttempt((it) => it + 1)
    void isReachable().then((isThere) => {
      if (isOver) return
      setAway(!isThere)
      if (isThere && (isAway || mayReload())) reload()
      if (!isThere) timer = setTimeout(again, RETRY_MS[Math.min(attempt, RETRY_MS.length - 1)])
    })
    window.addEventListener('online', again)
    return () => {
      isOver = true
      clearTimeout(timer)
      window.removeEventListener('online', again)
    }
  }, [attempt, isAway])
  return (
    <Page title="Not loaded">
      <LoadError
        error={isAway ? AWAY : FAILED}
        onRetry={isAway ? () => setAttempt((it) => it + 1) : reload}
      />
    </Page>
  )
}

const AWAY = new ApiError(
  'unreachable',
  'The server cannot be reached. This screen comes by itself as soon as it answers',
)
const FAILED = new ApiError('not_loaded', 'A part of this screen could not be loaded')

function mayReload(): boolean {
  try {
    const [address, at] = (sessionStorage.getItem(RELOADED) ?? '').split(' ')
    return address !== location.href || Date.now() - Number(at) > QUIET_MS
  } catch {
    return false // without storage it is unknown whether a reload was tried already
  }
}

function reload(): void {
  try {
    sessionStorage.setItem(RELOADED, `${location.href} ${Date.now()}`)
  } catch {
    // without storage only the person can reload
  }
  location.reload()
}
