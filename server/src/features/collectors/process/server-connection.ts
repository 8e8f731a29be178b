import { createHash, sign } from 'node:crypto'
import type { Net } from '#platform/egress/net.ts'
import type { CollectorIdentity } from './collector-identity.ts'

const COVERED = '("@method" "@path" "@query" "content-digest")'
const ANSWER_BYTES_MAX = 32 * 1_048_576
/** A poll is answered within five seconds; a line that is dead is to be noticed before the server misses the collector. */
const BUDGET_MS = { enrol: 30_000, poll: 12_000, messages: 30_000 }
const ATTEMPTS_MAX = 5
/** Of a counter for each millisecond: a process that is started anew begins above all that were used before. */
const PER_MS = 10

export type Call = 'enrol' | 'poll' | 'messages'
export type Answer = Readonly<Record<string, unknown>>

/** What the server answered instead of taking the request. */
export class ServerRefusal extends Error {
  override readonly name = 'ServerRefusal'
  readonly status: number
  readonly code: string

  constructor(status: number, { error, message }: Answer) {
    const code = typeof error === 'string' ? error : ''
    super(`the server answered ${status} ${code} ${typeof message === 'string' ? message : ''}`.trim())
    this.status = status
    this.code = code
  }
}

/** Requests to the server, each signed, with a greater counter than any before. */
export class ServerConnection {
  readonly #server: string
  readonly #identity: CollectorIdentity
  readonly #net: Net
  #counter = Date.now() * PER_MS
  #clockAheadMs = 0
  #turn: Promise<unknown> = Promise.resolve()

  constructor(server: string, identity: CollectorIdentity, net: Net) {
    this.#server = server
    this.#identity = identity
    this.#net = net
  }

  /**
   * Throws a `ServerRefusal`, or what the network had. A clock or a counter that is behind is set right by the server's.
   * One request at a time goes out, beside a poll: counters must arrive in their order.
   */
  async call(call: Call, body: Answer, signal: AbortSignal): Promise<Answer> {
    if (call === 'poll') return this.#repeat(call, body, signal)
    const turn = this.#turn.then(() => this.#repeat(call, body, signal))
    this.#turn = turn.catch(() => undefined)
    return turn
  }

  async #repeat(call: Call, body: Answer, signal: AbortSignal): Promise<Answer> {
    for (let attempt = 1; ; attempt += 1) {
      const response = await this.#send(call, JSON.stringify(body), signal)
      const answer = objectIn(await response.text())
      if (response.ok) return answer
      const refusal = new ServerRefusal(response.status, answer)
      if (attempt >= ATTEMPTS_MAX || !this.#isSetRight(refusal, answer, response.headers)) throw refusal
    }
  }

  #isSetRight({ code }: ServerRefusal, { counter }: Answer, headers: Headers): boolean {
    if (code === 'replayed' && typeof counter === 'number') {
      this.#counter = Math.max(this.#counter, counter)
      return true
    }
    const date = Date.parse(headers.get('date') ?? '')
    if (code !== 'clock' || Number.isNaN(date)) return false
    this.#clockAheadMs = date - Date.now()
    return true
  }

  #send(call: Call, body: string, signal: AbortSignal): Promise<Response> {
    const url = new URL(`/collector/v1/${call}`, this.#server)
    const headers = { 'content-type': 'application/json', ...this.#signature(url.pathname, body) }
    const limits = { budgetMs: BUDGET_MS[call], bytesMax: ANSWER_BYTES_MAX, signal }
    return this.#net.fetch(url, { method: 'POST', headers, body, ...limits })
  }

  /** HTTP Message Signatures (RFC 9421) in the one profile that the server accepts. */
  #signature(path: string, body: string): Record<string, string> {
    this.#counter += 1
    const { keyId, signingKey } = this.#identity
    const created = Math.round((Date.now() + this.#clockAheadMs) / 1_000)
    const digest = `sha-256=:${createHash('sha256').update(body).digest('base64')}:`
    const parameters = `${COVERED};created=${created};keyid="${keyId}";nonce="${this.#counter}";tag="rollcall-collector-1"`
    const base = [
      '"@method": POST',
      `"@path": ${path}`,
      '"@query": ?',
      `"content-digest": ${digest}`,
      `"@signature-params": ${parameters}`,
    ].join('\n')
    return {
      'content-digest': digest,
      'signature-input': `sig=${parameters}`,
      signature: `sig=:${sign(null, Buffer.from(base), signingKey).toString('base64')}:`,
    }
  }
}

function objectIn(text: string): Answer {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as Answer) : {}
  } catch {
    return {}
  }
}
