import { setTimeout as sleep } from 'node:timers/promises'
import { decrypted } from '#platform/secrets/encrypted-for-key.ts'
import type { CollectorIdentity } from './collector-identity.ts'
import { ServerRefusal, type ServerConnection } from './server-connection.ts'

/** Unsent messages of one assignment, above which whoever has more waits. */
const UNSENT_MAX = 200
const BATCH_CHARACTERS = 1_000_000
const RETRY_MS = 1_000
/** The server does not understand it, or something before the server takes no body of this length. */
const UNFIT: ReadonlySet<number> = new Set([400, 413])

export interface ReceivedAnswer {
  readonly number: number
  readonly value: unknown
  /** For this collector alone. */
  readonly encrypted?: string
}

/** The answer to a question; `secret` was readable by this collector alone. */
export interface OpenedAnswer {
  readonly value: unknown
  readonly secret?: string
}

/** One assignment as the process sees it that carries it out: what it says to the server, and what it asks. */
export class AssignedWork {
  readonly id: string
  readonly #connection: ServerConnection
  readonly #identity: CollectorIdentity
  readonly #process: string
  readonly #stopping = new AbortController()
  readonly #questions = new Map<number, PromiseWithResolvers<OpenedAnswer>>()
  #unsent: { readonly number: number; readonly text: string }[] = []
  #number = 0
  #hasGivenUp = false
  #sending: Promise<void> | undefined

  constructor(
    id: string,
    process: string,
    server: { readonly connection: ServerConnection; readonly identity: CollectorIdentity },
  ) {
    this.id = id
    this.#process = process
    this.#connection = server.connection
    this.#identity = server.identity
  }

  /** Aborts when the server wants no more of it. */
  get signal(): AbortSignal {
    return this.#stopping.signal
  }

  stop(): void {
    this.#stopping.abort()
    for (const question of this.#questions.values()) question.reject(new Error('the work was stopped'))
    this.#questions.clear()
  }

  /** What can be missed: left out while much is unsent. */
  offer(message: object): void {
    if (this.#unsent.length <= UNSENT_MAX) this.#queue(message)
  }

  /** Resolves when there is room for more. */
  async say(message: object): Promise<void> {
    this.#queue(message)
    while (this.#unsent.length > UNSENT_MAX && !this.signal.aborted) await this.#flush()
  }

  async ask(question: object): Promise<OpenedAnswer> {
    this.signal.throwIfAborted()
    const waiting = Promise.withResolvers<OpenedAnswer>()
    this.#questions.set(this.#queue(question), waiting)
    return waiting.promise
  }

  decrypt(encrypted: string): Promise<string> {
    return decrypted(this.#identity.exchangeKey, encrypted)
  }

  async answered({ number, value, encrypted }: ReceivedAnswer): Promise<void> {
    const waiting = this.#questions.get(number)
    this.#questions.delete(number)
    if (encrypted === undefined) return waiting?.resolve({ value })
    await this.decrypt(encrypted).then(
      (secret) => waiting?.resolve({ value, secret }),
      (error: unknown) => waiting?.reject(error),
    )
  }

  /** Resolves when all that was said has been taken, or nobody wants it. */
  async sent(): Promise<void> {
    while (this.#unsent.length > 0 && !this.signal.aborted) await this.#flush()
  }

  /** In place of what cannot be sent goes the reason; if that cannot be sent either, nothing does. */
  #giveUp({ message }: ServerRefusal): void {
    if (this.#hasGivenUp) return this.stop()
    this.#hasGivenUp = true
    this.#unsent = []
    this.#queue({
      kind: 'end',
      failure: { message: `what was seen cannot be sent: ${message}`, isFinal: true },
    })
  }

  #queue(message: object): number {
    this.#number += 1
    this.#unsent.push({ number: this.#number, text: JSON.stringify({ ...message, number: this.#number }) })
    void this.#flush()
    return this.#number
  }

  #flush(): Promise<void> {
    this.#sending ??= this.#sendAll().finally(() => {
      this.#sending = undefined
    })
    return this.#sending
  }

  async #sendAll(): Promise<void> {
    while (this.#unsent.length > 0 && !this.signal.aborted) {
      const batch = batchOf(this.#unsent)
      try {
        const { taken } = await this.#connection.call(
          'messages',
          {
            assignment: this.id,
            process: this.#process,
            messages: batch.map(({ text }) => JSON.parse(text) as object),
          },
          this.signal,
        )
        if (taken !== batch.length) throw new Error('the server answered in another protocol')
        this.#unsent = this.#unsent.slice(batch.length)
      } catch (error) {
        if (error instanceof ServerRefusal && isOver(error)) this.stop()
        else if (error instanceof ServerRefusal && UNFIT.has(error.status)) this.#giveUp(error)
        else await sleep(RETRY_MS)
      }
    }
  }
}

/** Nobody waits for it any more, or the collector is no more. */
const isOver = ({ code }: ServerRefusal): boolean =>
  code === 'not_found' || code === 'unknown_key' || code === 'revoked'

function batchOf<T extends { readonly text: string }>(unsent: readonly T[]): T[] {
  let characters = 0
  const end = unsent.findIndex(({ text }) => (characters += text.length) > BATCH_CHARACTERS)
  return unsent.slice(0, end === -1 ? UNSENT_MAX : Math.max(1, Math.min(end, UNSENT_MAX)))
}
