import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { inTenant } from './tenant.ts'

const REFRESH_MS = 1_000

/**
 * Keeps what is shown true while scans run and assets arrive: every event marks the shown lists as old, at most once
 * a second. The browser connects again by itself. Answers whether it is connected.
 */
export function useLive(): boolean {
  const client = useQueryClient()
  const [isLive, setLive] = useState(false)
  useEffect(() => {
    const stream = new EventSource(inTenant('/live'))
    let pending: ReturnType<typeof setTimeout> | undefined
    const begun = new Set<string>()
    const refresh = ({ type }: Event) => {
      // the first event of a kind tells how it is now, which the screens have just asked
      if (!begun.has(type)) return void begun.add(type)
      pending ??= setTimeout(() => {
        pending = undefined
        void client.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'session' })
      }, REFRESH_MS)
    }
    stream.addEventListener('scan', refresh)
    stream.addEventListener('assets', refresh)
    stream.onopen = () => setLive(true)
    stream.onerror = () => setLive(false)
    return () => {
      clearTimeout(pending)
      stream.close()
    }
  }, [client])
  return isLive
}
