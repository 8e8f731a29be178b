/** What one HTTP request is sent to and how. */
export interface Hop {
  readonly url: URL
  readonly method: 'POST' | 'GET'
  /** An earlier redirect has led to another origin, even if a later one led back. */
  readonly isAway: boolean
}

const KEEPS_METHOD: ReadonlySet<number> = new Set([301, 302, 307, 308])
const SEE_OTHER = 303

/**
 * Where an answer sends a request next; undefined when it is no redirect; 'refused' when it is one that is not
 * followed: no single Location, a scheme other than http and https, or a user name or password in it.
 * 301 and 302 keep the method, which RFC 9110 §15.4 allows: a POST turned into GET would be acknowledged without its body.
 */
export function redirect(from: Hop, status: number, location: unknown): Hop | 'refused' | undefined {
  if (!KEEPS_METHOD.has(status) && status !== SEE_OTHER) return undefined
  if (typeof location !== 'string' || location === '') return 'refused'
  const url = URL.parse(location, from.url.href)
  if (!url || !isPlainHttp(url)) return 'refused'
  url.hash = ''
  const isAway = from.isAway || url.origin !== from.url.origin
  return { url, method: status === SEE_OTHER ? 'GET' : from.method, isAway }
}

/** Scheme http or https, no user name or password, a port that can be connected to. */
export function isPlainHttp(url: URL): boolean {
  const isHttp = url.protocol === 'http:' || url.protocol === 'https:'
  return isHttp && url.username === '' && url.password === '' && url.port !== '0'
}
