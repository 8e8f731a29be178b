import type { Ctx } from '#platform/context.ts'
import { notFound, tooMany } from '#platform/errors.ts'
import { failureOf, send } from '../delivery/attempt.ts'
import { openHeaders, openSecret } from './secret-encryption.ts'
import * as store from './endpoint-store.ts'

export interface TestResult {
  readonly success: boolean
  readonly status: number | null
  readonly ms: number
  readonly error: string | null
}

const TESTS_PER_MINUTE = 10

/** One signed delivery at once to an endpoint of the owner, which must be there; not retried and not recorded. */
export async function sendTest(ctx: Ctx, id: string, owner: store.Owner = null): Promise<TestResult> {
  const count = await store.countTest(ctx, id, owner)
  if (!count) throw notFound('webhook')
  if (count.used > TESTS_PER_MINUTE) throw tooMany(count.secondsLeft)
  const sealed = await store.sealed(ctx, id, owner)
  if (!sealed) throw notFound('webhook')
  const body = { test: true, webhookId: id, triggeredAt: ctx.now().toISOString() }
  const answer = await send(ctx, {
    url: sealed.url,
    secret: openSecret(ctx, id, sealed.secretSealed),
    headers: openHeaders(ctx, id, sealed.headersSealed),
    eventType: 'webhook.test',
    body: Buffer.from(JSON.stringify(body)),
  })
  const error = failureOf(answer)
  return { success: error === null, status: answer.status ?? null, ms: answer.ms, error }
}
