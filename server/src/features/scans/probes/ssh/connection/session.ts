import type { Socket } from 'node:net'
import type { Access, HostKey } from '../../credential-access.ts'
import { offeredTo, weakOf } from './algorithms.ts'
import { reasonNotToTrust } from '../../host-key-check.ts'
import { dial, placeOf, type Place } from './tcp-connect.ts'
import { HostFailure } from './host-failure.ts'
import { algorithmOf, fingerprintOf } from './private-keys.ts'
import { Client, type Algorithms, type ClientType } from './ssh2-library.ts'
import { seconds, type Limits } from '../timeouts-and-limits.ts'
import { loginWith, type Login, type SshCredential } from './login.ts'

/** An authenticated connection to a host. */
export interface Session {
  readonly client: ClientType
  /** No credential was needed. */
  readonly isOpen: boolean
  readonly close: () => void
}

/** The address and port of an SSH server, with a TCP connection if one is open already. */
export interface SshTarget extends Place {
  readonly socket?: Socket
}

export interface SessionContext {
  readonly access: Access
  readonly signal: AbortSignal
  readonly limits: Limits
}

/** What the SSH handshake revealed of a host, whether or not a login followed. */
export interface HandshakeInfo {
  /** What the server calls itself: `SSH-2.0-OpenSSH_9.2p1 Debian-2`. */
  ident: string
  /** The banner before authentication (RFC 4252, 5.4). */
  banner: string
  /** By fingerprint: the host key of the handshake, and those that the host has proved to own since (UpdateHostKeys). */
  readonly keys: Map<string, HostKey>
  /** Algorithms in use that should not be any more. */
  weak: readonly string[]
}

export const newHandshakeInfo = (): HandshakeInfo => ({ ident: '', banner: '', keys: new Map(), weak: [] })

/** Length of the lines that a server may send before its version (RFC 4253, 4.2), in bytes; the RFC sets no limit. */
const PREAMBLE_BYTES_MAX = 16_384
const BANNER_LENGTH_MAX = 2_000
const HOST_KEYS_MAX = 16

/** Connects, checks the host key against the known one, and only then authenticates with one credential. */
export async function openSession(
  place: SshTarget,
  credential: SshCredential,
  handshake: HandshakeInfo,
  means: SessionContext,
): Promise<Session> {
  const client = new Client()
  // an end that comes late has nobody who waits for it
  client.on('error', () => undefined)
  const login = loginWith(credential, client)
  const socket = place.socket ?? (await dial(place, means))
  try {
    const algorithms = offeredTo(await means.access.knownAlgorithms?.(place.address, place.port))
    return await enter({
      client,
      socket,
      login,
      place,
      handshake,
      means,
      algorithms,
      username: credential.username,
      credential,
    })
  } catch (error) {
    client.destroy()
    socket.destroy()
    throw error
  }
}

interface Entry {
  readonly client: ClientType
  readonly socket: Socket
  readonly login: Login
  readonly place: Place
  readonly handshake: HandshakeInfo
  readonly means: SessionContext
  readonly username: string
  readonly credential: SshCredential
  readonly algorithms: Algorithms
}

function enter(entry: Entry): Promise<Session> {
  const { client, socket, login, means } = entry
  const { signal } = means
  let keyFailure: unknown
  return new Promise((resolve, reject) => {
    const settle = (act: () => void): void => {
      clearTimeout(timer)
      signal.removeEventListener('abort', onAbort)
      act()
    }
    const onAbort = (): void => settle(() => reject(signal.reason as Error))
    const timer = setTimeout(() => settle(() => reject(lateOf(entry))), means.limits.login)
    signal.addEventListener('abort', onAbort, { once: true })
    if (signal.aborted) onAbort()
    const failed = (error: Error): void =>
      settle(() => reject(keyFailure instanceof Error ? keyFailure : failureOf(entry, error)))
    client.on('error', failed)
    client.once('close', () => failed(new Error('the connection ended')))
    const close = (): void => {
      client.end()
      socket.destroy()
    }
    client.once('ready', () => settle(() => resolve({ client, isOpen: !login.shown, close })))
    hear(entry)
    greet(entry, (error) => void (keyFailure = error))
  })
}

