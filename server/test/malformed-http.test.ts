import { beforeAll, expect, test } from 'vitest'
import { restError } from './support/http/error-response.ts'
import { testApp, sharedTestApp } from './support/app/test-app.ts'
import { firstAnswer, sendRaw } from './support/http/raw-http.ts'
import { things } from './support/app/example-feature.ts'
import { features } from '../src/app.ts'

const shared = sharedTestApp({ features: [...features, things] })
let key: string
let address: string
beforeAll(async () => {
  key = await shared().key(await shared().newTenant())
  address = await shared().address()
})

const request = (line: string, ...headers: string[]): string =>
  [line, ...headers, 'connection: close', '', ''].join('\r\n')
const host = 'host: x'
const mine = () => `x-api-key: ${key}`

test.each<[string, () => string | Buffer, readonly [number, string]]>([
  ['words', () => 'hello\r\n\r\n', [400, 'invalid_request']],
  ['bytes', () => Buffer.from([0, 1, 2, 255, 13, 10, 13, 10]), [400, 'invalid_request']],
  ['TLS', () => Buffer.from('16030100c8010000c40303', 'hex'), [400, 'invalid_request']],
  ['an unknown method', () => request('BREW /api/v1/x HTTP/1.1', host), [400, 'invalid_request']],
  ['a lower-case method', () => request('get /api/v1/x HTTP/1.1', host), [400, 'invalid_request']],
  ['HTTP/3.7', () => request('GET / HTTP/3.7', host), [400, 'invalid_request']],
  ['HTTP/2', () => 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', [400, 'invalid_request']],
  ['no host', () => request('GET /api/v1/x HTTP/1.1', mine()), [400, 'invalid_request']],
  ['a space in the path', () => request('GET /api/v1/a b HTTP/1.1', host), [400, 'invalid_request']],
  ['an unreadable path', () => request('GET /api/v1/%zz HTTP/1.1', host, mine()), [400, 'invalid_request']],
  [
    'an unreadable path without a key',
    () => request('GET /api/v1/%zz HTTP/1.1', host),
    [401, 'unauthorized'],
  ],
  ['an unreadable path elsewhere', () => request('GET /%ff HTTP/1.1', host), [400, 'invalid_request']],
  [
    'a path of 10^5',
    () => request(`GET /${'x'.repeat(100_000)} HTTP/1.1`, host),
    [431, 'request_header_fields_too_large'],
  ],
  [
    'a header of 10^6',
    () => request('GET / HTTP/1.1', host, `a: ${'x'.repeat(1_000_000)}`),
    [431, 'request_header_fields_too_large'],
  ],
  [
    'many headers',
    () => request('GET / HTTP/1.1', host, ...Array<string>(3_000).fill('a: b')),
    [431, 'request_header_fields_too_large'],
  ],
  ['NUL in a header', () => request('GET / HTTP/1.1', host, 'a: \0'), [400, 'invalid_request']],
  ['a header without a colon', () => request('GET / HTTP/1.1', host, 'a'), [400, 'invalid_request']],
  ['a folded header', () => request('GET / HTTP/1.1', host, 'a: b', ' c'), [400, 'invalid_request']],
  ['a bare line feed', () => 'GET / HTTP/1.1\nhost: x\n\n', [400, 'invalid_request']],
  [
    'two lengths',
    () => request('POST / HTTP/1.1', host, 'content-length: 1', 'content-length: 2'),
    [400, 'invalid_request'],
  ],
  [
    'a length and chunks',
    () => request('POST / HTTP/1.1', host, 'content-length: 1', 'transfer-encoding: chunked'),
    [400, 'invalid_request'],
  ],
  [
    'a negative length',
    () => request('POST / HTTP/1.1', host, 'content-length: -1'),
    [400, 'invalid_request'],
  ],
  [
    'a huge length',
    () => request('POST / HTTP/1.1', host, `content-length: ${'9'.repeat(30)}`),
    [400, 'invalid_request'],
  ],
  ['CONNECT', () => request('CONNECT example.org:443 HTTP/1.1', host), [405, 'method_not_allowed']],
  ['the whole server', () => request('OPTIONS * HTTP/1.1', host), [404, 'not_found']],
  [
    'an absolute address',
    () => request('GET http://x/api/v1/nothing HTTP/1.1', host, mine()),
    [404, 'not_found'],
  ],
  [
    'an upgrade',
    () => request('GET /api/v1/nothing HTTP/1.1', host, mine(), 'upgrade: websocket'),
    [404, 'not_found'],
  ],
  [
    'an odd expectation',
    () => request('GET /api/v1/nothing HTTP/1.1', host, mine(), 'expect: a miracle'),
    [404, 'not_found'],
  ],
  ['HTTP/1.0', () => request('GET /api/v1/nothing HTTP/1.0', mine()), [404, 'not_found']],
])('%s', async (_, bytes, [status, error]) => {
  expect(firstAnswer(await sendRaw(address, bytes()))).toEqual(restError(status, error))
})

test('broken chunks after a good head are refused', async () => {
  const head = [
    'POST /api/v1/things HTTP/1.1',
    host,
    mine(),
    'content-type: application/json',
    'transfer-encoding: chunked',
  ]
  const answer = firstAnswer(await sendRaw(address, `${head.join('\r\n')}\r\n\r\nzz\r\n{}\r\n0\r\n\r\n`))
  expect(answer).toEqual(restError(400, 'invalid_request'))
})

test('a request that is broken does not spoil the answers to those before it', async () => {
  const good = ['GET /api/v1/nothing HTTP/1.1', host, mine(), '', ''].join('\r\n')
  const text = await sendRaw(address, `${good}${good}broken\r\n\r\n`)
  expect(text.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 404', 'HTTP/1.1 404', 'HTTP/1.1 400'])
})

test('what cannot be read is counted by address', async () => {
  const { address: open } = await testApp({ http: { rateLimitPerMinute: 5 } })
  const seen = []
  for (let n = 0; n < 3; n += 1)
    seen.push(firstAnswer(await sendRaw(await open(), 'x\r\n\r\n')).headers['x-ratelimit-remaining'])
  expect(seen).toEqual(['4', '3', '2'])
})
