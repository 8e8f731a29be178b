import type { Connections } from './connection-pool.ts'
import { deadlineIn, type Deadline } from './deadline.ts'
import { sendHttpRequest, type HttpRequest, type HttpResult } from './http-request.ts'
import type { FailureCode } from './failures.ts'
import type { RequestPhase } from './request-phase.ts'
import { redirect, type Hop } from './redirect.ts'
import type { CheckedAddresses } from './resolve.ts'

export interface Post {
  readonly url: URL
  /** Sent as they are, to every hop. */
  readonly headers: Readonly<Record<string, string>>
  /** Sent as long as no redirect has led to another origin: they may be credentials. */
  readonly originHeaders?: Readonly<Record<string, string>>
  readonly body: Buffer
  /** How much of the answer is kept; 4 KiB unless given, at most 64 KiB. */
  readonly excerptBytes?: number
  /** For the whole request: DNS, connections, redirects, the response. */
  readonly budgetMs: number
  /** A kept connection may serve it. What is sent once only opens its own: a kept one may be closed under it. */
  readonly mayReuse?: boolean
}

export interface Answer {
  /** Of the last answer, when one came and led nowhere further. */
  readonly status?: number
  /** Why there is no such answer. */
  readonly fault?: FailureCode
  /** How far the last hop got. */
  readonly phase: RequestPhase
  readonly ms: number
  /** The first bytes of the last body; none from a private destination, which is nobody's to read out. */
  readonly excerpt?: Buffer
  /** As the header Retry-After of the answer asks. */
  readonly retryAfterSeconds?: number
}

/** What a request needs of the network: resolve and check a host, connect to an address that was admitted. */
export interface PostOptions {
  readonly resolveAndCheck: (url: URL) => Promise<CheckedAddresses>
  readonly connections: Connections
}

const REDIRECTS_MAX = 5
/** Addresses of one host that are tried before the attempt has failed. */
const ADDRESSES_MAX = 4
/** How long an address that is not the last may take to connect. */
const CONNECT_MS = 3_000

/** Sends the POST and follows its redirects; each hop is checked, and connected to the addresses that were checked. */
export async function postWithin(options: PostOptions, post: Post): Promise<Answer> {
  const startedAt = performance.now()
  const deadline = deadlineIn(post.budgetMs)
  try {
    const end = await follow(options, post, deadline)
    return { ...end, ms: Math.round(performance.now() - startedAt) }
  } finally {
    deadline.clear()
  }
}

async function follow(options: PostOptions, post: Post, deadline: Deadline): Promise<Omit<Answer, 'ms'>> {
  let hop: Hop = { url: post.url, method: 'POST', isAway: false }
  for (let followed = 0; followed <= REDIRECTS_MAX; followed++) {
    const checked = await inTime(options.resolveAndCheck(hop.url), deadline)
    if ('fault' in checked) return { fault: checked.fault, phase: 'dns' }
    const answer = await reach(options.connections, hop, checked.addresses, { post, deadline })
    const { head, fault = 'connection_lost', phase, excerpt } = answer
    if (!head) return { fault, phase }
    const next = redirect(hop, head.status, head.location)
    if (next === 'refused') return { fault: 'redirect_refused', phase }
    if (next === undefined) {
      const retryAfterSeconds = secondsIn(head.retryAfter)
      return {
        status: head.status,
        phase,
        ...(!checked.isPrivate && { excerpt }),
        ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
      }
    }
    hop = next
  }
  return { fault: 'too_many_redirects', phase: 'read' }
}

/** RFC 9110 §10.2.3: seconds, or a date. */
function secondsIn(header: string | undefined): number | undefined {
  if (header === undefined) return undefined
  if (/^\d{1,9}$/.test(header)) return Number(header)
  const at = Date.parse(header)
  return Number.isNaN(at) ? undefined : Math.max(0, Math.ceil((at - Date.now()) / 1_000))
}

/** DNS has its own patience; the budget's is shorter when it runs out first. */
function inTime(checking: Promise<CheckedAddresses>, deadline: Deadline): Promise<CheckedAddresses> {
  const { promise, resolve, reject } = Promise.withResolvers<CheckedAddresses>()
  deadline.onOver(() => resolve({ fault: 'timeout' }))
  checking.then(resolve, reject)
  return promise
}

interface PostAttempt {
  readonly post: Post
  readonly deadline: Deadline
}

/** Nothing was sent on a connection that did not open, so the next address may be tried. */
async function reach(
  connections: Connections,
  hop: Hop,
  addresses: readonly string[],
  attempt: PostAttempt,
): Promise<HttpResult> {
  const [ip = '', ...others] = addresses.slice(0, ADDRESSES_MAX)
  const message = messageOf(hop, attempt)
  const request = others.length > 0 ? { ...message, connectMs: CONNECT_MS } : message
  const connection =
    attempt.post.mayReuse === true ? connections.take(hop.url, ip) : connections.open(hop.url, ip)
  const answer = await sendHttpRequest(connection, request)
  const mayTryNext = answer.fault === 'connect_failed' && others.length > 0 && !attempt.deadline.isOver()
  return mayTryNext ? reach(connections, hop, others, attempt) : answer
}

/** A hop that became GET (303) carries no body, so nothing that describes one. */
function messageOf({ url, method, isAway }: Hop, { post, deadline }: PostAttempt): HttpRequest {
  const headers = isAway ? post.headers : { ...post.originHeaders, ...post.headers }
  const { excerptBytes } = post
  const kept = excerptBytes === undefined ? {} : { excerptBytes }
  if (method === 'POST') return { url, method, headers, body: post.body, deadline, ...kept }
  const bodiless = Object.entries(headers).filter(([name]) => !/^content-/i.test(name))
  return { url, method, headers: Object.fromEntries(bodiless), body: null, deadline, ...kept }
}
