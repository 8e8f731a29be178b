import { expect, test } from 'vitest'
import { checkedWindows, isOpen, opensAt, type Window } from './windows.ts'

const night: Window = { days: [1], from: '22:00', to: '05:00' }
const lunch: Window = { days: [1, 3], from: '11:30', to: '12:15' }
const sunday: Window = { days: [0], from: '20:00', to: '20:00' }

// 2026-03-02 is a Monday
test.each<[Window, string, boolean]>([
  [lunch, '2026-03-02T11:29:59Z', false],
  [lunch, '2026-03-02T11:30:00Z', true],
  [lunch, '2026-03-02T12:14:59Z', true],
  [lunch, '2026-03-02T12:15:00Z', false],
  [lunch, '2026-03-03T12:00:00Z', false],
  [lunch, '2026-03-04T12:00:00Z', true],
  [night, '2026-03-02T04:00:00Z', false],
  [night, '2026-03-02T21:59:59Z', false],
  [night, '2026-03-02T22:00:00Z', true],
  [night, '2026-03-03T04:59:59Z', true],
  [night, '2026-03-03T05:00:00Z', false],
  [night, '2026-03-03T22:30:00Z', false],
  [sunday, '2026-03-01T19:59:00Z', false],
  [sunday, '2026-03-01T20:00:00Z', true],
  [sunday, '2026-03-02T19:59:00Z', true],
  [sunday, '2026-03-02T20:00:00Z', false],
  [{ ...night, days: [6] }, '2026-03-01T04:00:00Z', true],
])('%j at %s is open: %s', (window, at, open) => {
  expect(isOpen([window], 'UTC', new Date(at))).toBe(open)
  expect(isOpen([{ days: [5], from: '00:00', to: '00:01' }, window], 'UTC', new Date(at))).toBe(open)
})

test('without windows it is always open, and their hours are those of the zone', () => {
  const at = new Date('2026-03-02T21:30:00Z')
  expect(isOpen([], 'UTC', at)).toBe(true)
  expect(isOpen([night], 'UTC', at)).toBe(false)
  expect(isOpen([night], 'Europe/Berlin', at)).toBe(true)
  expect(isOpen([night], 'Asia/Tokyo', at)).toBe(false)
})

test.each<[readonly Window[], string, string, string]>([
  [[], 'UTC', '2026-03-02T12:00:00Z', '2026-03-02T12:00:00Z'],
  [[lunch], 'UTC', '2026-03-02T12:00:00Z', '2026-03-02T12:00:00Z'],
  [[lunch], 'UTC', '2026-03-02T13:00:00Z', '2026-03-04T11:30:00Z'],
  [[lunch, night], 'UTC', '2026-03-02T13:00:00Z', '2026-03-02T22:00:00Z'],
  [[night, lunch], 'UTC', '2026-03-03T06:00:00Z', '2026-03-04T11:30:00Z'],
  [[night], 'Europe/Berlin', '2026-03-02T12:00:00Z', '2026-03-02T21:00:00Z'],
])('%j of %s, asked at %s, open next at %s', (windows, zone, at, next) => {
  expect(opensAt(windows, zone, new Date(at))).toEqual(new Date(next))
})

test('days are kept once and in order, and the whole week and day can be named', () => {
  const wide = { days: [6, 0, 6, 3], from: '00:00', to: '23:59' }
  expect(checkedWindows([wide, night])).toEqual([{ ...wide, days: [0, 3, 6] }, night])
})

test.each([
  [{ ...night, days: [] }, 'windows[1].days'],
  [{ ...night, days: [-1] }, 'windows[1].days'],
  [{ ...night, days: [7] }, 'windows[1].days'],
  [{ ...night, days: [1.5] }, 'windows[1].days'],
  [{ ...night, from: '24:00' }, 'windows[1].from'],
  [{ ...night, from: '9:00' }, 'windows[1].from'],
  [{ ...night, to: '23:60' }, 'windows[1].to'],
])('%j is no window', (window, field) => {
  expect(() => checkedWindows([night, window])).toThrow(expect.objectContaining({ extras: { field } }))
})
