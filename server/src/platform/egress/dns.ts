import { lookup, Resolver } from 'node:dns/promises'

/** Host names to addresses. An empty answer means that the name has none, or that nobody would say. */
export interface Dns {
  /** Asks DNS alone, without the operating system's thread pool, search list or hosts file. */
  readonly resolve: (host: string) => Promise<readonly string[]>
  /** As every program on this machine sees the name: hosts file, container names, local zones. */
  readonly resolveLocally: (host: string) => Promise<readonly string[]>
}

const QUERY_TIMEOUT_MS = 2_000
const TRIES = 3
/** How long an answer is reused, so that a burst for one host sends one query; shorter than any retry delay. */
const REUSE_MS = 1_000
/** RFC 6761 §6.3: the name means loopback, whatever DNS answers. */
const LOCALHOST = /(?:^|\.)localhost$/

/** `servers` are asked instead of the operating system's: `address` or `address:port`. */
export function openDns(servers?: readonly string[]): Dns {
  const ask = async (host: string) => {
    if (LOCALHOST.test(host)) return ['127.0.0.1']
    const resolver = openResolver(servers)
    const [ipv4, ipv6] = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)])
    return [...answersOf(ipv4), ...answersOf(ipv6)]
  }
  const askLocally = async (host: string) => {
    const found = await lookup(host, { all: true }).catch(() => [])
    return found.map((it) => it.address)
  }
  return { resolve: briefly(ask), resolveLocally: briefly(askLocally) }
}

/**
 * One resolver per query. c-ares sends all queries of a resolver over one socket and closes it when one of them times out
 * or gets a malformed answer: the others would lose a try. It also derives time-outs from recent answers, so fast names
 * would leave slow ones no time.
 */
function openResolver(servers: readonly string[] | undefined): Resolver {
  const resolver = new Resolver({ timeout: QUERY_TIMEOUT_MS, maxTimeout: QUERY_TIMEOUT_MS, tries: TRIES })
  if (servers) resolver.setServers(servers)
  return resolver
}

const answersOf = (answer: PromiseSettledResult<string[]>): string[] =>
  answer.status === 'fulfilled' ? answer.value : []

type Ask = (host: string) => Promise<readonly string[]>

/** Calls for a host share the query in flight, and its answer for `REUSE_MS` after. */
function briefly(ask: Ask): Ask {
  const known = new Map<string, Promise<readonly string[]>>()
  return (host) => {
    const underWay = known.get(host)
    if (underWay) return underWay
    const answer = ask(host).finally(() => setTimeout(() => known.delete(host), REUSE_MS).unref())
    known.set(host, answer)
    return answer
  }
}
