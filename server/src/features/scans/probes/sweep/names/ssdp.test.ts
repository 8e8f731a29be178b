import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readSsdp, ssdp } from './ssdp.ts'

const answer = (...lines: string[]): Buffer => Buffer.from([...lines, '', ''].join('\r\n'))

test('searches for root devices', () => {
  expect(ssdp.question.toString()).toMatch(
    /^M-SEARCH \* HTTP\/1\.1\r\nHOST: 239\.255\.255\.250:1900\r\n(.+\r\n)+\r\n$/,
  )
})

test('reads server and location whatever the case of their names', () => {
  const bytes = answer(
    'HTTP/1.1 200 OK',
    'Server:  Linux UPnP/1.0 Camera/2 ',
    'LOCATION: http://192.0.2.7/d.xml',
    'EXT:',
  )
  expect(readSsdp(bytes)).toEqual({ server: 'Linux UPnP/1.0 Camera/2', location: 'http://192.0.2.7/d.xml' })
})

test.each([
  ['an announcement', answer('NOTIFY * HTTP/1.1', 'SERVER: x')],
  ['a search', ssdp.question],
  ['a refusal', answer('HTTP/1.1 404 Not Found', 'SERVER: x')],
  ['nothing', Buffer.alloc(0)],
])('%s is no answer', (_, bytes) => {
  expect(readSsdp(bytes)).toBeUndefined()
})

test('values that are unprintable are left out, long ones are cut', () => {
  const bytes = answer('HTTP/1.1 200 OK', 'SERVER: a\x1b[31mb', `LOCATION: ${'x'.repeat(5000)}`)
  expect(readSsdp(bytes)).toEqual({ location: 'x'.repeat(256) })
})

test('any bytes are read without harm', () => {
  const lines = fc.array(fc.string({ unit: 'binary' }), { maxLength: 20 })
  fc.assert(
    fc.property(lines, (some) => {
      const read = readSsdp(answer('HTTP/1.1 200 OK', ...some.map((it) => `SERVER:${it}`)))
      expect(read?.server ?? 'x').toMatch(/^[\x20-\x7e]+$/)
    }),
  )
})
