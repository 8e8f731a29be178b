import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import { Mdns, ownName } from './mdns.ts'
import { reverseName } from './host-names.ts'

const question = reverseName('192.0.2.7')
const answer = (data: unknown, name: unknown = question, type: unknown = 'PTR') => ({ type, name, data })

test.each([
  ['filesrv-2.local', 'filesrv-2'],
  ['FileSrv-2.LOCAL.', 'filesrv-2'],
])('%s is the name %s', (data, name) => {
  expect(ownName([answer(data)], question)).toBe(name)
})

test.each([
  [answer('filesrv-2.example.test')],
  [answer('.local')],
  [answer('a b.local')],
  [answer('\u0000.local')],
  [answer('filesrv-2.local', reverseName('192.0.2.8'))],
  [answer('filesrv-2.local', question, 'A')],
  [answer(7)],
  [answer('filesrv-2.local', null)],
])('%j is no own name', (one) => {
  expect(ownName([one], question)).toBeUndefined()
})

test('any packet is received without harm', async () => {
  const mdns = new Mdns(4)
  onTestFinished(() => mdns.close())
  // A machine that answers every question with rubbish.
  const rubbish = fc.sample(fc.uint8Array({ maxLength: 300 }), 200)
  const hostile = createSocket('udp4')
  onTestFinished(() => void hostile.close())
  hostile.bind(5353, '127.77.0.5')
  await once(hostile, 'listening')
  hostile.on('message', (_, from) => rubbish.forEach((bytes) => hostile.send(bytes, from.port, from.address)))
  expect(await mdns.ask('127.77.0.5', 200)).toBeUndefined()
})
