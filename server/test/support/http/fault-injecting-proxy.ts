import { once } from 'node:events'
import { createServer, request as ask, type Server } from 'node:https'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import type { Papers } from './tls-certificates.ts'

export interface Passing {
  readonly method: string
  readonly path: string
  readonly body: string
  /** How many requests came before it. */
  readonly before: number
}

/** Answers itself, or nothing: then the request goes on to the server behind. */
export type Whim = (passing: Passing) => ((response: ServerResponse) => void) | undefined

export interface Middleman {
  readonly port: number
  readonly seen: readonly Passing[]
  readonly close: () => Promise<void>
}

/** An HTTPS server that passes on what it is asked to a real one, but may misbehave. */
export async function middleman({ key, cert }: Papers, behind: number, whim: Whim): Promise<Middleman> {
  const seen: Passing[] = []
  const server = createServer({ key, cert }, (incoming, response) => {
    void buffer(incoming).then((bytes) => {
      const { method = '', url = '' } = incoming
      const passing = { method, path: url, body: bytes.toString(), before: seen.length }
      seen.push(passing)
      const own = whim(passing)
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
  const further = ask(
    { host: '127.0.0.1', port, method, path: url, headers, rejectUnauthorized: false },
    (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(response)
    },
  )
  further.on('error', () => response.destroy())
  further.end(body)
}

async function closed(server: Server): Promise<void> {
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
}
