import { expect, onTestFinished, test } from 'vitest'
import { dnsServer, type DnsAnswer } from '#test/support/network/dns-server.ts'
import { receiver } from '#test/support/http/webhook-receiver.ts'
import { openNet } from './net.ts'

async function netThatHears(answer: (name: string, nth: number) => DnsAnswer, allowPrivate: string[] = []) {
  const server = await dnsServer(answer)
  const net = openNet({ allowPrivate, dnsServers: [server.address] })
  onTestFinished(() => net.close())
  return { net, server }
}

const url = new URL('https://receiver.example/')

test.each([
  [['93.184.216.34'], ['93.184.216.34']],
  [['2606:4700::1'], ['2606:4700::1']],
  [
    ['93.184.216.34', '2606:4700::1', '1.1.1.1'],
    ['93.184.216.34', '1.1.1.1', '2606:4700::1'],
  ],
])('a host at %j may be reached', async (addresses, expected) => {
  const { net } = await netThatHears(() => ({ addresses }))
  expect(await net.resolveAndCheck(url)).toEqual({ addresses: expected, isPrivate: false })
})

test.each([
  [['127.0.0.1']],
  [['93.184.216.34', '10.0.0.1']],
  [['10.0.0.1', '93.184.216.34']],
  [['93.184.216.34', '::1']],
  [['93.184.216.34', 'fd00:ec2::254']],
  [['2606:4700::1', '::ffff:5db8:d822']],
  [['2606:4700::1', '64:ff9b::5db8:d822']],
  [[...Array.from({ length: 20 }, (_, i) => `93.184.216.${i}`), '169.254.169.254']],
])('a host at %j may not', async (addresses) => {
  const { net } = await netThatHears(() => ({ addresses }))
  expect(await net.resolveAndCheck(url)).toMatchObject({ fault: 'address_refused' })
})

test.each([
  ['no addresses', {}],
  ['no such name', { code: 3 }],
  ['a failure', { code: 2 }],
  ['a refusal', { code: 5 }],
] as const)('%s is a host that does not resolve', async (_, answer) => {
  const { net } = await netThatHears(() => answer)
  expect(await net.resolveAndCheck(url)).toEqual({ fault: 'host_not_found' })
})

test('a name server that is silent costs no more than the budget', async () => {
  const { net } = await netThatHears(() => ({ isSilent: true }))
  const post = { url, headers: {}, body: Buffer.alloc(0), budgetMs: 200 }
  expect(await net.post(post)).toEqual({ fault: 'timeout', phase: 'dns', ms: expect.any(Number) })
})

test('the dot of a full name, and capitals, change nothing', async () => {
  const { net, server } = await netThatHears(() => ({ addresses: ['93.184.216.34'] }))
  expect(await net.resolveAndCheck(new URL('https://RECEIVER.example./'))).toMatchObject({ isPrivate: false })
  expect(new Set(server.questions.map((it) => it.name))).toEqual(new Set(['receiver.example']))
})

test('a burst asks once, a later attempt asks again', async () => {
  const { net, server } = await netThatHears((_, nth) => ({
    addresses: [nth === 0 ? '93.184.216.34' : '10.0.0.1'],
  }))
  const burst = await Promise.all(Array.from({ length: 20 }, () => net.resolveAndCheck(url)))
  expect(burst.every((it) => 'addresses' in it)).toBe(true)
  expect(server.questions).toHaveLength(2)
  await new Promise((resolve) => setTimeout(resolve, 1_100))
  expect(await net.resolveAndCheck(url)).toMatchObject({ fault: 'address_refused' })
})

test('a name that resolves to a private address only at delivery is refused (DNS rebinding)', async () => {
  const there = await receiver()
  const { net } = await netThatHears((_, nth) => ({ addresses: [nth === 0 ? '93.184.216.34' : '127.0.0.1'] }))
  const inward = new URL(`http://receiver.example:${there.port}/`)
  expect(await net.resolveAndCheck(inward)).toMatchObject({ isPrivate: false })
  await new Promise((resolve) => setTimeout(resolve, 1_100))
  const post = { url: inward, headers: {}, body: Buffer.alloc(0), budgetMs: 5_000 }
  expect(await net.post(post)).toMatchObject({ fault: 'address_refused' })
  expect(there.requests).toHaveLength(0)
})

test('the next address is tried when one cannot be connected to', async () => {
  const there = await receiver()
  const { net } = await netThatHears(() => ({ addresses: ['127.0.0.9', '127.0.0.1'] }), ['127.0.0.0/8'])
  const post = {
    url: new URL(`http://receiver.example:${there.port}/`),
    headers: {},
    body: Buffer.from('x'),
    budgetMs: 5_000,
  }
  expect(await net.post(post)).toMatchObject({ status: 200 })
  expect(there.requests[0]?.headers.host).toBe(`receiver.example:${there.port}`)
})
