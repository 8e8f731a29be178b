import type { Socket } from 'node:net'
import { connect as connectTls, type PeerCertificate, type TLSSocket } from 'node:tls'
import { CountedSocket } from '../../touches/counted-socket.ts'
import type { TouchCounter } from '../../touches/touch-counter.ts'

/** One connection to one open port: at most one message is sent, and the response is bounded. */
export interface TcpRequest {
  readonly address: string
  readonly port: number
  readonly isTls?: boolean
  /** Absent: the server sends first, as SSH and FTP do. */
  readonly say?: Buffer | string
  /** Beyond, no more is read. */
  readonly octetsMax: number
  readonly timeoutMs: number
  /** Whether the response is complete. */
  readonly isEnough?: (received: Buffer) => boolean
  readonly touches?: TouchCounter | undefined
}

export interface TcpResponse {
  readonly bytes: Buffer
  readonly certificate?: PeerCertificate
}

/** How long the server may take to close its half before the socket is destroyed. */
const CLOSE_MS = 1_000

/**
 * The response until the server closes, `isEnough`, or the time-out; undefined without any data or certificate. Never
 * throws. The connection is closed by FIN, not reset: small network stacks are known to mishandle resets.
 */
export function sendTcpRequest(it: TcpRequest, signal: AbortSignal): Promise<TcpResponse | undefined> {
  return new Promise((resolve) => {
    const received: Buffer[] = []
    let octets = 0
    let certificate: PeerCertificate | undefined
    const carrier = new CountedSocket(it.address, it.touches)
    carrier.connect({ host: it.address, port: it.port })
    const socket = it.isTls ? openTls(carrier) : carrier
    const over = (): void => {
      clearTimeout(timer)
      signal.removeEventListener('abort', giveUp)
      const bytes = Buffer.concat(received)
      resolve(octets > 0 || certificate ? { bytes, ...(certificate && { certificate }) } : undefined)
    }
    const giveUp = (): void => {
      over()
      socket.destroy()
    }
    const timer = setTimeout(giveUp, it.timeoutMs)
    signal.addEventListener('abort', giveUp, { once: true })
    socket.once(it.isTls ? 'secureConnect' : 'connect', () => {
      if (it.isTls) certificate = shownBy(socket as TLSSocket)
      if (it.say !== undefined) socket.write(it.say)
    })
    socket.on('data', (bytes: Buffer) => {
      if (octets >= it.octetsMax) return socket.destroy()
      octets += bytes.length
      received.push(bytes)
      if (octets < it.octetsMax && !it.isEnough?.(Buffer.concat(received))) return undefined
      over()
      return void carrier.note().then(() => closeInFull(socket))
    })
    socket.on('error', over)
    socket.once('end', () => void carrier.note().then(() => socket.end()))
    socket.once('close', over)
  })
}

/**
 * Whoever it is, and however old: nothing secret is sent, and what is wanted is what it shows.
 */
function openTls(socket: Socket): TLSSocket {
  return connectTls({
    socket,
    rejectUnauthorized: false,
    minVersion: 'TLSv1',
    ciphers: 'DEFAULT:@SECLEVEL=0',
  })
}

function shownBy(socket: TLSSocket): PeerCertificate | undefined {
  const certificate = socket.getPeerCertificate()
  return Object.keys(certificate).length > 0 ? certificate : undefined
}

function closeInFull(socket: Socket): void {
  socket.end()
  const timer = setTimeout(() => socket.destroy(), CLOSE_MS)
  socket.once('close', () => clearTimeout(timer))
}
