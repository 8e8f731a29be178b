import type { Ctx } from '#platform/context.ts'
import { FAILURE_SENTENCES } from '#platform/egress/failures.ts'
import type { Answer } from '#platform/egress/post.ts'
import type { CustomHeaders } from '../endpoints/custom-headers.ts'
import { sign } from './signature.ts'

/** Input of one attempt. Without `eventId` it is a test delivery. */
export interface Message {
  readonly url: string
  readonly secret: string
  readonly eventType: string
  readonly eventId?: string
  readonly body: Buffer
  /** The tenant's custom headers; removed on redirects to another origin. */
  readonly headers: CustomHeaders
}

/** Time limit of one attempt in milliseconds, including DNS, connection and redirects. */
const ANSWER_MS = 10_000

/** Sends one signed POST request. Never throws: failures are in the answer. */
export function send(ctx: Pick<Ctx, 'net' | 'now'>, message: Message): Promise<Answer> {
  const timestamp = ctx.now().toISOString()
  return ctx.net.post({
    url: new URL(message.url),
    headers: {
      'content-type': 'application/json',
      'user-agent': 'Rollcall',
      'x-service-event': message.eventType,
      ...(message.eventId !== undefined && { 'x-service-event-id': message.eventId }),
      'x-service-timestamp': timestamp,
      'x-service-signature': sign(message.secret, message.body, timestamp),
    },
    originHeaders: message.headers,
    body: message.body,
    budgetMs: ANSWER_MS,
    mayReuse: message.eventId !== undefined,
  })
}

/** Null after a 2xx answer; else the reason, as a sentence for the tenant. */
export function failureOf({ status, fault }: Answer): string | null {
  if (fault !== undefined) return FAILURE_SENTENCES[fault]
  return status !== undefined && status >= 200 && status <= 299 ? null : `the receiver answered ${status}`
}
