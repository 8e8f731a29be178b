import { ServerRefusal } from '../wire/server-refusal.ts'
import type { AgentKey } from '../wire/signature.ts'
import type { Progress } from './agent-state.ts'

const NEXT_IN_DEFAULT_S = 900
const NEXT_IN_MAX_S = 86_400
const RETRY_BASE_S = 30
const RETRY_MAX_S = 3_600
/** Nobody knows this host: it may have been removed, or the server put back to an older backup. */
const UNKNOWN_KEY_S = 6 * 3_600
const FULL_EVERY_MS = 7 * 86_400_000

export function afterSuccess(progress: Progress, nextInSeconds: number, key: AgentKey): Progress {
  const isUsable = nextInSeconds > 0 && nextInSeconds <= NEXT_IN_MAX_S
  const now = Date.now()
  return {
    ...progress,
    failures: 0,
    nextAt: now + (isUsable ? nextInSeconds : NEXT_IN_DEFAULT_S) * 1_000,
    fullAt: now >= progress.fullAt ? nextFullAt(now, key) : progress.fullAt,
  }
}

/** Every 7 days, at a moment of the week drawn from the key: a fleet that was enrolled together does not send together. */
function nextFullAt(now: number, { keyId }: AgentKey): number {
  const own = (Number.parseInt(keyId.slice(0, 8), 16) / 0x1_0000_0000) * FULL_EVERY_MS
  const week = Math.floor((now - own) / FULL_EVERY_MS) + 1
  return own + week * FULL_EVERY_MS
}

/** What is drawn and when; tests say it. */
export interface Moment {
  /** Milliseconds since 1970. */
  readonly now: number
  /** From 0 up to 1. */
  readonly random: number
}

/** `Retry-After` to the second; else doubled from 30 s to an hour and drawn at random below that. */
export function afterFailure(
  progress: Progress,
  error: unknown,
  { now, random }: Moment = { now: Date.now(), random: Math.random() },
): Progress {
  const failures = progress.failures + 1
  const bound = Math.min(RETRY_MAX_S, RETRY_BASE_S * 2 ** Math.min(failures - 1, 10))
  const seconds =
    error instanceof ServerRefusal && error.retryAfterSeconds !== undefined
      ? error.retryAfterSeconds
      : error instanceof ServerRefusal && (error.code === 'unknown_key' || error.code === 'revoked')
        ? UNKNOWN_KEY_S
        : bound * random
  return { ...progress, failures, nextAt: now + seconds * 1_000 }
}
