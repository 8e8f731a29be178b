import { CountedSocket } from '../touches/counted-socket.ts'
import type { TouchCounter } from '../touches/touch-counter.ts'

const PATIENCE_MS = 3_000

/** Which of the ports accept a connection; nothing is sent on it. */
export async function openPortsAmong(
  address: string,
  ports: readonly number[],
  signal: AbortSignal,
  touches?: TouchCounter,
): Promise<ReadonlySet<number>> {
  const open = await Promise.all(
    ports.map((port) => accepts(new CountedSocket(address, touches), { host: address, port }, signal)),
  )
  signal.throwIfAborted()
  return new Set(ports.filter((_, i) => open[i]))
}

const accepts = (
  socket: CountedSocket,
  at: { readonly host: string; readonly port: number },
  signal: AbortSignal,
): Promise<boolean> =>
  new Promise((resolve) => {
    socket.connect(at)
    const over = AbortSignal.any([signal, AbortSignal.timeout(PATIENCE_MS)])
    const settle = (isOpen: boolean): void => {
      over.removeEventListener('abort', giveUp)
      socket.destroy()
      resolve(isOpen)
    }
    const giveUp = (): void => settle(false)
    over.addEventListener('abort', giveUp, { once: true })
    socket.once('connect', () => settle(true)).once('error', giveUp)
    if (over.aborted) giveUp()
  })
