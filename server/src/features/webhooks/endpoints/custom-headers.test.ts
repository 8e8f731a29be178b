import { expect, test } from 'vitest'
import { parseHeaders } from './custom-headers.ts'

test.each([
  [{}],
  [{ Authorization: 'Bearer abc.def' }],
  [{ 'X-Api-Key': 'k', 'x-team': 'a b\tc', Empty: '' }],
  [{ "!#$%&'*+-.^_`|~09az": 'odd, and a name all the same' }],
  [Object.fromEntries(Array.from({ length: 20 }, (_, n) => [`X-${n}`, 'v']))],
  [{ A: 'v'.repeat(4_095) }],
])('%j are taken', (headers) => {
  expect(parseHeaders(headers)).toEqual(headers)
})

test.each([
  'Host',
  'host',
  'CONTENT-TYPE',
  'content-length',
  'Content-Anything',
  'Transfer-Encoding',
  'connection',
  'Keep-Alive',
  'TE',
  'Trailer',
  'Upgrade',
  'Expect',
  'Proxy-Authorization',
  'Proxy-Connection',
  'User-Agent',
  'X-Service-Event',
  'x-service-signature',
  'X-Service-New',
])('%s is set by the service', (name) => {
  expect(() => parseHeaders({ [name]: 'v' })).toThrow(`headers: ${name} is set by the service`)
})

test.each([
  ['two lines', { A: 'v\r\nHost: inside' }, /printable/],
  ['a line feed', { A: 'v\nX: y' }, /printable/],
  ['a carriage return', { A: 'v\rX' }, /printable/],
  ['NUL', { A: 'v\u0000' }, /printable/],
  ['DEL', { A: 'v\u007f' }, /printable/],
  ['letters beyond ASCII', { A: 'ü' }, /printable/],
  ['space around', { A: ' v' }, /printable/],
  ['no name', { '': 'v' }, /not a header name/],
  ['a space in the name', { 'A B': 'v' }, /not a header name/],
  ['a colon in the name', { ':path': '/' }, /not a header name/],
  ['a line in the name', { 'A\r\nHost': 'v' }, /not a header name/],
  ['a name twice', { 'X-A': '1', 'x-a': '2' }, /x-a is given twice/],
  ['too many', Object.fromEntries(Array.from({ length: 21 }, (_, n) => [`X-${n}`, 'v'])), /at most 20/],
  ['too much', { A: 'v'.repeat(4_096) }, /4096 bytes/],
])('%s is refused, naming headers and no value', (_, headers, why) => {
  expect(() => parseHeaders(headers)).toThrow(why)
  expect(() => parseHeaders(headers)).toThrow(/^headers: /)
  expect(() => parseHeaders({ A: 'secret\u0000' })).not.toThrow(/secret/)
})
