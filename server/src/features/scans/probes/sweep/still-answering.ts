import { setTimeout as sleep } from 'node:timers/promises'
import type { RateLimiter } from './packet-rate-limit.ts'
import { isAlive, type Answer, type TcpProber } from './tcp-connect.ts'

export interface AskedDevice {
  readonly address: string
  /** What its ports answered. */
  readonly ports: ReadonlyMap<number, Answer>
  readonly tcpProber: TcpProber
  /** The pace at which it is asked. */
  readonly pace: RateLimiter
  readonly signal: AbortSignal
  /** Before each question; absent: 0, 1 and 3 seconds. */
  readonly waitsMs?: readonly number[]
}

const PATIENCE_MS = 2_000
/** A service that takes one connection at a time refuses the next for a moment. */
const WAITS_MS = [0, 1_000, 3_000]

/**
 * Whether a device bears to be asked on: one of its ports is asked again. Undefined: it answers as before, or never had an
 * answer; otherwise the harm in words.
 */
export async function harmDone(device: AskedDevice, port = portToAsk(device)): Promise<string | undefined> {
  const { address, ports, tcpProber, pace, signal, waitsMs = WAITS_MS } = device
  const before = port === undefined ? undefined : ports.get(port)
  if (port === undefined || !before || !isAlive(before)) return pace.strainOn()
  let isSilent = true
  for (const waitMs of waitsMs) {
    if (waitMs > 0) await sleep(waitMs, undefined, { signal })
    await tcpProber.acquire(pace)
    const answer = await tcpProber.probe({ address, port, timeoutMs: PATIENCE_MS }, pace)
    if (isAlive(answer) && (answer.state === 'open' || before.state === 'refused')) return pace.strainOn()
    isSilent = !isAlive(answer)
  }
  if (isSilent) return `it answered at port ${port}, and no more since it was asked on`
  return `port ${port} was open, and takes no connection since it was asked on`
}

/** One that is open, else one that refuses. */
function portToAsk({ ports }: AskedDevice): number | undefined {
  const alive = [...ports].filter(([, answer]) => isAlive(answer))
  return (alive.find(([, { state }]) => state === 'open') ?? alive[0])?.[0]
}
