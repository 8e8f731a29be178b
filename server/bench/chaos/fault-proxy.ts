import { connect, createServer, type NetConnectOpts, type Socket } from 'node:net'
import type { AddressInfo } from 'node:net'

/**
 * `cut`: connections end and none is taken. `slow`: every part arrives later. `reset`: connections end by RST, new ones work.
 * `half-open`: connections stand and take data that never arrives, as behind a firewall that forgot them. `unheard`: as
 * `cut`, but what is upstream is not told, and keeps its side of connections.
 */
export type NetworkFault = 'cut' | 'slow' | 'reset' | 'half-open' | 'unheard'

export interface FaultProxy {
  readonly port: number
  readonly begin: (fault: NetworkFault) => void
  /** As before: what a half-open connection held is gone with it. */
  readonly end: () => void
  readonly close: () => Promise<void>
}

/** A unix socket knows no RST. */
const reset = (socket: Socket): unknown =>
  socket.remotePort === undefined ? socket.destroy() : socket.resetAndDestroy()

const SLOW_MS = 150

/** Stands between a node and what it talks to, on loopback, and passes everything on until it is told otherwise. */
export async function startFaultProxy(upstream: NetConnectOpts): Promise<FaultProxy> {
  let fault: NetworkFault | undefined
  const open = new Set<Socket>()
  const clients = new Set<Socket>()
  const keep = (socket: Socket): void => {
    open.add(socket)
    socket.on('error', () => socket.destroy())
    socket.once('close', () => open.delete(socket))
  }
  const pass = (from: Socket, to: Socket): void => {
    from.on('data', (chunk) => {
      if (fault === 'half-open' || !to.writable) return
      if (fault !== 'slow') return void to.write(chunk)
      setTimeout(() => to.writable && to.write(chunk), SLOW_MS)
    })
    from.once('end', () => (fault === 'slow' ? setTimeout(() => to.end(), SLOW_MS) : to.end()))
    from.once('close', () => fault === 'unheard' || to.destroy())
  }
  const server = createServer({ allowHalfOpen: true }, (client) => {
    keep(client)
    if (fault === 'cut' || fault === 'unheard') return void client.resetAndDestroy()
    clients.add(client)
    client.once('close', () => clients.delete(client))
    const onward = connect({ ...upstream, allowHalfOpen: true })
    keep(onward)
    pass(client, onward)
    pass(onward, client)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as AddressInfo).port,
    begin(name) {
      fault = name === 'reset' ? undefined : name
      if (name === 'cut') for (const socket of open) socket.destroy()
      if (name === 'unheard') for (const socket of clients) socket.destroy()
      if (name === 'reset') for (const socket of open) reset(socket)
    },
    end() {
      if (fault === 'half-open') for (const socket of open) socket.destroy()
      fault = undefined
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        for (const socket of open) socket.destroy()
      }),
  }
}
