import { expect, test } from 'vitest'
import { afterOutcome, afterOutcomeHere, HOSTS_MAX, type Record } from './circuit-breaker.ts'
import type { Outcome } from '../credential.ts'

const NOW = new Date('2026-01-01T00:00:00Z')
const CLEAN: Record = { refusedBy: [], trips: 0, openUntil: null }
const minutes = (until: Date | null): number => ((until?.getTime() ?? 0) - NOW.getTime()) / 60_000

function met(outcomes: readonly (readonly [string, Outcome])[], isOfDirectory = false): Record {
  return outcomes.reduce<Record>(
    (before, [address, outcome]) => afterOutcome(before, { outcome, address, isOfDirectory }, NOW),
    CLEAN,
  )
}
const refusals = (count: number): [string, Outcome][] =>
  Array.from({ length: count }, (_, at) => [`10.0.0.${at + 1}`, 'refused'])

test('three hosts in a row set it aside; a success in between, or silence, does not count', () => {
  expect(met(refusals(HOSTS_MAX - 1)).openUntil).toBeNull()
  expect(minutes(met(refusals(HOSTS_MAX)).openUntil)).toBe(15)
  expect(met([...refusals(2), ['10.0.0.9', 'accepted'], ...refusals(2)]).openUntil).toBeNull()
  expect(met([...refusals(2), ['10.0.0.9', 'unanswered']]).openUntil).toBeNull()
})

test('the same host again is no other host', () => {
  expect(met([...refusals(1), ...refusals(1), ...refusals(1)]).openUntil).toBeNull()
})

test('an account of a directory is set aside at the second refusal, wherever', () => {
  expect(minutes(met([...refusals(1), ...refusals(1)], true).openUntil)).toBe(15)
})

test('after a cool-down one refusal is enough, and the next is longer', () => {
  expect(minutes(met([...refusals(3), ['10.0.0.3', 'refused']]).openUntil)).toBe(60)
  expect(minutes(met([...refusals(3), ...refusals(9)]).openUntil)).toBe(1_440)
  expect(met([...refusals(3), ['10.0.0.3', 'accepted']])).toEqual(CLEAN)
})

test('two refusals at one host hold it back from that host', () => {
  const once = afterOutcomeHere({ refusedInRow: 0, trips: 0, openUntil: null }, 'refused', NOW)
  expect(once.openUntil).toBeNull()
  const twice = afterOutcomeHere(once, 'refused', NOW)
  expect(minutes(twice.openUntil)).toBe(15)
  expect(afterOutcomeHere(twice, 'accepted', NOW).openUntil).toBeNull()
})
