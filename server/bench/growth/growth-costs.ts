import { costOf } from '../compliance/cost.ts'
import type { DatabaseClock } from '../compliance/database-cost.ts'
import { measuring } from '../reports/process-cost.ts'

/** What something cost: all in processor time unless it is said otherwise. */
export interface GrowthCost {
  readonly name: string
  /** `page`: what one person waits for. `write`: of one thing. `whole`: of the whole estate. The rest is what there is. */
  readonly kind: 'page' | 'write' | 'whole' | 'held'
  readonly unit: string
  readonly cost: number
}

/** Linux counts in hundredths of a second: shorter than this would be noise. */
const MS_MIN = 2_000
const REPEATS_MAX = 400
const WARM = 3

/** Milliseconds of processor time of database and program for one of the same. */
export async function costOfOne(
  clock: DatabaseClock,
  work: () => Promise<unknown>,
): Promise<{ readonly cpuMs: number; readonly wallMs: number }> {
  for (let n = 0; n < WARM; n += 1) await work()
  let repeats = 0
  const cost = await costOf(clock, async () => {
    const end = performance.now() + MS_MIN
    while (repeats < WARM || (performance.now() < end && repeats < REPEATS_MAX)) {
      await work()
      repeats += 1
    }
  })
  return {
    cpuMs: ((cost.database + cost.program) * 1_000) / repeats,
    wallMs: (cost.seconds * 1_000) / repeats,
  }
}

/** Milliseconds of processor time of database and of another process. */
export async function costBeside(
  clock: DatabaseClock,
  pid: number,
  work: () => Promise<unknown>,
): Promise<number> {
  const process = measuring(pid)
  const database = clock()
  await work()
  return (clock() - database + process.end().seconds) * 1_000
}
