import type { JsonObject } from '../json.ts'
import { writeProgress, type Identity, type Progress } from '../state/agent-state.ts'
import { download, send, type Answer, type SignedCall, type SignedDownload } from './server-connection.ts'
import { ServerRefusal } from './server-refusal.ts'
import type { AgentKey } from './signature.ts'

/** Counters are written down in steps of this many before one of them is used. */
const COUNTER_STEP = 100
const ATTEMPTS_MAX = 3

/** Requests of one round, each with a greater counter than any before, also after a crash. */
export class SignedCalls {
  readonly #folder: string
  readonly #server: string
  #key: AgentKey
  #progress: Progress
  #counter: number
  #isRolledBack = false

  constructor(folder: string, { server, key }: Identity, progress: Progress) {
    this.#folder = folder
    this.#server = server
    this.#key = key
    this.#progress = progress
    this.#counter = progress.counter
  }

  use(key: AgentKey): void {
    this.#key = key
  }

  progress(acknowledged: Progress['acknowledged']): Progress {
    return { ...this.#progress, acknowledged }
  }

  /**
   * The answer of a request that was taken. A wrong clock is set right by the server's, and a counter that is behind is
   * moved past the one that the server has seen: somebody else used this key, or this disk is an older copy of itself.
   * Throws a `ServerRefusal`, or what the network had.
   */
  async call(call: SignedCall['call'], body: JsonObject): Promise<Answer> {
    for (let attempt = 1; ; attempt += 1) {
      const answer = await send({
        server: this.#server,
        call,
        key: this.#key,
        counter: this.#nextCounter(),
        clockOffset: this.#progress.clockOffset,
        body: this.#isRolledBack ? { ...body, counter_was_behind: true } : body,
      })
      if (answer.status >= 200 && answer.status < 300) return answer
      if (attempt >= ATTEMPTS_MAX || !this.#isCorrected(answer)) throw new ServerRefusal(answer)
    }
  }

  /** Milliseconds since 1970 by the server's clock. */
  serverTime(): number {
    return Date.now() + this.#progress.clockOffset * 1_000
  }

  download(path: string, into: Pick<SignedDownload, 'file' | 'bytesMax'>): Promise<void> {
    return download({
      ...into,
      path,
      server: this.#server,
      key: this.#key,
      counter: this.#nextCounter(),
      clockOffset: this.#progress.clockOffset,
    })
  }

  #isCorrected({ body, headers }: Answer): boolean {
    if (body['error'] === 'clock') {
      const theirs = Date.parse(headers.date ?? '')
      if (Number.isNaN(theirs)) return false
      this.#progress = { ...this.#progress, clockOffset: Math.round((theirs - Date.now()) / 1_000) }
      return true
    }
    const seen = Number(body['counter'])
    if (body['error'] !== 'replayed' || !Number.isSafeInteger(seen) || seen < this.#counter) return false
    this.#isRolledBack = true
    this.#counter = seen
    return true
  }

  #nextCounter(): number {
    this.#counter += 1
    if (this.#counter > this.#progress.counter) {
      this.#progress = { ...this.#progress, counter: this.#counter + COUNTER_STEP }
      writeProgress(this.#folder, this.#progress)
    }
    return this.#counter
  }
}
