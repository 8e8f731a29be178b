import { Type } from 'typebox'
import { FAILURE_SENTENCES } from '#platform/egress/failures.ts'
import { invalid } from '#platform/errors.ts'
import type { OuterAction, OuterResult, Settings } from './action.ts'

const BUDGET_MS = 10_000
/** What later steps can read; the log has the first 4 KiB. */
const ANSWER_BYTES_MAX = 65_536
const RETRIES_DEFAULT = 5
const RETRY_AFTER_SECONDS_MAX = 15 * 60
const HEADERS_MAX = 20
const RETRYABLE: ReadonlySet<number> = new Set([408, 425, 429])
/** What the request itself decides. */
const RESERVED =
  /^(content-length|content-type|host|connection|transfer-encoding|idempotency-key|expect|upgrade)$/i
const HEADER_NAME = /^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}$/

/** One POST with a JSON or text body; redirects and addresses are checked as for webhooks. */
export const httpRequestAction: OuterAction = {
  name: 'http_request',
  kind: 'outer',
  label: 'Send an HTTP request',
  sentence: 'Sends an HTTP POST; network errors, 408, 425, 429 and 5xx are tried again.',
  settings: Type.Object({
    url: Type.String({ title: 'Address', pattern: '^https?://', maxLength: 2_000 }),
    body: Type.Optional(Type.String({ title: 'Body', maxLength: 65_536 })),
    contentType: Type.Optional(Type.String({ title: 'Media type', pattern: '^[\\w.+-]+/[\\w.+-]+$' })),
    headers: Type.Optional(
      Type.Record(Type.String(), Type.String({ maxLength: 4_096 }), {
        title: 'Headers',
        description: 'not sent on to another origin; secrets as {{secrets.NAME}}',
        maxProperties: HEADERS_MAX,
      }),
    ),
    retries: Type.Optional(Type.Integer({ title: 'Retries', minimum: 0, maximum: RETRIES_DEFAULT })),
  }),
  templates: ['url', 'body', 'headers'],
  outputs: ['status', 'answer'],
  async run(ctx, settings, { idempotencyKey }) {
    const {
      url,
      body = '',
      contentType = 'application/json',
      headers = {},
      retries,
    } = settings as unknown as Given
    const { status, fault, excerpt, retryAfterSeconds } = await ctx.net.post({
      url: destination(url),
      headers: { 'content-type': contentType, 'user-agent': 'Rollcall', 'idempotency-key': idempotencyKey },
      originHeaders: checkedHeaders(headers),
      body: Buffer.from(body),
      excerptBytes: ANSWER_BYTES_MAX,
      budgetMs: BUDGET_MS,
    })
    const retriesMax = retries ?? RETRIES_DEFAULT
    if (fault === 'address_refused' || fault === 'redirect_refused')
      return { outcome: 'failed', fault: FAILURE_SENTENCES[fault] }
    if (status === undefined)
      return { outcome: 'retry', fault: `no answer: ${fault ?? 'unknown'}`, retriesMax }
    const afterSeconds = Math.min(retryAfterSeconds ?? 0, RETRY_AFTER_SECONDS_MAX)
    return resultOf(status, excerpt?.toString() ?? '', { afterSeconds, retriesMax })
  },
  describe: ({ url }: Settings) => `would POST to ${String(url)}`,
}

interface Given {
  readonly url: string
  readonly body?: string
  readonly contentType?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly retries?: number
}

function destination(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url || !/^https?:$/.test(url.protocol)) throw invalid('url', `${text} is no http or https address`)
  if (url.username || url.password) throw invalid('url', 'must hold no user name or password')
  return url
}

function checkedHeaders(headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  for (const [name, value] of Object.entries(headers)) {
    if (!HEADER_NAME.test(name) || RESERVED.test(name)) throw invalid('headers', `${name} cannot be set`)
    if (!/^[\t\x20-\x7e]*$/.test(value)) throw invalid('headers', `${name} must be visible ASCII`)
  }
  return headers
}

function resultOf(
  status: number,
  answer: string,
  retrying: { readonly afterSeconds: number; readonly retriesMax: number },
): OuterResult {
  if (status >= 200 && status < 300) return { outcome: 'done', output: { status, answer } }
  const fault = `answered with ${status}`
  return RETRYABLE.has(status) || status >= 500
    ? { outcome: 'retry', fault, ...retrying }
    : { outcome: 'failed', fault }
}
