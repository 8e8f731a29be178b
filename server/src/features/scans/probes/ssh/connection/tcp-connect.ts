import type { Socket } from 'node:net'
import { CountedSocket } from '../../touches/counted-socket.ts'
import type { TouchCounter } from '../../touches/touch-counter.ts'
import { HostFailure } from './host-failure.ts'
import { seconds, type Limits } from '../timeouts-and-limits.ts'

export interface Place {
  readonly address: string
  readonly port: number
}

export interface DialOptions {
  readonly signal: AbortSignal
  readonly limits: Pick<Limits, 'dial'>
  readonly access?: { readonly touches?: TouchCounter }
}

export const placeOf = ({ address, port }: Place): string =>
  address.includes(':') ? `[${address}]:${port}` : `${address}:${port}`

/** Opens a TCP connection; rejects with a `HostFailure` that says whether it was refused, timed out or unreachable. */
export function dial(place: Place, { signal, limits, access }: DialOptions): Promise<Socket> {
  signal.throwIfAborted()
  return new Promise((resolve, reject) => {
    const socket = new CountedSocket(place.address, access?.touches)
    socket.setNoDelay(true).connect({ host: place.address, port: place.port })
    const settle = (act: () => void): void => {
      clearTimeout(timer)
      signal.removeEventListener('abort', onAbort)
      socket.removeAllListeners()
      act()
    }
    const fail = (error: unknown): void =>
      settle(() => {
        // what comes after the end of a connection concerns nobody
        socket.on('error', () => undefined)
        socket.destroy()
        reject(error as Error)
      })
    const onAbort = (): void => fail(signal.reason)
    const timer = setTimeout(() => fail(silent(place, limits.dial)), limits.dial)
    signal.addEventListener('abort', onAbort, { once: true })
    socket.once('connect', () =>
      settle(() => {
        socket.on('error', () => undefined) // until somebody listens
        resolve(socket)
      }),
    )
    socket.once('error', (error: NodeJS.ErrnoException) => fail(failureOf(place, error, limits.dial)))
  })
}

const silent = (place: Place, ms: number): HostFailure =>
  new HostFailure(
    'absent',
    `no answer from ${placeOf(place)} in ${seconds(ms)}; check that it is on and no firewall drops the connection`,
  )

function failureOf(place: Place, { code, message }: NodeJS.ErrnoException, ms: number): HostFailure {
  const where = placeOf(place)
  if (code === 'ECONNREFUSED')
    return new HostFailure(
      'absent',
      `${where} refused the connection; check that its SSH server runs on this port`,
    )
  if (code === 'ETIMEDOUT') return silent(place, ms)
  if (code === 'EHOSTUNREACH' || code === 'ENETUNREACH')
    return new HostFailure('absent', `no route to ${where}; check the address and this machine's routes`)
  return new HostFailure('absent', `no connection to ${where}: ${code ?? message}`)
}