/** Collects what the host sends beside the login: algorithms, banner, further host keys. */
function hear({ client, place, handshake }: Entry): void {
  client.on('handshake', (negotiated) => void (handshake.weak = weakOf(negotiated)))
  client.on('banner', (text) => void (handshake.banner = text.slice(0, BANNER_LENGTH_MAX)))
  client.on('hostkeys', (keys) => {
    // proved under a connection whose own key is known; only that one is pinned
    for (const key of keys.slice(0, HOST_KEYS_MAX)) {
      const proved = hostKeyOf(key.getPublicSSH(), place)
      handshake.keys.set(proved.fingerprint, proved)
    }
  })
}

/** Begins. The key is judged before the library goes on to the login. */
function greet(
  { client, socket, login, place, handshake, means, ...entry }: Entry,
  noKey: (error: unknown) => void,
): void {
  const know = async (key: Buffer): Promise<void> => {
    const shown = hostKeyOf(key, place)
    const verdict = await means.access.knowHostKey(shown, entry.credential)
    if (verdict === 'changed') throw keyChanged(shown)
    if (verdict === 'unknown' || verdict === 'refused')
      throw new HostFailure('key', reasonNotToTrust('host key', placeOf(shown), shown, verdict))
    handshake.keys.set(shown.fingerprint, shown)
  }
  let hasIdent = false
  let preambleBytes = 0
  client.connect({
    sock: socket,
    username: entry.username,
    algorithms: entry.algorithms,
    authHandler: login.handler,
    readyTimeout: 0,
    hostVerifier: (key: Buffer, verify: (isKnown: boolean) => void) => {
      know(key).then(
        () => verify(true),
        (error: unknown) => {
          noKey(error)
          verify(false)
        },
      )
    },
    debug: (line) => {
      const ident = identIn(line)
      if (ident !== '') hasIdent = true
      if (handshake.ident === '') handshake.ident = ident
    },
  })
  const bound = (chunk: Buffer): void => {
    preambleBytes += chunk.length
    if (hasIdent) socket.off('data', bound)
    else if (preambleBytes > PREAMBLE_BYTES_MAX) client.emit('error', new Error(PREAMBLE_TOO_LONG))
  }
  // after the library, which has read the version by then if it was in the chunk
  socket.on('data', bound)
}

const hostKeyOf = (key: Buffer, { address, port }: Place): HostKey => ({
  address,
  port,
  algorithm: algorithmOf(key),
  fingerprint: fingerprintOf(key),
})

const keyChanged = (key: HostKey): HostFailure =>
  new HostFailure(
    'key',
    `the host key of ${placeOf(key)} has changed: it shows the ${key.algorithm} key ${key.fingerprint}, which is ` +
      'not the one it is known by. Nothing secret was sent. If the machine was set up anew, accept its new key; if ' +
      'not, somebody may stand in its place',
  )

const PREAMBLE_TOO_LONG = `sent more than ${PREAMBLE_BYTES_MAX} bytes before its version`

const identIn = (line: string): string => /^Remote ident: (['"`])(SSH-.*)\1$/.exec(line)?.[2] ?? ''

function lateOf({ place, login, handshake, username, means }: Entry): HostFailure {
  const [where, when] = [placeOf(place), `in ${seconds(means.limits.login)}`]
  if (handshake.ident === '')
    return new HostFailure(
      'absent',
      `${where} accepts connections and says nothing ${when}: no SSH server, or one that hangs`,
    )
  if (!login.shown) return new HostFailure('absent', `${where} did not get as far as a login ${when}`)
  return new HostFailure('shell', `${where} did not answer the login of ${username} ${when}`)
}

/** `level` is how the library says what it was at. */
function failureOf(
  { place, login, handshake, username }: Entry,
  error: Error & { level?: string },
): HostFailure {
  const where = placeOf(place)
  const isAboutLogin = error.level === 'client-authentication' || error.message === login.why
  if (isAboutLogin) return new HostFailure('login', `${where} did not let ${username} in: ${login.why}`)
  if (error.message === PREAMBLE_TOO_LONG)
    return new HostFailure('absent', `${where} does not speak SSH: it ${PREAMBLE_TOO_LONG}`)
  if (handshake.ident === '') return new HostFailure('absent', `${where} does not speak SSH`)
  if (error.level === 'handshake')
    return new HostFailure(
      'absent',
      `${where} (${handshake.ident}) and this scanner agree on no algorithm or key: ${error.message.slice(0, 200)}`,
    )
  const reason = `the connection to ${where} ended before ${username} was let in`
  if (!login.shown) return new HostFailure('absent', reason)
  const isTold = 'code' in error && typeof error.code === 'number'
  return isTold
    ? new HostFailure('login', `${where} did not let ${username} in: ${error.message.slice(0, 200)}`)
    : new HostFailure('shell', reason)
}
