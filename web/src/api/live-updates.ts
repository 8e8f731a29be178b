import { useQueryClient, type QueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { isReachable, isUpgraded } from './client.ts'
import { sessionQuery } from './session.ts'
import { inTenant } from './tenant-url.ts'

const REFRESH_MS = 1_000
/** EventSource reconnects after a broken connection, but not after an HTTP error such as a proxy's 502. */
const RECONNECT_MS = 5_000

export interface Connection {
  /** The event stream is open. */
  readonly isLive: boolean
  /** The server is unreachable. */
  readonly isAway: boolean
  /** The server was upgraded since this page was loaded. */
  readonly isOutdated: boolean
}

/** Server-sent events: each event invalidates all queries, at most once a second, and so does a reconnection. */
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

/** Opens the event stream; the returned function closes it. */
function follow(client: QueryClient, report: (news: Partial<Connection>) => void): () => void {
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
    report({ isLive: true, isAway: false })
    if (wasLive) {
      refresh()
      void isUpgraded().then((isOutdated) => report({ isOutdated }))
    }
    wasLive = true
  }
  const onError = (): void => {
    report({ isLive: false })
    void isReachable().then((isThere) =>
      report({ isAway: !isThere && stream?.readyState !== EventSource.OPEN }),
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

/**
 * A refused event stream may mean that the session or the membership has ended: then the page is reloaded, which
 * discards all data.
 */
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
    // the first event of a type is the current state, which the screens have just loaded
    if (begun.has(type)) onNews()
    begun.add(type)
  }
  stream.addEventListener('scan', hear)
  stream.addEventListener('assets', hear)
  stream.onopen = onOpen
  stream.onerror = onError
  return stream
}
