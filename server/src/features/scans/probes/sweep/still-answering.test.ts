import { once } from 'node:events'
import { createServer, type AddressInfo, type Server } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { RateLimiter } from './packet-rate-limit.ts'
import { harmDone } from './still-answering.ts'
import { TcpProber, type Answer } from './tcp-connect.ts'

const { signal } = new AbortController()
const address = '127.0.0.1'
const fast = { perSecond: 1_000, burst: 10 }

const device = (ports: ReadonlyMap<number, Answer>, pace = new RateLimiter(fast)) => ({
  address,
  ports,
  tcpProber: new TcpProber(new RateLimiter(fast), signal),
  pace,
  signal,
  waitsMs: [0, 1],
})

async function listening(): Promise<{ server: Server; port: number }> {
  const server = createServer((socket) => socket.resume())
  onTestFinished(() => void server.close())
  await once(server.listen(0, address), 'listening')
  return { server, port: (server.address() as AddressInfo).port }
}

test('a device that answers as before bears to be asked on', async () => {
  const { port } = await listening()
  expect(await harmDone(device(new Map([[port, { state: 'open', rttMs: 1 }]])))).toBeUndefined()
})

test('a device that has answered nothing so far cannot be judged', async () => {
  expect(await harmDone(device(new Map([[9, { state: 'silent' }]])))).toBeUndefined()
})

test('a service that is gone since it was asked is harm', async () => {
  const { server, port } = await listening()
  server.close()
  const harm = await harmDone(device(new Map([[port, { state: 'open', rttMs: 1 }]])))
  expect(harm).toBe(`port ${port} was open, and takes no connection since it was asked on`)
})

test('a port that refused and refuses is none', async () => {
  const { server, port } = await listening()
  server.close()
  expect(await harmDone(device(new Map([[port, { state: 'refused', rttMs: 1 }]])))).toBeUndefined()
})

test('a device whose answers stay slow at the slowest pace is not asked on', async () => {
  const { port } = await listening()
  let now = 0
  const pace = new RateLimiter(fast, () => (now += 300))
  for (const rttMs of [5, ...Array.from({ length: 40 }, () => 700)]) pace.answered(rttMs)
  const harm = await harmDone(device(new Map([[port, { state: 'open', rttMs: 5 }]]), pace))
  expect(harm).toMatch(/^answers take \d{3} ms, 5 ms before, also at 99 packets a second$/)
})
