import { setTimeout as sleep } from 'node:timers/promises'
import type { Api } from './generated/api.ts'
import { retryDelayMs } from './retry-delay.ts'

export type Method = 'get' | 'post' | 'put' | 'patch' | 'delete'
/** Paths that answer this method. */
export type PathOf<M extends Method> = {
  [P in keyof Api]: Api[P] extends Record<M, unknown> ? P : never
}[keyof Api]
type Operation<P extends keyof Api, M extends Method> = Api[P] extends Record<M, infer O> ? O : never
export type Answer<P extends keyof Api, M extends Method> =
  Operation<P, M> extends { answer: infer A } ? A : never
type Parts<P extends keyof Api, M extends Method> = Omit<Operation<P, M>, 'answer'> & {
  /** The same request with the same key is carried out once within 24 hours, where the endpoint takes it. */
  readonly idempotencyKey?: string
}
/** May be left out where nothing in it is needed. */
type Rest<T> = Record<never, never> extends T ? [parts?: T] : [parts: T]
/** Lists that are read page by page. */
export type PagedPath = {
  [P in PathOf<'get'>]: Operation<P, 'get'> extends { query?: { limit?: unknown; offset?: unknown } }
    ? Answer<P, 'get'> extends { data: readonly unknown[] }
      ? P
      : never
    : never
}[PathOf<'get'>]
type ItemOf<P extends PagedPath> = Answer<P, 'get'> extends { data: readonly (infer I)[] } ? I : never

export interface ClientOptions {
  /** Such as https://inventory.example.org. */
  readonly address: string
  readonly apiKey: string
  /** How often a request is sent at most; 5 unless given. */
  readonly attempts?: number
  /** For tests and for other ways out; the platform's own unless given. */
  readonly fetch?: typeof fetch
  readonly wait?: (milliseconds: number) => Promise<unknown>
}

/** The server refused. */
export class ApiError extends Error {
  readonly status: number
  readonly code: string
  constructor(status: number, body: { error?: string; message?: string }) {
    super(body.message ?? `the server answered ${status}`)
    this.status = status
    this.code = body.error ?? 'unknown'
  }
}

interface Sent {
  readonly path?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>>
  readonly body?: unknown
  readonly idempotencyKey?: string
}

const PAGE = 500
const REDIRECTS = [301, 302, 303, 307, 308]
const REDIRECTS_MAX = 5

/** Requests that are answered 429 or 503 are sent again when the server says so, where that cannot do anything twice. */
export class RollcallClient {
  readonly #options: Required<ClientOptions>

  constructor(options: ClientOptions) {
    this.#options = { attempts: 5, fetch, wait: (ms) => sleep(ms), ...options }
  }

  get<P extends PathOf<'get'>>(path: P, ...[parts]: Rest<Parts<P, 'get'>>): Promise<Answer<P, 'get'>> {
    return this.#send('get', path, parts) as Promise<Answer<P, 'get'>>
  }

  post<P extends PathOf<'post'>>(path: P, ...[parts]: Rest<Parts<P, 'post'>>): Promise<Answer<P, 'post'>> {
    return this.#send('post', path, parts) as Promise<Answer<P, 'post'>>
  }

  put<P extends PathOf<'put'>>(path: P, ...[parts]: Rest<Parts<P, 'put'>>): Promise<Answer<P, 'put'>> {
    return this.#send('put', path, parts) as Promise<Answer<P, 'put'>>
  }

  patch<P extends PathOf<'patch'>>(
    path: P,
    ...[parts]: Rest<Parts<P, 'patch'>>
  ): Promise<Answer<P, 'patch'>> {
    return this.#send('patch', path, parts) as Promise<Answer<P, 'patch'>>
  }

  delete<P extends PathOf<'delete'>>(
    path: P,
    ...[parts]: Rest<Parts<P, 'delete'>>
  ): Promise<Answer<P, 'delete'>> {
    return this.#send('delete', path, parts) as Promise<Answer<P, 'delete'>>
  }

  /** Every item of a list, page by page. What is added or removed meanwhile may be seen twice or not at all. */
  async *all<P extends PagedPath>(path: P, ...[parts]: Rest<Parts<P, 'get'>>): AsyncGenerator<ItemOf<P>> {
    const sent: Sent = { ...parts }
    for (let offset = 0; ;) {
      const query = { limit: PAGE, ...sent.query, offset }
      const { data } = (await this.#send('get', path, { ...sent, query })) as { data: readonly ItemOf<P>[] }
      yield* data
      offset += data.length
      // a server may give less than it was asked for
      if (data.length === 0) return
    }
  }

  async #send(method: Method, path: string, sent: Sent = {}): Promise<unknown> {
    const { address, apiKey, attempts, fetch: ask, wait } = this.#options
    const url = new URL(`${address.replace(/\/$/, '')}/api/v1${filled(path, sent.path)}`)
    for (const [name, value] of Object.entries(sent.query ?? {}))
      if (value !== undefined) url.searchParams.set(name, String(value))
    const headers = {
      'x-api-key': apiKey,
      ...(sent.body !== undefined && { 'content-type': 'application/json' }),
      ...(sent.idempotencyKey !== undefined && { 'idempotency-key': sent.idempotencyKey }),
    }
    const body = sent.body === undefined ? null : JSON.stringify(sent.body)
    const isRepeatable = method === 'get' || sent.idempotencyKey !== undefined
    for (let attempt = 1; ; attempt++) {
      const answer = await askWithin(ask, url, { method: method.toUpperCase(), headers, body })
      if (answer.ok) return contentOf(answer)
      const delay = retryDelayMs(answer, isRepeatable)
      if (delay === undefined || attempt >= attempts) throw await errorOf(answer)
      await answer.body?.cancel()
      await wait(delay)
    }
  }
}

/** Follows redirects of a GET within its origin: the platform's `fetch` would take the key along to any other. */
async function askWithin(ask: typeof fetch, from: URL, init: RequestInit): Promise<Response> {
  let url = from
  for (let hops = 0; ; hops++) {
    const answer = await ask(url, { ...init, redirect: 'manual' })
    const location = answer.headers.get('location')
    if (!REDIRECTS.includes(answer.status) || location === null) return answer
    const next = new URL(location, url)
    if (init.method !== 'GET' || next.origin !== from.origin || hops === REDIRECTS_MAX) return answer
    await answer.body?.cancel()
    url = next
  }
}

const filled = (path: string, values: Readonly<Record<string, string>> = {}): string =>
  path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(values[name] ?? ''))

async function contentOf(answer: Response): Promise<unknown> {
  const isJson = answer.headers.get('content-type')?.startsWith('application/json')
  return isJson ? answer.json() : new Uint8Array(await answer.arrayBuffer())
}

async function errorOf(answer: Response): Promise<ApiError> {
  if (REDIRECTS.includes(answer.status)) {
    await answer.body?.cancel()
    const message = `the server sends elsewhere, where the key is not shown: ${answer.headers.get('location')}`
    return new ApiError(answer.status, { error: 'redirected', message })
  }
  const body: unknown = await answer.json().catch(() => ({}))
  return new ApiError(answer.status, typeof body === 'object' && body !== null ? body : {})
}
