import { Agent, request } from 'undici'

export interface Answer<T> {
  readonly status: number
  readonly headers: Readonly<Record<string, string | undefined>>
  /** The JSON; undefined when the answer is something else. */
  readonly body: T
  readonly text: string
}

type Ask = <T = unknown>(path: string) => Promise<Answer<T>>
type Tell = <T = unknown>(path: string, body?: unknown) => Promise<Answer<T>>

/** Paths are below /api/v1. */
export interface Caller {
  readonly get: Ask
  readonly head: Ask
  readonly post: Tell
  readonly put: Tell
  readonly patch: Tell
  readonly delete: Tell
  /** Sends `body` as it is; the path is the whole one. */
  readonly send: <T = unknown>(method: string, path: string, what?: Sent) => Promise<Answer<T>>
}

export interface Sent {
  readonly body?: string | Buffer
  readonly headers?: Readonly<Record<string, string>>
}

/** Talks over a real connection, a new one for each request. */
export function callerAt(address: () => Promise<string>, apiKey?: string): Caller {
  const send = async <T>(method: string, path: string, { body, headers }: Sent = {}): Promise<Answer<T>> => {
    const dispatcher = new Agent()
    try {
      const response = await request(`${await address()}${path}`, {
        dispatcher,
        method: method as 'GET',
        headers: { ...(apiKey && { 'x-api-key': apiKey }), ...headers },
        body: body ?? null,
      })
      const text = await response.body.text()
      const isJson = response.headers['content-type']?.includes('application/json') && text !== ''
      const parsed = isJson ? (JSON.parse(text) as T) : (undefined as T)
      return {
        status: response.statusCode,
        headers: response.headers as Answer<T>['headers'],
        body: parsed,
        text,
      }
    } finally {
      await dispatcher.close()
    }
  }
  const ask =
    (method: string): Ask =>
    (path) =>
      send(method, `/api/v1${path}`)
  const tell =
    (method: string): Tell =>
    (path, body) =>
      send(method, `/api/v1${path}`, body === undefined ? {} : jsonOf(body))
  return {
    get: ask('GET'),
    head: ask('HEAD'),
    post: tell('POST'),
    put: tell('PUT'),
    patch: tell('PATCH'),
    delete: tell('DELETE'),
    send,
  }
}

const jsonOf = (body: unknown): Sent => ({
  body: JSON.stringify(body),
  headers: { 'content-type': 'application/json' },
})
