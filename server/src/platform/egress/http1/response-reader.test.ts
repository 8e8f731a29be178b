import { expect, test } from 'vitest'
import { openResponseReader } from './response-reader.ts'

const OK = 'HTTP/1.1 200 OK\r\n'
const CHUNKED = `${OK}transfer-encoding: chunked\r\n\r\n`

interface Told {
  status: number | undefined
  location: string | undefined
  body: string
  /** How long the connection is kept; `broken`: no HTTP; undefined: not over. */
  end: number | 'broken' | undefined
}

/** What a reader tells of an answer that arrives in pieces of so many bytes. */
function read(text: string, piece: number, isEnded = false): Told {
  const told: Told = { status: undefined, location: undefined, body: '', end: undefined }
  const reader = openResponseReader({
    onHead: ({ status, location }) => Object.assign(told, { status, location }),
    onBody: (bytes) => (told.body += bytes.toString('latin1')),
    onEnd: (keptMs) => (told.end = keptMs),
    onBroken: () => (told.end = 'broken'),
  })
  reader.expectAnswer()
  const bytes = Buffer.from(text, 'latin1')
  for (let at = 0; at < bytes.length; at += piece) reader.take(bytes.subarray(at, at + piece))
  if (isEnded) reader.end()
  return told
}

test.each([
  ['no body', `${OK}content-length: 0\r\n\r\n`, { status: 200, body: '', end: 4_000 }],
  ['a length', `${OK}Content-Length:5\r\n\r\nhello`, { status: 200, body: 'hello', end: 4_000 }],
  ['204', 'HTTP/1.1 204 None\r\n\r\n', { status: 204, body: '', end: 4_000 }],
  [
    '304 with a length',
    'HTTP/1.1 304 Same\r\ncontent-length: 9\r\n\r\n',
    { status: 304, body: '', end: 4_000 },
  ],
  ['no reason', 'HTTP/1.1 201\r\ncontent-length: 0\r\n\r\n', { status: 201, body: '', end: 4_000 }],
  [
    'chunks',
    `${CHUNKED}3\r\nabc\r\n0A;x=y\r\n0123456789\r\n0\r\nt: u\r\n\r\n`,
    { body: 'abc0123456789', end: 4_000 },
  ],
  [
    'interim answers',
    `HTTP/1.1 103 Hints\r\nlink: x\r\n\r\nHTTP/1.1 100 \r\n\r\n${OK}content-length: 1\r\n\r\nx`,
    { status: 200, body: 'x', end: 4_000 },
  ],
  ['one location', `HTTP/1.1 302 F\r\nLocation: /a\r\ncontent-length: 0\r\n\r\n`, { location: '/a' }],
  [
    'two locations',
    `HTTP/1.1 302 F\r\nlocation: /a\r\nlocation: /b\r\ncontent-length: 0\r\n\r\n`,
    { location: '' },
  ],
  ['close', `${OK}connection: x, Close\r\ncontent-length: 0\r\n\r\n`, { end: 0 }],
  ['HTTP/1.0', 'HTTP/1.0 200 OK\r\ncontent-length: 0\r\n\r\n', { end: 0 }],
  [
    'HTTP/1.0 that keeps',
    'HTTP/1.0 200 OK\r\nconnection: keep-alive\r\ncontent-length: 0\r\n\r\n',
    { end: 4_000 },
  ],
  ['a short hint', `${OK}keep-alive: timeout=3, max=9\r\ncontent-length: 0\r\n\r\n`, { end: 1_000 }],
  ['a long hint', `${OK}keep-alive: timeout=600\r\ncontent-length: 0\r\n\r\n`, { end: 10_000 }],
  ['a hint of two seconds', `${OK}keep-alive: timeout=2\r\ncontent-length: 0\r\n\r\n`, { end: 0 }],
  ['a body that is not over', `${OK}content-length: 9\r\n\r\nabc`, { body: 'abc', end: undefined }],
  ['bad chunks', `${CHUNKED}3\r\nabcd\r\n`, { status: 200, end: 'broken' }],
  ['a space before the colon', `${OK}content-length : 0\r\n\r\n`, { status: undefined, end: 'broken' }],
  [
    'two equal lengths',
    `${OK}content-length: 1\r\ncontent-length: 1\r\n\r\nx`,
    { status: undefined, end: 'broken' },
  ],
])('%s, however it is cut', (_, text, expected) => {
  for (const piece of [1, 2, 3, 7, 1_000_000]) expect(read(text, piece)).toMatchObject(expected)
})

test('what comes after the end is no part of the answer, and ends the connection', () => {
  const two = `${OK}content-length: 1\r\n\r\nx${OK}content-length: 0\r\n\r\n`
  expect(read(two, two.length)).toEqual({ status: 200, location: undefined, body: 'x', end: 0 })
})

test.each([
  ['without a length is over when the peer closes', `${OK}\r\nabc`, { body: 'abc', end: 0 }],
  [
    'with a coding that is no chunks as well',
    `${OK}transfer-encoding: gzip\r\n\r\nabc`,
    { body: 'abc', end: 0 },
  ],
  ['with a length is not', `${OK}content-length: 9\r\n\r\nabc`, { body: 'abc', end: undefined }],
  ['in chunks is not', `${CHUNKED}3\r\nabc\r\n`, { body: 'abc', end: undefined }],
])('a body %s', (_, text, expected) => {
  expect(read(text, 1_000, true)).toMatchObject(expected)
})
