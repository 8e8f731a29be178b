import { setTimeout as sleep } from 'node:timers/promises'
import { CloudFault, type FaultKind } from './cloud-fault.ts'
import type { Session } from './connector.ts'

/** One call of a provider's API. */
export interface CloudCall {
  readonly method: 'GET' | 'POST'
  readonly url: URL
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  /** The only certificate authority by which the server is known, PEM. */
  readonly ca?: string
  /** What shares a limit of the provider with this call. */
  readonly bucket: string
  /** What it is, for messages: `ec2:DescribeInstances`. */
  readonly action: string
}

/** What one provider's answers mean, and how its calls are signed. */
export interface CloudApi {
  /** Headers that say who is calling; signs in where nobody is yet. */
  readonly authorize: (call: CloudCall) => Promise<Readonly<Record<string, string>>>
  /** Forgets the credentials, so that the next call signs in anew. */
  readonly renew: () => void
  readonly judge: (answer: CloudAnswer, call: CloudCall) => Verdict
}

export interface CloudAnswer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

export type Verdict =
  | { readonly kind: 'ok' }
  /** New credentials, once. */
  | { readonly kind: 'expired'; readonly message: string }
  /** Repeated. */
  | { readonly kind: 'throttled' | 'unavailable'; readonly message: string }
  /** Final. */
  | { readonly kind: Exclude<FaultKind, 'throttled' | 'unavailable'>; readonly message: string }

/** The longest page that any list of the providers answers is some 8 MB. */
const ANSWER_BYTES_MAX = 33_554_432
/** What a provider says is cut to this in messages. */
const SAID_LENGTH_MAX = 200

/**
 * Makes a call until it has an answer, within the session's pace: throttled calls wait as the provider says or longer
 * each time, and slow down those that share the limit. Throws CloudFault.
 */
export async function callCloud(session: Session, api: CloudApi, call: CloudCall): Promise<CloudAnswer> {
  let hasRenewed = false
  for (let tries = 1; ; tries += 1) {
    session.signal.throwIfAborted()
    await session.rates.take(call.bucket)
    const { answer, verdict } = await attempt(session, api, call)
    if (verdict.kind === 'ok' && answer) return answer
    if (verdict.kind === 'expired' && !hasRenewed) {
      hasRenewed = true
      api.renew()
      continue
    }
    await waitOrThrow(session, call, { verdict, answer, tries })
  }
}

interface Failure {
  readonly verdict: Verdict
  readonly answer: CloudAnswer | undefined
  readonly tries: number
}

async function waitOrThrow(session: Session, call: CloudCall, failure: Failure): Promise<void> {
  const { verdict, answer, tries } = failure
  if (verdict.kind === 'ok') throw new Error('an answer that is good is no failure')
  const kind = verdict.kind === 'expired' ? 'sign_in' : verdict.kind
  const { pace } = session
  const triesMax = kind === 'throttled' ? pace.throttledTries : kind === 'unavailable' ? pace.failedTries : 1
  const told = `${call.action}: ${cut(verdict.message)}`
  if (kind === 'throttled') await session.rates.throttled(call.bucket)
  if (tries >= triesMax) throw new CloudFault(kind, told)
  const waitMs = retryAfterMs(answer) ?? Math.random() * Math.min(pace.waitMaxMs, pace.baseMs * 2 ** tries)
  // the deadline of the reading ends the wait
  await sleep(Math.min(waitMs, pace.deadlineMs), undefined, { signal: session.signal })
}

async function attempt(
  session: Session,
  api: CloudApi,
  call: CloudCall,
): Promise<{ answer?: CloudAnswer; verdict: Verdict }> {
  const authorization = await api.authorize(call)
  try {
    const response = await session.net.fetch(call.url, {
      method: call.method,
      headers: { ...call.headers, ...authorization },
      ...(call.body !== undefined && { body: call.body }),
      ...(call.ca !== undefined && { ca: call.ca }),
      bytesMax: ANSWER_BYTES_MAX,
      budgetMs: session.pace.callMs,
      signal: session.signal,
    })
    const answer = { status: response.status, headers: response.headers, text: await response.text() }
    return { answer, verdict: api.judge(answer, call) }
  } catch (error) {
    session.signal.throwIfAborted()
    return { verdict: { kind: 'unavailable', message: reasonOf(error) } }
  }
}

/**
 * RFC 9110 §10.2.3, in seconds alone: all providers use that form. Azure Cost Management has several, of which the longest
 * counts: `x-ms-ratelimit-microsoft.costmanagement-qpu-retry-after`, `-entity-`, `-tenant-`.
 */
function retryAfterMs(answer: CloudAnswer | undefined): number | undefined {
  const all = [...(answer?.headers ?? [])]
    .filter(([name]) => name.endsWith('retry-after'))
    .map(([, value]) => Number(value))
    .filter((it) => Number.isFinite(it) && it >= 0)
  return all.length === 0 ? undefined : Math.max(...all) * 1_000
}

export const cut = (text: string): string =>
  text.length > SAID_LENGTH_MAX ? `${text.slice(0, SAID_LENGTH_MAX)}…` : text

function reasonOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
  return cause instanceof Error ? cause.message : 'no answer'
}

/** The answer as JSON; what is not JSON was cut or comes from something in between, and may be right the next time. */
export function jsonOf(answer: Pick<CloudAnswer, 'text'>): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(answer.text)
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined
  } catch {
    return undefined
  }
}
