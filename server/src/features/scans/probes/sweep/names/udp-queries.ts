import { createSocket, type Socket } from 'node:dgram'

/** A question over UDP that machines answer one by one. */
export interface Protocol<T> {
  readonly port: number
  readonly question: Buffer
  /** `undefined` for what is no answer; must stand any bytes. */
  readonly decode: (message: Buffer) => T | undefined
}

/** The most responses that are buffered before somebody asks for them. */
const HEARD_MAX = 65_536

/** Asks many machines the same question over one IPv4 socket; responses are matched by their source address. */
export class Datagrams<T> {
  readonly #protocol: Protocol<T>
  readonly #socket: Socket
  readonly #waiting = new Map<string, (answer: T) => void>()
  readonly #received = new Map<string, T>()
  readonly #onSent: (address: string) => void
  #isBound = false

  /** `onSent` is called for each packet to one machine. */
  constructor(protocol: Protocol<T>, onSent: (address: string) => void = () => undefined) {
    this.#protocol = protocol
    this.#onSent = onSent
    this.#socket = createSocket('udp4', (message, from) => {
      const answer = from.port === protocol.port ? protocol.decode(message) : undefined
      if (answer === undefined) return
      this.#waiting.get(from.address)?.(answer)
      if (this.#received.size < HEARD_MAX) this.#received.set(from.address, answer)
    })
    this.#socket.on('error', () => undefined)
  }

  /** Queries a multicast group on one link; the responses are buffered for `ask`. */
  async askGroup(group: string, link: string): Promise<void> {
    if (!this.#isBound) await new Promise<void>((resolve) => this.#socket.bind(0, resolve))
    this.#isBound = true
    this.#socket.setMulticastInterface(link)
    await new Promise((resolve) =>
      this.#socket.send(this.#protocol.question, this.#protocol.port, group, resolve),
    )
  }

  /** Sends one packet, unless the answer was heard already; the first answer within `timeoutMs`, else `undefined`. */
  async ask(address: string, timeoutMs: number): Promise<T | undefined> {
    const received = this.#received.get(address)
    if (received !== undefined) return received
    const { promise, resolve } = Promise.withResolvers<T | undefined>()
    const timer = setTimeout(resolve, timeoutMs, undefined)
    this.#waiting.set(address, resolve)
    this.#onSent(address)
    this.#socket.send(this.#protocol.question, this.#protocol.port, address, (error) => {
      if (error) resolve(undefined)
    })
    return promise.finally(() => {
      clearTimeout(timer)
      this.#waiting.delete(address)
    })
  }

  close(): void {
    this.#waiting.forEach((resolve) => (resolve as (answer: undefined) => void)(undefined))
    this.#socket.close()
  }
}
