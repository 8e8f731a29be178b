/** How often a delivery is tried before it is a dead letter. */
export const ATTEMPTS_MAX = 10

const FIRST_WAIT_SECONDS = 2
const WAIT_MAX_SECONDS = 3_600
const JITTER = 0.25

/**
 * Seconds from failed attempt number `attempt` (from 1) to the next; undefined after the last. `random` in [0, 1)
 * spreads receivers that failed together over up to a quarter more.
 */
export function waitAfter(attempt: number, random: number): number | undefined {
  if (attempt >= ATTEMPTS_MAX) return undefined
  const base = FIRST_WAIT_SECONDS * 2 ** (attempt - 1)
  return Math.min(WAIT_MAX_SECONDS, base * (1 + JITTER * random))
}
