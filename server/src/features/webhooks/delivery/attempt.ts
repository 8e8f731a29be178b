import type { Ctx } from '#platform/context.ts'
import { FAILURE_SENTENCES } from '#platform/egress/failures.ts'
import type { Answer } from '#platform/egress/post.ts'
import type { CustomHeaders } from '../endpoints/custom-headers.ts'
import { sign } from './signature.ts'

/** What one attempt needs to know. Without `eventId` it is a test delivery. */
export interface Message {
  readonly url: string
  readonly secret: string
  readonly eventType: string
  readonly eventId?: string
  readonly body: Buffer
  /** The tenant's own; a redirect to elsewhere does not see them. */
  readonly headers: CustomHeaders
}

/** How long a receiver's answer is awaited, names, connections and redirects included. */
const ANSWER_MS = 10_000

/** One signed POST. Never throws: whatever happens is the answer. */
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
  })
}

/** Null when the receiver has acknowledged, else why not, in words that the tenant may read. */
export function failureOf({ status, fault }: Answer): string | null {
  if (fault !== undefined) return FAILURE_SENTENCES[fault]
  return status !== undefined && status >= 200 && status <= 299 ? null : `the receiver answered ${status}`
}
