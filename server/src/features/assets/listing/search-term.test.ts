import { expect, test } from 'vitest'
import { readSearchTerm } from './search-term.ts'
import { macSearchSpelling } from './search-text.ts'

test.each([
  '00:1B:44:11:3A:B7',
  '00-1b-44-11-3a-b7',
  '001b.4411.3ab7',
  '001B44113AB7',
  '00 1b 44 11 3a b7',
  '0:1b:44:11:3a:b7',
  ' 00:1b:44:11:3a:b7 ',
])('%s is a MAC address', (text) => {
  expect(readSearchTerm(text)).toMatchObject({ by: 'text', mac: macSearchSpelling('001b44113ab7') })
})

test.each([
  ['00:1b', '001b'],
  ['00:1b:', '001b'],
  ['1b:44:1', '1b441'],
  ['00-1b-44', '001b44'],
  ['001b.44', '001b44'],
  ['001b.4411.3a', '001b44113a'],
  ['001b44', '001b44'],
])('%s is a part of one', (text, digits) => {
  expect(readSearchTerm(text)).toMatchObject({ mac: macSearchSpelling(digits) })
})

test.each([
  '2019',
  'cafe',
  '00-1b',
  'web-01',
  '10.20.30.40',
  '1020.3',
  'fe80::1',
  '001b44113ab7f',
  'zz:zz',
  '00:1b-44',
])('%s is none', (text) => {
  expect(readSearchTerm(text)).toMatchObject({ by: 'text', text, mac: undefined })
})

test.each(['10.0.0.0/8', '10.1.2.3/24', '192.0.2.1/32', '0.0.0.0/0', '2001:db8::/32', '::1/128'])(
  '%s is a network',
  (text) => expect(readSearchTerm(text)).toEqual({ by: 'network', network: text }),
)

test.each([
  '10.0.0.0/33',
  '10.0.0/8',
  '10.0.0.0/',
  '10.0.0.0/8/8',
  'fe80::%1/64',
  'a/b',
  '10.0.0.0/-1',
  '::/129',
])('%s is a text', (text) => expect(readSearchTerm(text)).toMatchObject({ by: 'text' }))
