import { getCACertificates } from 'node:tls'
import { isIP } from 'node:net'
import type { Dispatcher } from 'undici'
import { pinnedTo } from './pinned-lookup.ts'
import { redirect, type Hop } from './redirect.ts'
import { hostOf, type CheckedAddresses } from './resolve.ts'

export interface DownloadRequest {
  readonly headers: Readonly<Record<string, string>>
  readonly signal?: AbortSignal
}

/** An answer whose body is read as it comes; whoever asked reads it to its end or returns from it. */
export interface Download {
  readonly status: number
  /** By name in lower case. */
  readonly headers: ReadonlyMap<string, string>
  readonly body: AsyncIterable<Buffer>
}

/** How a download resolves names, trusts certificates and is proxied. */
export interface DownloadOptions {
  readonly resolveAndCheck: (url: URL) => Promise<CheckedAddresses>
  readonly ca?: string | undefined
  /** An HTTP proxy of the administrator's; it resolves names, so that only addresses in the URL are checked here. */
  readonly proxy?: string | undefined
}

const REDIRECTS_MAX = 5
/** How long an answer may take to begin, and between two pieces of its body. */
const SILENCE_MS = 60_000
/** A body that brings less than this in so much waiting is held back on purpose or as good as dead. */
const PACE_BYTES = 16_384
const PACE_MS = 60_000

/** One GET, its redirects followed, every address of every hop checked against the policy. Throws when there is no answer. */
export async function downloadChecked(
  options: DownloadOptions,
  url: URL,
  request: DownloadRequest,
): Promise<Download> {
  let hop: Hop = { url, method: 'GET', isAway: false }
  for (let followed = 0; followed <= REDIRECTS_MAX; followed++) {
    const agent = await agentFor(options, hop.url)
    try {
      const answer = await ask(agent, hop, request)
      const next = redirect(hop, answer.statusCode, answer.headers['location'])
      if (next === 'refused') throw new Error(`${hop.url.host}: redirect_refused`)
      if (next === undefined) return toDownload(answer, agent)
      hop = { ...next, method: 'GET' }
    } catch (error) {
      await agent.destroy()
      throw error
    }
    await agent.destroy()
  }
  throw new Error(`${url.host}: too_many_redirects`)
}

/** The name is not asked for a second time, when the answer might be another. */
async function agentFor(options: DownloadOptions, url: URL): Promise<Dispatcher> {
  const timeouts = { headersTimeout: SILENCE_MS, bodyTimeout: SILENCE_MS }
  const trust = options.ca ? { ca: [...getCACertificates('default'), options.ca] } : {}
  const checked: CheckedAddresses =
    options.proxy && isIP(hostOf(url)) === 0
      ? { addresses: [], isPrivate: false }
      : await options.resolveAndCheck(url)
  if ('fault' in checked) throw new Error(`${url.host}: ${checked.fault}`)
  const { Agent, ProxyAgent } = await import('undici')
  if (options.proxy) return new ProxyAgent({ uri: options.proxy, requestTls: trust, ...timeouts })
  return new Agent({ connect: { lookup: pinnedTo(checked.addresses), ...trust }, ...timeouts })
}

/** Headers may be credentials, which another origin does not get. */
function ask(
  agent: Dispatcher,
  { url, isAway }: Hop,
  request: DownloadRequest,
): Promise<Dispatcher.ResponseData> {
  return agent.request({
    origin: url.origin,
    path: `${url.pathname}${url.search}`,
    method: 'GET',
    headers: {
      'accept-encoding': 'identity',
      ...(isAway ? withoutSecrets(request.headers) : request.headers),
    },
    ...(request.signal && { signal: request.signal }),
  })
}

const withoutSecrets = (headers: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !/key|authorization|cookie/i.test(name)))

function toDownload(answer: Dispatcher.ResponseData, agent: Dispatcher): Download {
  const headers = Object.entries(answer.headers).flatMap(([name, value]) =>
    value === undefined ? [] : [[name.toLowerCase(), String(value)] as const],
  )
  return { status: answer.statusCode, headers: new Map(headers), body: paced(answer.body, agent) }
}

/** Only time spent waiting for the other side counts: the reader may be as slow as it needs. */
async function* paced(body: AsyncIterable<Buffer>, agent: Dispatcher): AsyncIterable<Buffer> {
  const source = body[Symbol.asyncIterator]()
  let waited = 0
  let bytes = 0
  try {
    for (;;) {
      const since = performance.now()
      const next = await source.next()
      if (next.done) return
      waited += performance.now() - since
      bytes += next.value.length
      if (waited > PACE_MS && bytes < PACE_BYTES) throw new Error('too_slow')
      if (waited > PACE_MS) waited = bytes = 0
      yield next.value
    }
  } finally {
    await agent.destroy()
  }
}
