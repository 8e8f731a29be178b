import { once } from 'node:events'
import { createServer, type AddressInfo, connect, type Socket } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { Refusal } from '../errors.ts'
import { answerClientError } from './connection-errors.ts'

test('the connection is destroyed after the answer though the sender never closes it', async () => {
  const server = createServer({ allowHalfOpen: true }).listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  const accepted = once(server, 'connection') as Promise<[Socket]>
  const { port } = server.address() as AddressInfo
  const client = connect({ host: '127.0.0.1', port, allowHalfOpen: true })
  onTestFinished(() => void client.destroy())
  client.on('error', () => undefined)
  let heard = ''
  client.on('data', (chunk: Buffer) => (heard += chunk.toString()))
  const [socket] = await accepted
  socket.on('error', () => undefined)

  const closed = once(socket, 'close')
  answerClientError(socket, new Refusal(408, 'request_timeout', 'the request took too long to arrive'), {})
  await closed
  expect(socket.destroyed).toBe(true)
  expect(heard).toContain('HTTP/1.1 408 ')
  expect(heard).toContain('"error":"request_timeout"')
})
