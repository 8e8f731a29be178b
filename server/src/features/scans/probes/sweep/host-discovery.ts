import { setTimeout as sleep } from 'node:timers/promises'
import type { Echo } from './icmp-echo.ts'
import type { Interfaces } from './network-interfaces.ts'
import { isAlive, type Answer, type TcpProber } from './tcp-connect.ts'
import type { Neighbours } from './arp-table.ts'
import type { RateLimiter } from './packet-rate-limit.ts'
import type { TouchCounter } from '../touches/touch-counter.ts'

/** An address at which something lives, and how that was noticed. */
export interface LiveHost {
  readonly address: string
  readonly foundBy: 'own interface' | 'tcp' | 'icmp echo' | 'neighbour table'
  readonly mac?: string
  readonly rttMs?: number
  /** What its ports answered so far. */
  readonly ports: ReadonlyMap<number, Answer>
}

export interface DiscoveryContext {
  readonly signal: AbortSignal
  readonly rateLimiter: RateLimiter
  readonly tcpProber: TcpProber
  readonly interfaces: Interfaces
  /** Absent where the neighbour table cannot be read. */
  readonly neighbours: Neighbours | undefined
  /** Absent where ICMP is not permitted. */
  readonly echo: Echo | undefined
  /** Called for every address that this machine has no route to. */
  readonly noRoute: () => void
  readonly touches: TouchCounter | undefined
}

/** Ports of which most machines answer at least one, if only by refusing; those that answer most often first. */
export const DISCOVERY_PORTS = [443, 80, 22, 445, 3389, 23, 8080, 53] as const
/** Pause between two ports of an address that is silent so far: four packets a second. */
const NEXT_PORT_MS = 250
const PROBE_MS = 800
/** On the local link an answer that takes longer comes from a machine that also answered something else. */
const PROBE_ON_LINK_MS = 500
/** The kernel asks again for a neighbour after a second, so two questions are waited for. */
const RESOLVE_MS = 1100
/** For a neighbour that it remembers it waits five seconds for a sign of life, then asks three times in a row. */
const RESOLVE_REMEMBERED_MS = 9000
/** When it asks for the third and last time, counted from the end of our waiting. */
const LAST_QUESTION_MS = 900

/** How long a port of a live host may take to answer. */
export const portTimeoutMs = (
  address: string,
  { interfaces }: Pick<DiscoveryContext, 'interfaces'>,
): number => (interfaces.isOnLink(address) ? PROBE_ON_LINK_MS : PROBE_MS)

/** Whether a host is alive at an address: on the local link by its neighbour entry, else by TCP ports and ICMP echo. */
export async function discoverHost(
  address: string,
  context: DiscoveryContext,
): Promise<LiveHost | undefined> {
  const own = context.interfaces.own(address)
  if (own) return { address, foundBy: 'own interface', ports: new Map(), ...own }
  const { neighbours } = context
  if (!neighbours || !context.interfaces.isOnLink(address)) return discoverRemote(address, context)
  const live = await discoverNeighbour(address, context, neighbours)
  context.rateLimiter.owe(1)
  if (!live) context.rateLimiter.owe(1, LAST_QUESTION_MS)
  return live
}

async function discoverNeighbour(
  address: string,
  context: DiscoveryContext,
  neighbours: Neighbours,
): Promise<LiveHost | undefined> {
  const [port] = DISCOVERY_PORTS
  const isRemembered = neighbours.isRemembered(address)
  const timeoutMs = isRemembered ? RESOLVE_REMEMBERED_MS : RESOLVE_MS
  const enough = new AbortController()
  const appeared = Promise.withResolvers<LiveHost>()
  const byTable = (mac?: string): LiveHost => ({
    address,
    foundBy: 'neighbour table',
    ...(mac && { mac }),
    ports: new Map(),
  })
  await context.tcpProber.acquire()
  const stopWatching = neighbours.watch(address, ({ mac }) => appeared.resolve(byTable(mac)))
  const probed = context.tcpProber.probe({ address, port, timeoutMs, enough: enough.signal })
  try {
    const first = await Promise.race([probed, appeared.promise])
    if ('address' in first) return first
    if (isAlive(first)) return byTcp(address, new Map([[port, first]]))
    if (first.state === 'no route') context.noRoute()
    // A neighbour that refuses by ICMP looks unreachable, though it answered; one that is remembered had its time.
    const mayRemain = first.state === 'unreachable' || isRemembered
    return mayRemain && (await neighbours.remains(address)) ? byTable() : undefined
  } finally {
    stopWatching()
    enough.abort()
  }
}

async function discoverRemote(address: string, context: DiscoveryContext): Promise<LiveHost | undefined> {
  const enough = new AbortController()
  const found = Promise.withResolvers<LiveHost | undefined>()
  void found.promise.catch(() => undefined).finally(() => enough.abort())
  const ports = new Map<number, Answer>()
  const probe = async (port: number): Promise<void> => {
    const answer = await context.tcpProber.probe({
      address,
      port,
      timeoutMs: PROBE_MS,
      enough: enough.signal,
    })
    if (enough.signal.aborted) return
    ports.set(port, answer)
    if (isAlive(answer)) found.resolve(byTcp(address, ports))
    if (answer.state !== 'no route') return
    context.noRoute()
    found.resolve(undefined)
  }
  const echo = async (): Promise<void> => {
    if (!context.echo) return
    context.touches?.count(address, { packets: 1, probes: 1 })
    const rttMs = await context.echo(address)
    if (rttMs !== undefined) found.resolve({ address, foundBy: 'icmp echo', rttMs, ports })
  }
  const asked = [echo().catch(found.reject)]
  for (const port of DISCOVERY_PORTS) {
    await context.tcpProber.acquire()
    if (enough.signal.aborted) break
    asked.push(probe(port).catch(found.reject))
    await Promise.race([found.promise, sleep(NEXT_PORT_MS)])
  }
  void Promise.all(asked).then(() => found.resolve(undefined))
  return found.promise
}

function byTcp(address: string, ports: ReadonlyMap<number, Answer>): LiveHost {
  const answers = [...ports.values()].filter(isAlive)
  return { address, foundBy: 'tcp', rttMs: Math.min(...answers.map((it) => it.rttMs)), ports }
}
