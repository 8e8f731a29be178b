import { getCACertificates } from 'node:tls'
import type { RequestInit as UndiciRequest } from 'undici'
import { pinnedTo } from './pinned-lookup.ts'
import type { CheckedAddresses } from './resolve.ts'

export interface Request {
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string | undefined
  /** Of the answer; 1 MiB unless given. */
  readonly bytesMax?: number
  /** For the whole request; ten seconds unless given. */
  readonly budgetMs?: number
  readonly signal?: AbortSignal
  /** The only certificate authority by which the server is known, PEM. */
  readonly ca?: string
}

const BUDGET_MS = 10_000
const BODY_BYTES_MAX = 1_048_576
/** Fetch Standard, §2.2.3: with these a body is an error. */
const BODILESS = [204, 205, 304]

/**
 * One request, read whole, to an address that was admitted; redirects are not followed. Throws when there is no
 * answer, or one that is too large.
 */
export async function fetchChecked(
  resolveAndCheck: (url: URL) => Promise<CheckedAddresses>,
  url: URL,
  request: Request,
  ca?: string,
): Promise<Response> {
  const checked = await resolveAndCheck(url)
  if ('fault' in checked) throw new Error(`${url.host}: ${checked.fault}`)
  const { Agent, fetch: undiciFetch } = await import('undici')
  const agent = new Agent({
    connect: {
      lookup: pinnedTo(checked.addresses),
      ...(ca && { ca: [...getCACertificates('default'), ca] }),
      ...(request.ca !== undefined && { ca: request.ca }),
    },
    maxResponseSize: request.bytesMax ?? BODY_BYTES_MAX,
  })
  const { method, headers, body = null, budgetMs = BUDGET_MS, signal } = request
  const init: UndiciRequest = { method, headers, body, redirect: 'manual', dispatcher: agent }
  const timeout = AbortSignal.timeout(budgetMs)
  try {
    const answer = await undiciFetch(url, {
      ...init,
      signal: signal ? AbortSignal.any([timeout, signal]) : timeout,
    })
    const bytes = await answer.arrayBuffer()
    const { status } = answer
    return new Response(BODILESS.includes(status) ? null : bytes, { status, headers: [...answer.headers] })
  } finally {
    await agent.destroy()
  }
}
