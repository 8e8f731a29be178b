import type { Socket } from 'node:net'
import { getCACertificates } from 'node:tls'
import type { buildConnector } from 'undici'
import connectorOf from 'undici/lib/core/connect.js'
import Client from 'undici/lib/dispatcher/client.js'
import { tolerateContinue, type InformationalResponses } from './informational-responses.ts'
import type { RequestPhase } from './request-phase.ts'

/** One HTTP/1.1 connection to one address, used by one request at a time. */
export interface Connection {
  readonly client: InstanceType<typeof Client>
  /** A request has been answered on it before, so the peer may be closing it at this moment. */
  readonly isReused: boolean
  readonly bytesRead: () => number
  /** To be called before each request. */
  readonly expectAnswer: () => void
  /** Ready for requests. */
  readonly isOpen: () => boolean
  /** What its request, not answered yet, is at: from `connect` to `wait`. */
  readonly phase: () => RequestPhase
  /** The error of a socket that reached an address which is not admitted. */
  readonly refusal: Error
  /** After a request: keeps it for the next one, or closes it. */
  readonly release: (isSound: boolean) => void
}

/** Connections by origin and pinned address, kept alive between requests. */
export interface Connections {
  /** Reuses an idle keep-alive connection if there is one. */
  readonly take: (url: URL, ip: string) => Connection
  readonly open: (url: URL, ip: string) => Connection
  readonly close: () => Promise<void>
}

/** Asked about the peer that a socket has really reached. */
type Admits = (ip: string, url: URL) => boolean

/** Shorter than common servers keep a connection (5 s), so that few die under a request. */
const KEEP_ALIVE_MS = 4_000
const KEEP_ALIVE_MAX_MS = 10_000
const HEADERS_MAX_BYTES = 16_384
const KEPT_MAX = 2_000

/** `ca`: certificate authorities beside the system's, PEM. */
export function openConnections(admits: Admits, ca?: string): Connections {
  const kept = new Map<string, Set<Kept>>()
  let keptCount = 0
  const connector = connectorOf({ allowH2: false, timeout: 0, ...trusting(ca) })

  const forget = (entry: Kept): void => {
    const peers = kept.get(entry.key)
    if (peers?.delete(entry) !== true) return
    keptCount -= 1
    if (peers.size === 0) kept.delete(entry.key)
  }
  const keep = (entry: Kept): void => {
    if (entry.client.destroyed || keptCount >= KEPT_MAX) return close(entry.client)
    keptCount += 1
    kept.set(entry.key, (kept.get(entry.key) ?? new Set()).add(entry))
  }
  const lend = (entry: Kept, isReused: boolean): Connection => ({
    ...entry,
    isReused,
    release: (isSound) => (isSound ? keep(entry) : close(entry.client)),
  })
  const open = (url: URL, ip: string): Kept => {
    const entry: Kept = { key: keyOf(url, ip), ...pinned(url, ip, connector, admits) }
    entry.client.on('disconnect', () => {
      forget(entry)
      close(entry.client)
    })
    return entry
  }
  return {
    take(url, ip) {
      const idle = kept.get(keyOf(url, ip))?.values().next().value
      if (!idle) return lend(open(url, ip), false)
      forget(idle)
      return lend(idle, true)
    },
    open: (url, ip) => lend(open(url, ip), false),
    async close() {
      const clients = [...kept.values()].flatMap((peers) => [...peers]).map((entry) => entry.client)
      kept.clear()
      await Promise.all(clients.map((client) => client.destroy()))
    },
  }
}

const keyOf = (url: URL, ip: string): string => `${url.origin} ${ip}`

type Pinned = Pick<Connection, 'client' | 'bytesRead' | 'expectAnswer' | 'isOpen' | 'phase' | 'refusal'>
type Kept = Pinned & { readonly key: string }

/** undici would open a second socket when the first is gone; each of these clients has one socket, or fails. */
function pinned(url: URL, ip: string, connector: buildConnector.connector, admits: Admits): Pinned {
  let socket: Socket | undefined
  let interim: InformationalResponses | undefined
  let stage: 'connect' | 'tls' | 'open' = 'connect'
  const gone = new Error('the connection is gone')
  const refusal = new Error('reached a refused address')
  const connect: buildConnector.connector = (target, callback) => {
    if (socket) return callback(gone, null)
    socket = connector({ ...target, hostname: ip }, (error, open) => {
      if (error) return callback(error, null)
      stage = 'open'
      interim = tolerateContinue(open)
      const peer = open.remoteAddress
      if (peer !== undefined && admits(peer, url)) return callback(null, open)
      open.destroy()
      callback(peer === undefined ? gone : refusal, null)
    }) as unknown as Socket
    if (url.protocol === 'https:') socket.once('connect', () => (stage = 'tls'))
  }
  const client = new Client(url.origin, {
    connect,
    allowH2: false,
    pipelining: 1,
    keepAliveTimeout: KEEP_ALIVE_MS,
    keepAliveMaxTimeout: KEEP_ALIVE_MAX_MS,
    headersTimeout: 0,
    bodyTimeout: 0,
    maxHeaderSize: HEADERS_MAX_BYTES,
  })
  return {
    client,
    bytesRead: () => socket?.bytesRead ?? 0,
    expectAnswer: () => interim?.expectAnswer(),
    isOpen: () => stage === 'open',
    phase: () => (stage !== 'open' ? stage : socket?.writableLength === 0 ? 'wait' : 'send'),
    refusal,
  }
}

const trusting = (ca: string | undefined): { ca?: string[] } =>
  ca === undefined ? {} : { ca: [...getCACertificates('default'), ca] }

const close = (client: Connection['client']): void => void client.destroy().catch(() => {})
