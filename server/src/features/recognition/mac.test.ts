import { expect, test } from 'vitest'
import { parseMac } from './mac.ts'

test.each([
  '00:1B:44:11:3A:B7',
  '00-1b-44-11-3a-b7',
  '001b.4411.3ab7',
  '001B44113AB7',
  '0:1b:44:11:3a:b7',
  ' 00:1B:44:11:3A:B7 ',
])('"%s" is read', (text) => {
  expect(parseMac(text)).toEqual({ digits: '001B44113AB7', kind: 'assigned' })
})

test.each([
  '',
  '00:1B:44:11:3A',
  '00:1B:44:11:3A:B7:99',
  '00:1B:44:11:3A:B7:99:01',
  '00:1G:44:11:3A:B7',
  '001B.4411.3AB',
  '00-1B:44-11:3A-B7',
  '00:1B:44:11:3A:B7; DROP TABLE',
])('"%s" is no MAC address', (text) => {
  expect(parseMac(text)).toBeUndefined()
})

test.each([
  ['FF:FF:FF:FF:FF:FF', 'group'],
  ['00:00:00:00:00:00', 'group'],
  ['01:00:5E:00:00:FB', 'group'],
  ['33:33:00:00:00:FB', 'group'],
  ['00:00:5E:00:01:0A', 'virtual_router'],
  ['00:00:5E:00:02:0A', 'virtual_router'],
  ['00:00:0C:07:AC:01', 'virtual_router'],
  ['00:00:0C:9F:F0:01', 'virtual_router'],
  ['00:07:B4:00:01:01', 'virtual_router'],
  ['02:42:AC:11:00:02', 'local'],
  ['52:54:00:12:34:56', 'local'],
])('%s is %s', (text, kind) => {
  expect(parseMac(text)?.kind).toBe(kind)
})
