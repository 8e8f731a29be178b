import { createServer, request, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'

/** In front of an app: a server that can go away, and come back with scripts of other names, as an upgrade makes them. */
export interface UpgradableServer {
  readonly address: string
  readonly stop: () => Promise<void>
  readonly start: () => Promise<void>
  /** From here on the scripts have other names, and those from before are not found. */
  readonly upgrade: () => void
}

/** The builder's `-hash` before the ending. */
const SCRIPT = /(\/?static\/[\w-]+|\.\/[\w-]+)\.js/g

export async function upgradableServer(behind: string): Promise<UpgradableServer> {
  let build = 1
  const sockets = new Set<Socket>()
  const server = createServer((asked, answer) => forward({ behind, build }, asked, answer))
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  await listen(server, 0)
  const { port } = server.address() as AddressInfo
  return {
    address: `http://127.0.0.1:${port}`,
    start: () => listen(server, port),
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        for (const socket of sockets) socket.destroy()
      }),
    upgrade: () => void (build += 1),
  }
}

const listen = (server: Server, port: number): Promise<void> =>
  new Promise((resolve) => void server.listen(port, '127.0.0.1', resolve))

interface Place {
  readonly behind: string
  readonly build: number
}

function forward({ behind, build }: Place, asked: IncomingMessage, answer: ServerResponse): void {
  const name = `.build${build}.js`
  const url = asked.url ?? '/'
  if (url.startsWith('/static/') && url.endsWith('.js') && !url.endsWith(name)) {
    answer.writeHead(404).end()
    return
  }
  const headers = { ...asked.headers, 'accept-encoding': 'identity' }
  const onward = request(behind + url.replace(name, '.js'), { method: asked.method, headers }, (came) => {
    const { 'content-length': _, ...told } = came.headers
    const isRenamed = /html|javascript/.test(told['content-type'] ?? '')
    answer.writeHead(came.statusCode ?? 502, isRenamed ? told : came.headers)
    if (!isRenamed) return void came.pipe(answer)
    const parts: Buffer[] = []
    came.on('data', (part: Buffer) => parts.push(part))
    came.once('end', () => answer.end(Buffer.concat(parts).toString().replaceAll(SCRIPT, `$1${name}`)))
  })
  onward.once('error', () => answer.destroy())
  answer.once('close', () => onward.destroy())
  asked.pipe(onward)
}
