import { once } from 'node:events'
import { createServer, request as ask, type Server } from 'node:https'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import type { TlsCertificate } from './tls-certificates.ts'

export interface ProxiedRequest {
  readonly method: string
  readonly path: string
  readonly body: string
  /** How many requests came before it. */
  readonly before: number
}

/** Answers itself, or nothing: then the request goes on to the server behind. */
export type RequestInterceptor = (request: ProxiedRequest) => ((response: ServerResponse) => void) | undefined

export interface FaultInjectingProxy {
  readonly port: number
  readonly seen: readonly ProxiedRequest[]
  readonly close: () => Promise<void>
}

/** An HTTPS server that passes on what it is asked to a real one, but may misbehave. */
export async function faultInjectingProxy(
  { key, cert }: TlsCertificate,
  behind: number,
  intercept: RequestInterceptor,
): Promise<FaultInjectingProxy> {
  const seen: ProxiedRequest[] = []
  const server = createServer({ key, cert }, (incoming, response) => {
    void buffer(incoming).then((bytes) => {
      const { method = '', url = '' } = incoming
      const request = { method, path: url, body: bytes.toString(), before: seen.length }
      seen.push(request)
      const own = intercept(request)
      if (own) own(response)
      else passOn(incoming, bytes, behind, response)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { seen, port: (server.address() as AddressInfo).port, close: () => closed(server) }
}

function passOn(
  { method, url, headers }: IncomingMessage,
  body: Buffer,
  port: number,
  response: ServerResponse,
): void {
  const forwarded = ask(
    { host: '127.0.0.1', port, method, path: url, headers, rejectUnauthorized: false },
    (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(response)
    },
  )
  forwarded.on('error', () => response.destroy())
  forwarded.end(body)
}

async function closed(server: Server): Promise<void> {
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
}
