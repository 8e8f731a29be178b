const INTERVAL_S = 900
const INTERVAL_S_MAX = 3_600
/** So that agents that were started together do not stay together. */
const SPREAD = 0.1
/** Reports that wait so long for their batch come faster than they can be taken. */
const DELAY_MS_MAX = 2_000

/** After how many seconds an agent reports again; `delayMs` is how long reports wait to be taken now. */
export function nextIn(delayMs: number, random = Math.random()): number {
  const interval = INTERVAL_S * (delayMs > DELAY_MS_MAX ? 2 : 1) * (delayMs > 4 * DELAY_MS_MAX ? 2 : 1)
  return Math.min(INTERVAL_S_MAX, Math.round(interval * (1 + SPREAD * (2 * random - 1))))
}
