import { addressPolicy, type Listener } from './address-policy.ts'
import { openConnections } from './connection-pool.ts'
import { downloadChecked, type Download, type DownloadRequest } from './download.ts'
import { fetchChecked, type Request } from './fetch.ts'
import { openDns } from './dns.ts'
import { postWithin, type Answer, type Post } from './post.ts'
import { hostOf, portOf, resolveAndCheck, type CheckedAddresses } from './resolve.ts'

/** The only network egress of the server: every connection is to an address that the policy has admitted. */
export interface Net {
  /** Resolves the host and asks the policy about every address; connects to nothing. */
  readonly resolveAndCheck: (url: URL) => Promise<CheckedAddresses>
  /** One POST, redirects included, within its budget. Never throws: whatever happens is the answer. */
  readonly post: (post: Post) => Promise<Answer>
  /** One request whose answer is read whole, for protocols of whoever is trusted to give answers. Follows no redirect. */
  readonly fetch: (url: URL, request: Request) => Promise<Response>
  /** One GET whose response is streamed, however large. Follows redirects; the address of each hop is checked. */
  readonly download: (url: URL, request: DownloadRequest) => Promise<Download>
  readonly close: () => Promise<void>
}

export interface NetOptions {
  /** What an administrator admits beyond public addresses; see `parseException`. */
  readonly allowPrivate?: readonly string[]
  /** Where this installation listens: never a destination. What is added to the list later counts from then on. */
  readonly own?: readonly Listener[]
  /** DNS servers to ask instead of the operating system's, `address` or `address:port`. */
  readonly dnsServers?: readonly string[]
  /** Certificate authorities beside the system's, PEM. */
  readonly ca?: string
  /** Through which downloads go, `http://host:port`. */
  readonly proxy?: string | undefined
}

export function openNet({ allowPrivate = [], own = [], dnsServers, ca, proxy }: NetOptions = {}): Net {
  const policy = addressPolicy(allowPrivate, own)
  const names = openDns(dnsServers)
  const admits = (ip: string, url: URL) => policy.decide(ip, portOf(url), hostOf(url)).allowed
  const connections = openConnections(admits, ca)
  const check = (url: URL) => resolveAndCheck(policy, names, url)
  return {
    resolveAndCheck: check,
    post: (post) => postWithin({ resolveAndCheck: check, connections }, post),
    fetch: (url, request) => fetchChecked(check, url, request, ca),
    download: (url, request) => downloadChecked({ resolveAndCheck: check, ca, proxy }, url, request),
    close: () => Promise.resolve(connections.close()),
  }
}
