import { expect, test } from 'vitest'
import { requestHead } from './request-head.ts'

const head = (headers: Record<string, string>, bodyBytes: number | null = 2) =>
  requestHead({ url: new URL('http://h.example:81/a?b=c#d'), method: 'POST', headers, bodyBytes })

test('is the request line, the host, the headers and the length', () => {
  expect(head({ 'x-a': 'b ÿ' })).toBe(
    'POST /a?b=c HTTP/1.1\r\nhost: h.example:81\r\nconnection: keep-alive\r\nx-a: b ÿ\r\ncontent-length: 2\r\n\r\n',
  )
  expect(head({}, null)).toBe('POST /a?b=c HTTP/1.1\r\nhost: h.example:81\r\nconnection: keep-alive\r\n\r\n')
})

test.each([
  ['a line feed', { x: 'a\r\ny: z' }],
  ['a letter whose low byte is a line feed', { x: '\u010a' }],
  ['NUL', { x: '\u0000' }],
  ['a name that is no token', { 'x y': 'a' }],
  ['a name with a line', { 'x\r\ny': 'a' }],
  ['a second length', { 'Content-Length': '9' }],
  ['chunks', { 'transfer-encoding': 'chunked' }],
  ['another host', { Host: 'other.example' }],
])('%s is not sent', (_, headers) => {
  expect(head(headers)).toBeUndefined()
})
