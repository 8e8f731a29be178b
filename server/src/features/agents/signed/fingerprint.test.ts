import { expect, test } from 'vitest'
import { isOtherHost, knownAfter } from './fingerprint.ts'

const laptop = { serial: 's', uuid: 'u', disk: 'd', 'mac wlan0': 'w' }

test('a laptop that has met many docks is the same host away from them, and a copy of its disk is not', () => {
  let known: Readonly<Record<string, string>> = laptop
  for (const dock of ['a', 'b', 'c', 'd', 'e'])
    known = knownAfter(known, { ...laptop, [`mac enx${dock}`]: `dock ${dock}` })
  expect(isOtherHost(known, laptop)).toBe(false)
  expect(knownAfter(known, laptop)).toEqual(laptop)
  expect(isOtherHost(known, { serial: 'x', uuid: 'y', disk: 'd', 'mac wlan0': 'z' })).toBe(true)
})

test('parts that could not be read this time stay known', () => {
  expect(knownAfter(laptop, { serial: 's', 'mac wlan0': 'w' })).toEqual(laptop)
  expect(knownAfter(laptop, {})).toEqual(laptop)
})
