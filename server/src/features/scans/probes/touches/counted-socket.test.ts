import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { CountedSocket } from './counted-socket.ts'
import { TouchCounter } from './touch-counter.ts'

test('a host that goes on talking while its connection is given up harms nobody', async () => {
  const server = createServer((socket) => {
    socket.on('error', () => undefined)
    const timer = setInterval(() => socket.write('x'.repeat(300)), 1)
    socket.once('close', () => clearInterval(timer))
  })
  onTestFinished(() => void server.close())
  const { port } = (await once(server.listen(0, '127.0.0.1'), 'listening'), server.address()) as AddressInfo
  const counter = new TouchCounter(() => new Date())
  // the kernel takes its time to tell the packets
  const segments = { read: () => sleep(200, { state: 'ESTAB', segments: 9 }) }
  Object.defineProperty(counter, 'segments', { value: segments })
  const socket = new CountedSocket('127.0.0.1', counter).connect(port, '127.0.0.1')
  await once(socket.resume(), 'data')
  const closed = once(socket, 'close')
  socket.destroy()
  await closed
  expect(await counter.takeAll(1_000)).toMatchObject([{ address: '127.0.0.1', packets: 11, probes: 1 }])
})
