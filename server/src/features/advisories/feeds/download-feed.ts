import { setTimeout as sleep } from 'node:timers/promises'
import type { Ctx } from '#platform/context.ts'
import type { Download } from '#platform/egress/download.ts'
import { FeedError } from './feed-error.ts'

export interface FeedRequest {
  readonly url: string
  readonly headers?: Readonly<Record<string, string>>
  /** ETag of the stored file; an unchanged file is not sent again. */
  readonly etag?: string | null
  readonly lastModified?: string | null
  readonly signal?: AbortSignal
  /** Waits between attempts, for tests. */
  readonly waitMs?: readonly number[]
}

export type Fetched =
  | { readonly outcome: 'unchanged' }
  | { readonly outcome: 'missing' }
  | {
      readonly outcome: 'new'
      readonly etag: string | null
      readonly lastModified: string | null
      /** As announced by the server. */
      readonly bytesTotal?: number
      readonly content: AsyncIterable<Buffer>
    }

const WAITS_MS = [2_000, 10_000, 30_000] as const
const RETRY_AFTER_MAX_MS = 300_000
/** Statuses after which a request is repeated. */
const TEMPORARY_STATUSES = new Set([408, 425, 429, 500, 502, 503, 504])
const AGENT = 'rollcall'

/**
 * Downloads a file. Temporary failures are retried after a delay, or after the server's Retry-After; an interrupted
 * body is resumed with a range request while the file is unchanged. Throws a FeedError when there is no file.
 */
export async function fetchFeed(ctx: Ctx, wanted: FeedRequest): Promise<Fetched> {
  const known = {
    ...(wanted.etag && { 'if-none-match': wanted.etag }),
    ...(!wanted.etag && wanted.lastModified && { 'if-modified-since': wanted.lastModified }),
  }
  const answer = await requestWithRetries(ctx, wanted, known)
  await (answer.status === 200 ? undefined : drop(answer))
  if (answer.status === 304) return { outcome: 'unchanged' }
  if (answer.status === 404 || answer.status === 410) return { outcome: 'missing' }
  if (answer.status !== 200) throw new FeedError(`${wanted.url}: answered ${answer.status}`)
  const length = Number(answer.headers.get('content-length'))
  const bytesTotal = Number.isSafeInteger(length) && length > 0 ? length : undefined
  return {
    outcome: 'new',
    etag: answer.headers.get('etag') ?? null,
    lastModified: answer.headers.get('last-modified') ?? null,
    ...(bytesTotal !== undefined && { bytesTotal }),
    content: wholeBody(ctx, wanted, { answer, bytesTotal }),
  }
}

type RequestHeaders = Readonly<Record<string, string>>

async function requestWithRetries(ctx: Ctx, wanted: FeedRequest, more: RequestHeaders): Promise<Download> {
  const waits = wanted.waitMs ?? WAITS_MS
  for (let attempt = 0; ; attempt++) {
    const answer = await request(ctx, wanted, more).catch((error: unknown) => error as Error)
    const wait = waits[attempt]
    if (!(answer instanceof Error) && !TEMPORARY_STATUSES.has(answer.status)) return answer
    if (wanted.signal?.aborted || wait === undefined || isFinal(answer)) {
      if (answer instanceof Error) throw new FeedError(`${wanted.url}: ${reasonOf(answer)}`)
      return answer
    }
    await sleep(answer instanceof Error ? wait : Math.max(wait, retryAfter(ctx, answer)), undefined, wanted)
  }
}

const request = (ctx: Ctx, { url, headers, signal }: FeedRequest, more: RequestHeaders): Promise<Download> =>
  ctx.net.download(new URL(url), {
    headers: { 'user-agent': AGENT, ...headers, ...more },
    ...(signal && { signal }),
  })

/** Refusals by the address policy are not retried. */
const isFinal = (answer: Download | Error): boolean =>
  answer instanceof Error && /address_refused|redirect_refused|too_many_redirects/.test(answer.message)

/** RFC 9110, 10.2.3: seconds or a date. */
function retryAfter(ctx: Ctx, answer: Download): number {
  const header = answer.headers.get('retry-after') ?? ''
  const ms = /^\d+$/.test(header) ? Number(header) * 1_000 : Date.parse(header) - ctx.now().getTime()
  return Number.isNaN(ms) ? 0 : Math.min(Math.max(ms, 0), RETRY_AFTER_MAX_MS)
}

interface Begun {
  readonly answer: Download
  readonly bytesTotal: number | undefined
}

async function* wholeBody(
  ctx: Ctx,
  wanted: FeedRequest,
  { answer, bytesTotal }: Begun,
): AsyncIterable<Buffer> {
  const validator = answer.headers.get('etag') ?? answer.headers.get('last-modified')
  let body = answer.body
  let received = 0
  for (let breaks = 0; ;) {
    try {
      for await (const chunk of body) {
        received += chunk.length
        breaks = 0
        yield chunk
      }
      if (bytesTotal === undefined || received >= bytesTotal) return
      throw new Error(`ended after ${received} of ${bytesTotal} bytes`)
    } catch (error) {
      const wait = (wanted.waitMs ?? WAITS_MS)[breaks++]
      const isOurs = wanted.signal?.aborted === true
      if (isOurs || wait === undefined || !validator || bytesTotal === undefined)
        throw new FeedError(`${wanted.url}: ${reasonOf(error as Error)}`)
      await sleep(wait, undefined, wanted)
    }
    body = await restOf(ctx, wanted, { validator, received })
  }
}

/** RFC 9110, 13.1.5 and 14: the rest of the same file; fails when the file has changed meanwhile. */
async function restOf(
  ctx: Ctx,
  wanted: FeedRequest,
  { validator, received }: { readonly validator: string; readonly received: number },
): Promise<AsyncIterable<Buffer>> {
  const answer = await requestWithRetries(ctx, wanted, { range: `bytes=${received}-`, 'if-range': validator })
  const [, from] = /^bytes (\d+)-/.exec(answer.headers.get('content-range') ?? '') ?? []
  if (answer.status === 206 && Number(from) === received) return answer.body
  await drop(answer)
  throw new FeedError(
    `${wanted.url}: broke off after ${received} bytes, and the rest of the same file cannot be had`,
  )
}

async function drop(answer: Download): Promise<void> {
  for await (const chunk of answer.body) {
    void chunk
    return
  }
}

const reasonOf = (error: Error): string => {
  const cause = error.cause instanceof Error ? error.cause : error
  return (cause as NodeJS.ErrnoException).code ?? error.message
}
