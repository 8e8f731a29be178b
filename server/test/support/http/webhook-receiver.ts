import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import net from 'node:net'
import { buffer } from 'node:stream/consumers'
import { onTestFinished } from 'vitest'

export interface Received {
  readonly method: string
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
  readonly at: number
}

/** How a receiver answers: a status, or whatever the test does with the response. */
export type Reply = number | ((response: ServerResponse) => void)

export interface Receiver {
  readonly url: string
  readonly port: number
  /** Every request so far, in the order of arrival. */
  readonly requests: Received[]
  /** Cuts every connection. */
  readonly close: () => void
}

/** A well-behaved HTTP receiver on loopback, gone with the test. */
export async function receiver(
  reply: (request: Received) => Reply | Promise<Reply> = () => 200,
): Promise<Receiver> {
  const requests: Received[] = []
  const server = createServer((request, response) => {
    void buffer(request).then(async (body) => {
      const { method = '', url: path = '', headers } = request
      const received = { method, path, headers, body, at: Date.now() }
      requests.push(received)
      const answer = await reply(received)
      if (typeof answer === 'number') response.writeHead(answer).end()
      else answer(response)
    })
  })
  const port = await listen(server)
  const close = () => {
    server.closeAllConnections()
    server.close()
  }
  onTestFinished(close)
  return { url: `http://127.0.0.1:${port}/hook`, port, requests, close }
}

export interface RawReceiver {
  readonly url: string
  readonly port: number
  /** How many connections were accepted. */
  readonly connections: () => number
  readonly close: () => Promise<void>
}

/**
 * A receiver that speaks whatever the test writes: called with each chunk of text that a connection brings, and `greet`
 * with each connection.
 */
export async function rawReceiver(
  behave: (socket: net.Socket, text: string, chunkNumber: number) => void,
  greet?: (socket: net.Socket) => void,
): Promise<RawReceiver> {
  const sockets = new Set<net.Socket>()
  let connections = 0
  const server = net.createServer((socket) => {
    connections += 1
    let chunks = 0
    sockets.add(socket)
    greet?.(socket)
    socket.on('error', () => {})
    socket.on('close', () => sockets.delete(socket))
    socket.on('data', (chunk) => behave(socket, chunk.toString('latin1'), chunks++))
  })
  const port = await listen(server)
  const close = async () => {
    for (const socket of sockets) socket.destroy()
    if (server.listening) await new Promise((resolve) => server.close(resolve))
  }
  onTestFinished(close)
  return { url: `http://127.0.0.1:${port}/hook`, port, connections: () => connections, close }
}

async function listen(server: net.Server): Promise<number> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return (server.address() as net.AddressInfo).port
}
