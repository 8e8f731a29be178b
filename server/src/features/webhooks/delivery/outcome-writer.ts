import { setTimeout as sleep } from 'node:timers/promises'
import type { Outcome } from './outcome-store.ts'

/** Collects outcomes and writes them in batches; retries while the database is unavailable. */
export interface OutcomeWriter {
  /** Resolves when the outcome is committed. */
  readonly add: (outcome: Outcome) => Promise<void>
}

const BATCH_MAX = 300
const COLLECT_MS = 5
const WRITERS_MAX = 2
const PATIENCE_MS = { first: 50, last: 5_000 }

interface Batch {
  readonly outcomes: Outcome[]
  readonly written: PromiseWithResolvers<void>
}

export function openOutcomeWriter(
  write: (outcomes: readonly Outcome[]) => Promise<void>,
  onError: (error: unknown) => void,
): OutcomeWriter {
  let collecting: Batch | undefined
  let timer: NodeJS.Timeout | undefined
  const waiting: Batch[] = []
  let writers = 0

  const close = (): void => {
    clearTimeout(timer)
    if (collecting) waiting.push(collecting)
    collecting = undefined
    if (writers < WRITERS_MAX) void work()
  }
  const work = async (): Promise<void> => {
    writers += 1
    for (let batch = waiting.shift(); batch; batch = waiting.shift()) {
      await retryUntilWritten(() => write(batch.outcomes), onError)
      batch.written.resolve()
    }
    writers -= 1
  }
  return {
    add(outcome) {
      if (!collecting) {
        collecting = { outcomes: [], written: Promise.withResolvers() }
        timer = setTimeout(close, COLLECT_MS)
      }
      const { outcomes, written } = collecting
      outcomes.push(outcome)
      if (outcomes.length >= BATCH_MAX) close()
      return written.promise
    },
  }
}

/** Safe to repeat: an outcome that was committed has lost its claim and is not written again. */
async function retryUntilWritten(
  write: () => Promise<void>,
  onError: (error: unknown) => void,
): Promise<void> {
  for (let pause = PATIENCE_MS.first; ; pause = Math.min(PATIENCE_MS.last, pause * 2)) {
    try {
      return await write()
    } catch (error) {
      onError(error)
      await sleep(pause)
    }
  }
}
