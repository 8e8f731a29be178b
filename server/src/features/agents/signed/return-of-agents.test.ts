import { join } from 'node:path'
import { expect, test } from 'vitest'
import { nextIn } from './next-in.ts'

const SCHEDULE = join(import.meta.dirname, '../../../../../agent/src/state/schedule.ts')

interface Progress {
  readonly failures: number
  readonly nextAt: number
}

interface AgentSchedule {
  readonly afterFailure: (
    progress: Progress,
    error: unknown,
    moment: { now: number; random: number },
  ) => Progress
}

/** Each stands for ten. */
const AGENTS = 30_000
const [OUTAGE_S, AFTERWARDS_S] = [7_200, 7_200]
/** What `rollcall bench agents` asks for on two cores. */
const REPORTS_PER_SECOND = 400 / 10
const NO_ANSWER = new Error('no answer')

/** The same numbers from 0 up to 1 each time (a linear congruential generator with the constants of Numerical Recipes). */
function randomNumbers(): () => number {
  let state = 1
  return () => (state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0) / 2 ** 32
}

test('300,000 agents return from an outage of two hours spread over time, by the schedules of agent and server', async () => {
  const { afterFailure } = (await import(SCHEDULE)) as AgentSchedule
  const random = randomNumbers()
  const due: number[][] = Array.from({ length: OUTAGE_S + AFTERWARDS_S }, () => [])
  const failures = new Uint8Array(AGENTS)
  const reported = new Uint8Array(AGENTS)
  const arrivals: number[] = []
  let returnedAt = 0
  let missing = AGENTS
  for (let id = 0; id < AGENTS; id++) due[Math.floor(900 * random())]?.push(id)
  for (const [second, ids] of due.entries()) {
    for (const id of ids) {
      const isOut = second < OUTAGE_S
      const before = { failures: failures[id] ?? 0, nextAt: 0 }
      const failed = isOut && afterFailure(before, NO_ANSWER, { now: 0, random: random() })
      failures[id] = failed ? Math.min(failed.failures, 255) : 0
      const seconds = failed ? failed.nextAt / 1_000 : nextIn(0, random())
      due[second + Math.max(1, Math.round(seconds))]?.push(id)
      if (isOut || reported[id]) continue
      reported[id] = 1
      missing -= 1
      returnedAt = second - OUTAGE_S
    }
    arrivals.push(ids.length)
    due[second] = []
  }
  const afterwards = arrivals.slice(OUTAGE_S)
  const minutes = Array.from({ length: AFTERWARDS_S / 60 }, (_, n) =>
    afterwards.slice(n * 60, (n + 1) * 60).reduce((sum, it) => sum + it, 0),
  )
  expect(missing).toBe(0)
  expect(returnedAt).toBeLessThanOrEqual(3_600)
  expect(Math.max(...minutes) / 60).toBeLessThan(REPORTS_PER_SECOND)
})
