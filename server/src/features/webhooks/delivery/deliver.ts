import type { Ctx } from '#platform/context.ts'
import { openHeaders, openSecret } from '../endpoints/secret-encryption.ts'
import { failureOf, send, type Message } from './attempt.ts'
import type { Claimed } from './claim-store.ts'
import type { Outcome } from './outcome-store.ts'

/** Seconds to wait after failed attempt number `attempt`; undefined after the last. `random` is in [0, 1). */
export type Schedule = (attempt: number, random: number) => number | undefined

/** After this many interruptions the attempt counts as failed: it may be what crashes the worker. */
const INTERRUPTIONS_MAX = 3

/** Makes one attempt and decides the delivery's next state. Never throws. */
export async function deliver(ctx: Ctx, claimed: Claimed, schedule: Schedule): Promise<Outcome> {
  const { state, error, ...ended } = await attempt(ctx, claimed)
  const { id, claimNo } = claimed
  const waitSeconds = state === 'f' ? schedule(claimed.attempts + 1, Math.random()) : undefined
  return {
    id,
    claimNo,
    error,
    ...NO_ANSWER,
    ...ended,
    state: state === 'f' && waitSeconds === undefined ? 'x' : state,
    isFirst: claimed.attempts === 0,
    waitSeconds: waitSeconds ?? 0,
  }
}

const NO_ANSWER = { ms: 0, phase: null, status: null, fault: null, excerpt: null } as const

type Ended = Pick<Outcome, 'state' | 'error'> &
  Partial<Pick<Outcome, 'ms' | 'phase' | 'status' | 'fault' | 'excerpt'>>

async function attempt(ctx: Ctx, claimed: Claimed): Promise<Ended> {
  const { url, eventType, eventId, body } = claimed
  if (body === null) return { state: 'x', error: 'the event is no longer kept' }
  if (claimed.interruptions >= INTERRUPTIONS_MAX) return { state: 'f', error: 'the attempt was interrupted' }
  const sealed = unseal(ctx, claimed)
  if (sealed === undefined) return { state: 'f', error: 'the delivery could not be signed' }
  const answer = await send(ctx, { url, ...sealed, eventType, eventId, body })
  const { ms, phase, status = null, fault = null, excerpt = null } = answer
  const error = failureOf(answer)
  return { state: error === null ? 'd' : 'f', error, ms, phase, status, fault, excerpt }
}

/** Undefined if the secret cannot be decrypted, because SECRET_KEY has changed. */
function unseal(ctx: Ctx, claimed: Claimed): Pick<Message, 'secret' | 'headers'> | undefined {
  const { endpointId, secretSealed, headersSealed } = claimed
  try {
    return {
      secret: openSecret(ctx, endpointId, secretSealed),
      headers: openHeaders(ctx, endpointId, headersSealed),
    }
  } catch (error) {
    ctx.log.error({ err: error, webhook: endpointId }, 'the secret of a webhook does not open')
    return undefined
  }
}
