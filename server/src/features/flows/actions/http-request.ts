import { Type } from 'typebox'
import { invalid } from '#platform/errors.ts'
import type { OuterAction, OuterResult, Settings } from './action.ts'

const BUDGET_MS = 10_000
const EXCERPT_CHARACTERS = 4_096
const RETRYABLE: ReadonlySet<number> = new Set([408, 425, 429])

/** One POST with a JSON or text body; redirects and addresses are checked as for webhooks. */
export const httpRequestAction: OuterAction = {
  name: 'http_request',
  kind: 'outer',
  sentence: 'Sends an HTTP POST; network errors, 408, 425, 429 and 5xx are tried again.',
  settings: Type.Object({
    url: Type.String({ pattern: '^https?://', maxLength: 2_000 }),
    body: Type.Optional(Type.String({ maxLength: 65_536 })),
    contentType: Type.Optional(Type.String({ pattern: '^[\\w.+-]+/[\\w.+-]+$' })),
  }),
  templates: ['url', 'body'],
  async run(ctx, settings, { idempotencyKey }) {
    const { url, body = '', contentType = 'application/json' } = settings as Partial<Record<string, string>>
    const { status, fault, excerpt } = await ctx.net.post({
      url: destination(url ?? ''),
      headers: { 'content-type': contentType, 'user-agent': 'Rollcall', 'idempotency-key': idempotencyKey },
      body: Buffer.from(body),
      budgetMs: BUDGET_MS,
    })
    if (status === undefined) return { outcome: 'retry', fault: `no answer: ${fault ?? 'unknown'}` }
    return resultOf(status, excerpt?.toString().slice(0, EXCERPT_CHARACTERS) ?? '')
  },
  describe: ({ url }: Settings) => `would POST to ${String(url)}`,
}

function destination(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url || !/^https?:$/.test(url.protocol)) throw invalid('url', `${text} is no http or https address`)
  if (url.username || url.password) throw invalid('url', 'must hold no user name or password')
  return url
}

function resultOf(status: number, answer: string): OuterResult {
  if (status >= 200 && status < 300) return { outcome: 'done', output: { status, answer } }
  const fault = `answered with ${status}`
  return RETRYABLE.has(status) || status >= 500 ? { outcome: 'retry', fault } : { outcome: 'failed', fault }
}
