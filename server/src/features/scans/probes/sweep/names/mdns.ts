import { createSocket } from 'node:dgram'
import multicastDns, { type MulticastDNS } from 'multicast-dns'
import { isHostName, reverseName } from './host-names.ts'

const PORT = 5353

/** Asks machines for their own name by multicast DNS, each directly (RFC 6762, 5.5) and so beyond the local link too. */
export class Mdns {
  readonly #mdns: MulticastDNS
  readonly #waiting = new Map<string, (name: string) => void>()

  readonly #onSent: (address: string) => void

  /** `onSent` is called for each packet. */
  constructor(family: 4 | 6, onSent: (address: string) => void = () => undefined) {
    this.#onSent = onSent
    const type = family === 4 ? 'udp4' : 'udp6'
    const socket = createSocket(type)
    const unspecified = family === 4 ? '0.0.0.0' : '::'
    this.#mdns = multicastDns({
      socket,
      type,
      bind: false,
      multicast: false,
      ip: unspecified,
      interface: unspecified,
    })
    this.#mdns.on('error', () => undefined)
    this.#mdns.on('response', ({ answers }, from) => {
      const waiting = this.#waiting.get(from.address)
      const name = from.port === PORT ? ownName(answers ?? [], reverseName(from.address)) : undefined
      if (waiting && name) waiting(name)
    })
  }

  /** Sends one packet; the name without `.local` within `timeoutMs`, else `undefined`. */
  async ask(address: string, timeoutMs: number): Promise<string | undefined> {
    const { promise, resolve } = Promise.withResolvers<string | undefined>()
    const timer = setTimeout(resolve, timeoutMs, undefined)
    this.#waiting.set(address, resolve)
    this.#onSent(address)
    this.#mdns.query(
      { questions: [{ name: reverseName(address), type: 'PTR' }] },
      { address, port: PORT },
      (error) => error && resolve(undefined),
    )
    return promise.finally(() => {
      clearTimeout(timer)
      this.#waiting.delete(address)
    })
  }

  close(): void {
    this.#mdns.destroy()
  }
}

const LOCAL = '.local'

/** The name in the answer to a reverse question, when it is one in `.local`. `answers` are as hostile as any packet. */
export function ownName(answers: readonly unknown[], question: string): string | undefined {
  for (const answer of answers) {
    const { type, name, data } = answer as Readonly<Record<string, unknown>>
    if (type !== 'PTR' || typeof name !== 'string' || typeof data !== 'string') continue
    const lower = data.toLowerCase().replace(/\.$/, '')
    if (name.toLowerCase() !== question || !lower.endsWith(LOCAL)) continue
    const own = lower.slice(0, -LOCAL.length)
    if (isHostName(own)) return own
  }
  return undefined
}
