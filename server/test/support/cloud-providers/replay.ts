import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { onTestFinished } from 'vitest'

/** A provider's API at the level of HTTP, answered from documented answers. It is not the provider's own code. */
export interface Replay {
  /** `http://127.0.0.1:port` */
  readonly address: string
  readonly calls: ReplayCall[]
  /** Called before the provider's own answer; what it answers is sent instead. */
  fault: (call: ReplayCall) => ReplayAnswer | undefined
}

export interface ReplayCall {
  readonly method: string
  readonly url: URL
  readonly headers: IncomingMessage['headers']
  readonly body: string
}

export interface ReplayAnswer {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  /** An object is sent as JSON, a text as it is. */
  readonly body?: unknown
  /** The connection is closed after half of the body, or before anything is sent; or nothing is sent at all. */
  readonly cut?: 'half' | 'reset' | 'silence'
}

/** Listens on loopback until the end of the test. */
export async function startReplay(
  answer: (call: ReplayCall) => ReplayAnswer | Promise<ReplayAnswer>,
): Promise<Replay> {
  const server = createServer((request, response) => {
    void text(request).then(async (body) => {
      const url = new URL(request.url ?? '/', replay.address)
      const call: ReplayCall = { method: request.method ?? '', url, headers: request.headers, body }
      replay.calls.push(call)
      const { status = 200, headers = {}, body: content, cut } = replay.fault(call) ?? (await answer(call))
      if (cut === 'silence') return
      if (cut === 'reset') return void request.socket.destroy()
      const whole = typeof content === 'string' ? content : JSON.stringify(content ?? {})
      response.writeHead(status, {
        'content-type': typeof content === 'string' ? 'text/xml' : 'application/json',
        'content-length': Buffer.byteLength(whole),
        ...headers,
      })
      if (cut !== 'half') return void response.end(whole)
      response.write(whole.slice(0, whole.length / 2), () => request.socket.destroy())
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  const replay: Replay = { address: `http://127.0.0.1:${port}`, calls: [], fault: () => undefined }
  return replay
}

/** One page of a list; the token of the next is where it begins. */
export function pageOf<T>(
  all: readonly T[],
  size: number,
  token: string | null | undefined,
): { readonly items: readonly T[]; readonly next?: string } {
  const from = Number(token || 0)
  return {
    items: all.slice(from, from + size),
    ...(from + size < all.length && { next: String(from + size) }),
  }
}
