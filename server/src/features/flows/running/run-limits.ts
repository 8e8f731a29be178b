import type { ClaimedRun } from './run.ts'

const STEPS_MAX = 5_000
/** Instructions that are no step, such as those of loops, leave no entry in the log. */
const INSTRUCTIONS_MAX = 50_000
const RUNNING_MS_MAX = 60 * 60_000
/** A run whose workers die again and again must not go round for ever; waits and retries claim it, too. */
const CLAIMS_MAX = 1_000

/** Why the run may not go on; undefined: it may. */
export function limitReached(run: ClaimedRun): string | undefined {
  if (run.claim > CLAIMS_MAX) return `claimed more than ${CLAIMS_MAX} times`
  if (run.runningMs > RUNNING_MS_MAX) return 'running for more than an hour'
  if (run.instructionsDone >= INSTRUCTIONS_MAX) return `more than ${INSTRUCTIONS_MAX} instructions`
  return run.stepsDone >= STEPS_MAX ? `more than ${STEPS_MAX} steps` : undefined
}
