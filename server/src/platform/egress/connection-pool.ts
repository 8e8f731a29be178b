import { getCACertificates } from 'node:tls'
import connectorOf from 'undici/lib/core/connect.js'
import { openConnection, type Connection } from './http1/connection.ts'

/** Connections by origin and pinned address, kept alive between requests. */
export interface Connections {
  /** Reuses an idle keep-alive connection if there is one; none for a minute after the peer dropped one under a request. */
  readonly take: (url: URL, ip: string) => Lent
  readonly open: (url: URL, ip: string) => Lent
  readonly close: () => void
}

/** A connection for one request. */
export interface Lent extends Pick<Connection, 'send' | 'phase'> {
  /** After a request: keeps it so long for the next one, or closes it. */
  readonly release: (keptMs: number) => void
}

/** Asked about the peer that a socket has really reached. */
type Admits = (ip: string, url: URL) => boolean

const KEPT_MAX = 2_000
/** How often those that were kept long enough are closed. */
const SWEEP_MS = 500
/** How long no connection is kept to a peer that dropped one under a request. */
const UNKEPT_MS = 60_000

/** `ca`: certificate authorities beside the system's, PEM. */
export function openConnections(admits: Admits, ca?: string): Connections {
  const kept = openKept()
  const droppers = openDroppers()
  const connector = connectorOf({ allowH2: false, timeout: 0, ...trusting(ca) })

  const open = (url: URL, ip: string): Lent => {
    const key = keyOf(url, ip)
    const onDropped = () => droppers.add(key)
    const connection = openConnection(url, ip, {
      connector,
      admits,
      onClosed: () => kept.forget(lent),
      onDropped,
    })
    const lent: Idle = {
      key,
      keptUntil: 0,
      send: connection.send,
      phase: connection.phase,
      close: connection.close,
      release: (keptMs) =>
        keptMs > 0 && kept.hasRoom() && !droppers.has(key) ? kept.keep(lent, keptMs) : connection.close(),
    }
    return lent
  }
  return {
    take(url, ip) {
      const key = keyOf(url, ip)
      return (droppers.has(key) ? undefined : kept.take(key)) ?? open(url, ip)
    },
    open,
    close: () => kept.close(),
  }
}

interface Idle extends Lent, Pick<Connection, 'close'> {
  readonly key: string
  keptUntil: number
}

const keyOf = ({ protocol, host }: URL, ip: string): string => `${protocol}//${host} ${ip}`

/** The last one used is the first to be used again, so that those that are not needed grow old. */
function openKept() {
  const idle = new Map<string, Idle[]>()
  let count = 0
  let sweeping: NodeJS.Timeout | undefined

  const forget = (connection: Idle): void => {
    const its = idle.get(connection.key)
    const at = its?.indexOf(connection) ?? -1
    if (!its || at < 0) return
    its.splice(at, 1)
    count -= 1
    if (its.length === 0) idle.delete(connection.key)
  }
  const closeWhere = (isMeant: (connection: Idle) => boolean): void => {
    // each is forgotten as it closes
    for (const connection of [...idle.values()].flat()) if (isMeant(connection)) connection.close()
  }
  const sweep = (): void => {
    const now = performance.now()
    closeWhere((it) => it.keptUntil <= now)
    sweeping = count > 0 ? setTimeout(sweep, SWEEP_MS).unref() : undefined
  }
  return {
    forget,
    hasRoom: () => count < KEPT_MAX,
    keep(connection: Idle, keptMs: number): void {
      connection.keptUntil = performance.now() + keptMs
      const its = idle.get(connection.key)
      if (its) its.push(connection)
      else idle.set(connection.key, [connection])
      count += 1
      sweeping ??= setTimeout(sweep, SWEEP_MS).unref()
    },
    take(key: string): Idle | undefined {
      const last = idle.get(key)?.at(-1)
      if (!last) return undefined
      forget(last)
      if (last.keptUntil > performance.now()) return last
      last.close()
      return this.take(key)
    },
    close(): void {
      clearTimeout(sweeping)
      closeWhere(() => true)
    },
  }
}

/** Peers that dropped a connection under a request a short time ago; of very many the latest. */
function openDroppers() {
  const untilByKey = new Map<string, number>()
  return {
    has: (key: string) => (untilByKey.get(key) ?? 0) > performance.now(),
    add(key: string): void {
      untilByKey.delete(key)
      const [oldest] = untilByKey.size < KEPT_MAX ? [] : untilByKey.keys()
      if (oldest !== undefined) untilByKey.delete(oldest)
      untilByKey.set(key, performance.now() + UNKEPT_MS)
    },
  }
}

const trusting = (ca: string | undefined): { ca?: string[] } =>
  ca === undefined ? {} : { ca: [...getCACertificates('default'), ca] }
