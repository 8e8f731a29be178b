import { once } from 'node:events'
import { createServer, type AddressInfo, type Socket } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { RateLimiter } from '../packet-rate-limit.ts'
import { TcpProber } from '../tcp-connect.ts'
import { isSshBanner } from './banner.ts'
import { askServices } from './service-detection.ts'

const { signal } = new AbortController()
const address = '127.0.0.1'

/** Probes a server that does `greet` with each connection; answers what was heard, and how many connections there were. */
async function probed(greet: (socket: Socket) => void) {
  let connections = 0
  const server = createServer((socket) => {
    connections += 1
    socket.on('error', () => undefined)
    greet(socket)
  })
  onTestFinished(() => void server.close())
  await once(server.listen(0, address), 'listening')
  const { port } = server.address() as AddressInfo
  const prober = new TcpProber(new RateLimiter({ perSecond: 1_000, burst: 10 }), signal)
  const answer = await prober.probe({ address, port, timeoutMs: 2_000, isGreeted: isSshBanner })
  return { answer, connections: () => connections }
}

const asking = {
  signal,
  touches: undefined,
  acquire: () => Promise.reject(new Error('nothing may be sent')),
  owe: () => undefined,
}

test('what a port says by itself is heard with the connection that found it, and not asked for again', async () => {
  const { answer, connections } = await probed((socket) => {
    socket.write('Keep out!\r\nSSH-2.0-Open')
    setImmediate(() => socket.write('SSH_9.2p1\r\n'))
  })
  expect(answer).toMatchObject({ state: 'open' })
  const greeting = 'greeting' in answer ? answer.greeting : undefined
  const facts = await askServices(address, new Map([[22, greeting]]), {
    ...asking,
    isSound: () => Promise.resolve(true),
  })
  expect(facts).toEqual({ sshBanner: 'SSH-2.0-OpenSSH_9.2p1' })
  expect(connections()).toBe(1)
})

test('a port that closes without a word is open, and asked whether it bears more', async () => {
  const { answer } = await probed((socket) => socket.destroy())
  expect(answer).toMatchObject({ state: 'open', greeting: Buffer.alloc(0) })
  const asked: number[] = []
  const isSound = (port: number) => {
    asked.push(port)
    return Promise.resolve(false)
  }
  const facts = await askServices(address, new Map([[22, Buffer.alloc(0)]]), { ...asking, isSound })
  expect([facts, asked]).toEqual([{}, [22]])
})

test('of a port that never ends 4 KiB are read', async () => {
  const { answer } = await probed((socket) => socket.write('x'.repeat(100_000)))
  expect('greeting' in answer && answer.greeting?.length).toBe(4_096)
})
