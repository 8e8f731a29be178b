import { setTimeout as sleep } from 'node:timers/promises'
import type { Outcome } from './outcome-store.ts'

/** Collects outcomes and writes them in batches; retries while the database is unavailable. */
export interface OutcomeWriter {
  /** Resolves when the outcome is committed. It is urgent when other deliveries wait for it. */
  readonly add: (outcome: Outcome, isUrgent?: boolean) => Promise<void>
}

const BATCH_MAX = 300
/** A writer that is free writes at once when so many outcomes are there. */
const ENOUGH = 32
/** What is not written when the process dies is sent again; with 200 a second that is a dozen, in one statement. */
const COLLECT_MS = 60
const COLLECT_URGENT_MS = 5
const WRITERS_MAX = 2
const PATIENCE_MS = { first: 50, last: 1_000 }

interface Batch {
  readonly outcomes: Outcome[]
  isUrgent: boolean
  /** The batch has waited long enough for more outcomes. */
  isRipe: boolean
  readonly written: PromiseWithResolvers<void>
}

const emptyBatch = (): Batch => ({
  outcomes: [],
  isUrgent: false,
  isRipe: false,
  written: Promise.withResolvers(),
})

const isReady = (batch: Batch | undefined): boolean =>
  batch !== undefined && (batch.isRipe || batch.outcomes.length >= ENOUGH)

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
  /** While both writers are busy a batch grows, and the first that is free takes it: small ones would pile up. */
  const ripen = (): void => {
    if (collecting) collecting.isRipe = true
    if (writers < WRITERS_MAX) close()
  }
  const next = (): Batch | undefined => {
    if (waiting.length === 0 && isReady(collecting)) close()
    return waiting.shift()
  }
  const work = async (): Promise<void> => {
    writers += 1
    for (let batch = next(); batch; batch = next()) {
      await retryUntilWritten(() => write(batch.outcomes), onError)
      batch.written.resolve()
    }
    writers -= 1
  }
  return {
    add(outcome, isUrgent = false) {
      if (!collecting) {
        collecting = emptyBatch()
        timer = setTimeout(ripen, COLLECT_MS)
      }
      const batch = collecting
      batch.outcomes.push(outcome)
      if (isUrgent && !batch.isUrgent) {
        batch.isUrgent = true
        clearTimeout(timer)
        timer = setTimeout(ripen, COLLECT_URGENT_MS)
      }
      if (batch.outcomes.length >= BATCH_MAX || (isReady(batch) && writers < WRITERS_MAX)) close()
      return batch.written.promise
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
