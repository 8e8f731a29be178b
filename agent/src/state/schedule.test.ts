import { expect, test } from 'vitest'
import { ServerRefusal } from '../wire/server-refusal.ts'
import { FRESH } from './agent-state.ts'
import { afterFailure } from './schedule.ts'

const refusal = (status: number, error: string, retryAfter?: string) =>
  new ServerRefusal({
    status,
    headers: retryAfter === undefined ? {} : { 'retry-after': retryAfter },
    body: { error },
  })

const secondsAfter = (error: unknown, failures: number, random = 1): number =>
  afterFailure({ ...FRESH, failures }, error, { now: 0, random }).nextAt / 1_000

test('doubled from 30 seconds to an hour, anywhere below that', () => {
  const lost = new Error('connect ECONNREFUSED')
  expect([0, 1, 2, 6, 7, 100].map((failures) => secondsAfter(lost, failures))).toEqual([
    30, 60, 120, 1_920, 3_600, 3_600,
  ])
  expect(secondsAfter(lost, 7, 0.25)).toBe(900)
})

test('Retry-After of 429 and 503 is obeyed to the second, and whoever is not known waits 6 hours', () => {
  expect(secondsAfter(refusal(503, 'unavailable', '417'), 7)).toBe(417)
  expect(secondsAfter(refusal(429, 'too_many', '12'), 0)).toBe(12)
  expect(secondsAfter(refusal(500, 'internal', '12'), 0)).toBe(30)
  expect(secondsAfter(refusal(401, 'unknown_key'), 0)).toBe(21_600)
  expect(secondsAfter(refusal(403, 'revoked'), 0)).toBe(21_600)
})

/** mulberry32: the same numbers in each run. */
function randomNumbers(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

const AGENTS = 10_000
const TIMER_S = 300
const OUTAGE_S = 2 * 3_600
const TAKEN_PER_SECOND = 20
const HOURS_4_S = 4 * 3_600

/**
 * Simulated seconds, no real ones: timers of 10,000 hosts that were started in the same second ask every 5 minutes, with the
 * minute that systemd draws; a server that was away for two hours takes 20 reports a second and answers 503 to the others.
 */
test('10,000 agents return after an outage without all of them asking at once', () => {
  const random = randomNumbers(7)
  const retryAfter = () => refusal(503, 'unavailable', String(30 + Math.floor(random() * 870)))
  const agents = Array.from({ length: AGENTS }, () => ({ progress: FRESH, takenAt: 0 }))
  const timers = Map.groupBy(agents, () => Math.floor(random() * 60))
  const asked = new Map<number, number>()
  for (let second = 0; second < OUTAGE_S + HOURS_4_S; second += 1) {
    let taken = 0
    for (const agent of timers.get(second) ?? []) {
      const again = second + TIMER_S + Math.floor(random() * 60)
      timers.set(again, [...(timers.get(again) ?? []), agent])
      if (agent.takenAt > 0 || agent.progress.nextAt > second * 1_000) continue
      asked.set(second, (asked.get(second) ?? 0) + 1)
      const isAway = second < OUTAGE_S
      if (!isAway && taken < TAKEN_PER_SECOND) {
        agent.takenAt = second
        taken += 1
        continue
      }
      const error = isAway ? new Error('connect ECONNREFUSED') : retryAfter()
      agent.progress = afterFailure(agent.progress, error, { now: second * 1_000, random: random() })
    }
    timers.delete(second)
  }
  expect(agents.filter(({ takenAt }) => takenAt === 0)).toEqual([])
  const late = agents.map(({ takenAt }) => takenAt - OUTAGE_S).toSorted((a, b) => a - b)
  const afterOutage = [...asked].filter(([second]) => second >= OUTAGE_S).map(([, count]) => count)
  // an hour is the longest back-off, and a timer asks up to 6 minutes later
  expect(late.at(-1)).toBeLessThan(3_600 + 360 + 900)
  expect(Math.max(...afterOutage)).toBeLessThan(AGENTS / 100)
  expect(late[AGENTS / 2]).toBeLessThan(1_800)
})
