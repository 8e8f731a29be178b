import { useQueryClient, type QueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { isReachable, isUpgraded } from './client.ts'
import { sessionQuery } from './session.ts'
import { inTenant } from './tenant-url.ts'

const REFRESH_MS = 1_000
/** A browser connects again by itself after a broken connection, but not after a refusal, such as a proxy's 502. */
const RECONNECT_MS = 5_000

export interface Connection {
  /** News arrive. */
  readonly isLive: boolean
  /** The server does not answer at all. */
  readonly isAway: boolean
  /** The server has other pages than those that are open here. */
  readonly isOutdated: boolean
}

/**
 * Keeps what is shown true while scans run and assets arrive: every event marks the shown lists as old, at most once
 * a second. After an interruption everything is asked anew.
 */
export function useLiveUpdates(): Connection {
  const client = useQueryClient()
  const [connection, setConnection] = useState<Connection>({
    isLive: false,
    isAway: false,
    isOutdated: false,
  })
  useEffect(() => follow(client, (news) => setConnection((before) => ({ ...before, ...news }))), [client])
  return connection
}

/** Answers how to stop. */
function follow(client: QueryClient, tell: (news: Partial<Connection>) => void): () => void {
  let pending: ReturnType<typeof setTimeout> | undefined
  let next: ReturnType<typeof setTimeout> | undefined
  let stream: EventSource | undefined
  let wasLive = false
  const refresh = (): void => {
    pending ??= setTimeout(() => {
      pending = undefined
      void client.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'session' })
    }, REFRESH_MS)
  }
  const onOpen = (): void => {
    tell({ isLive: true, isAway: false })
    if (wasLive) {
      refresh()
      void isUpgraded().then((isOutdated) => tell({ isOutdated }))
    }
    wasLive = true
  }
  const onError = (): void => {
    tell({ isLive: false })
    void isReachable().then((isThere) =>
      tell({ isAway: !isThere && stream?.readyState !== EventSource.OPEN }),
    )
    if (stream?.readyState !== EventSource.CLOSED) return
    next = setTimeout(open, RECONNECT_MS)
    void leaveIfEnded(client)
  }
  const open = (): void => {
    stream?.close()
    stream = eventsOf({ onOpen, onError, onNews: refresh })
  }
  open()
  return () => {
    clearTimeout(pending)
    clearTimeout(next)
    stream?.close()
  }
}

/** A stream that is refused may be so because the session or the membership has ended: then nothing stays in sight. */
async function leaveIfEnded(client: QueryClient): Promise<void> {
  const session = await client.fetchQuery({ ...sessionQuery, staleTime: 0 }).catch(() => undefined)
  if (session === null || session?.tenant === null) location.reload()
}

interface Listeners {
  readonly onOpen: () => void
  readonly onError: () => void
  readonly onNews: () => void
}

function eventsOf({ onOpen, onError, onNews }: Listeners): EventSource {
  const stream = new EventSource(inTenant('/live'))
  const begun = new Set<string>()
  const hear = ({ type }: Event): void => {
    // the first event of a kind tells how it is now, which the screens have just asked
    if (begun.has(type)) onNews()
    begun.add(type)
  }
  stream.addEventListener('scan', hear)
  stream.addEventListener('assets', hear)
  stream.onopen = onOpen
  stream.onerror = onError
  return stream
}
