import { networkInterfaces } from 'node:os'
import type { Observation } from '#features/assets/observation.ts'
import { parseNetwork, type Network } from '../targets/ip-network.ts'
import { ProbeFailure, type Probe, type ProbeOptions, type ProbeTarget, type Progress } from './probe.ts'
import { networksOf } from './target/target-addresses.ts'
import { Governor } from './governor/governor.ts'
import { concurrently } from './sweep/concurrency.ts'
import { concurrencyLimit } from './sweep/concurrency-limit.ts'
import { scanPorts, type PortScanContext } from './sweep/port-scan.ts'
import { openEcho } from './sweep/icmp-echo.ts'
import { discoverHost, type DiscoveryContext, type LiveHost } from './sweep/host-discovery.ts'
import { readInterfaces, type Interfaces } from './sweep/network-interfaces.ts'
import { TcpProber } from './sweep/tcp-connect.ts'
import { forgetStale, Neighbours, readNeighbours } from './sweep/arp-table.ts'
import { RateLimiter } from './sweep/packet-rate-limit.ts'
import { SampledOrder } from './sweep/sampled-order.ts'
import { ScanProgress, type Place } from './sweep/sweep-progress.ts'
import { NameQueries } from './sweep/names/name-queries.ts'
import { pathsOf, type NetworkPath } from './sweep/network-paths.ts'

/**
 * Finds the live hosts of a range without any privilege: by TCP connections that are made and closed, by ICMP echo
 * where `fping` or `ping` may send it, and on the local link by the kernel's own address resolution. Asks those
 * that live for their names.
 */
export const sweep: Probe = {
  type: 'sweep',
  title: 'Network sweep',
  accepts(target) {
    const range = target.kind === 'cidr' ? parseNetwork(target.cidr) : true
    return typeof range === 'string' ? range : true
  },
  run,
}

/**
 * At most 1,000 packets a second; the margin is for `fping`, which sends the 32 that it is given later than they were granted.
 * The burst makes up for moments in which this process does not run: starting another one takes it up to 20 ms.
 */
const PACKET_RATE = { perSecond: 968, burst: 20 }
/**
 * Addresses at once of which it is not known whether something lives there. On the local link each takes an entry of the
 * kernel's neighbour table, which holds 1,024, for three seconds; so many silent ones are as fast as the pace allows.
 */
const CONCURRENT_DISCOVERIES = 256
/** With live hosts whose ports are being scanned: they must not keep others from being found, or the end of a sweep waits. */
const CONCURRENT_ADDRESSES = 512

type SweepContext = DiscoveryContext & PortScanContext

async function* run(target: ProbeTarget, options: ProbeOptions): AsyncGenerator<Observation> {
  const ranges = await networksOf(target)
  const size = ranges.reduce((sum, range) => sum + range.size, 0)
  const scanProgress = new ScanProgress(size, options.onProgress, undefined, options.isKnown)
  options.onProgress?.(scanProgress.progress)
  const rateLimiter = new RateLimiter(PACKET_RATE)
  const { governor = new Governor() } = options
  scanProgress.restraint = () => restraintOf(governor, rateLimiter)
  const shared = { ...options, rateLimiter, scanProgress, governor, pathOf: pathsOf(target) }
  let unreached = 0
  for (const range of ranges) {
    const isReached = yield* sweepRange(range, shared)
    if (!isReached && ++unreached === ranges.length) throw noRoute(ranges)
  }
}

function restraintOf({ stops }: Governor, { slowed }: RateLimiter): Pick<Progress, 'stops' | 'slowed'> {
  return { ...(stops.length > 0 && { stops }), ...(slowed !== '' && { slowed }) }
}

interface SweepOptions extends ProbeOptions {
  readonly governor: Governor
  readonly rateLimiter: RateLimiter
  readonly scanProgress: ScanProgress
  readonly pathOf: (address: string) => NetworkPath | undefined
}

/** False when this machine has no route there; the rest of the range is then passed over. */
async function* sweepRange(range: Network, options: SweepOptions): AsyncGenerator<Observation, boolean> {
  const { scanProgress, isKnown, touches } = options
  options.rateLimiter.forgetRoundTrips()
  const ended = new AbortController()
  const signal = AbortSignal.any([options.signal, ended.signal])
  const toDo = new SampledOrder(scanProgress.open(range.addresses(), options.settled), isKnown)
  scanProgress.sampledOnly = () => toDo.sampledOnly
  const discoveries = concurrencyLimit(CONCURRENT_DISCOVERIES)
  let withoutRoute = 0
  const context = await openContext(range, { ...options, signal }, () => withoutRoute++)
  const scanAddress = async (place: Place): Promise<Observation | undefined> => {
    const { address } = place
    const isDone = isKnown?.(address) === true
    const endDiscovery = await discoveries.acquire()
    const isPassed = isDone || isStopped(address, range, options)
    const discovered = isPassed ? Promise.resolve(undefined) : touched(address, context)
    const live = await discovered.finally(endDiscovery)
    if (live) toDo.noteLive(address)
    const observation = live && (await scanPorts(live, context).finally(() => touches?.release(address)))
    scanProgress.placeDone(place, isDone || live !== undefined)
    return observation
  }
  try {
    await context.nameQueries.askLinks(context.interfaces.linksOf(range.cidr), () =>
      context.tcpProber.acquire(),
    )
    for await (const seen of concurrently(toDo, CONCURRENT_ADDRESSES, scanAddress)) {
      if (seen) yield seen
      if (withoutRoute < Math.min(range.size, NO_ROUTE_MAX)) continue
      scanProgress.passOver(range.cidr)
      return false
    }
    return true
  } finally {
    ended.abort()
    context.nameQueries.close()
  }
}

/** Whether the address is not asked. Where answers became slow on its path, nothing on that is from now on. */
function isStopped(
  address: string,
  range: Network,
  { governor, rateLimiter, pathOf }: SweepOptions,
): boolean {
  const path = pathOf(address)
  const strain = rateLimiter.strainOn(path?.name)
  if (strain !== undefined)
    for (const cidr of path?.networks ?? [range.cidr]) governor.stopNetwork(cidr, strain)
  return governor.stopFor(address) !== undefined
}

/** What is sent to an address counts as a touch only if something lives there, and until its ports are scanned it may. */
async function touched(address: string, context: SweepContext): Promise<LiveHost | undefined> {
  context.touches?.hold(address)
  let live: LiveHost | undefined
  try {
    live = await discoverHost(address, context)
    return live
  } finally {
    if (!live) context.touches?.drop(address)
  }
}

/** With so many addresses to which this machine has no route, the range is not reachable from here. */
const NO_ROUTE_MAX = 64

const noRoute = (ranges: readonly Network[]): ProbeFailure =>
  new ProbeFailure(
    `no route to ${ranges.map(({ cidr }) => cidr).join(', ')} from this machine; check its interfaces and routes`,
  )

const isOnLink = (range: Network, interfaces: Interfaces): boolean => range.ends.every(interfaces.isOnLink)

async function openContext(
  range: Network,
  options: SweepOptions,
  noRoute: () => void,
): Promise<SweepContext> {
  const { signal, now, rateLimiter, touches, governor, pathOf, industrialReads = [] } = options
  const interfaces = readInterfaces(networkInterfaces())
  await forgetStale(range.cidr)
  const neighbours = await Neighbours.open(readNeighbours(range.cidr), signal)
  const isNeighbourTableEnough = neighbours !== undefined && isOnLink(range, interfaces)
  return {
    signal,
    now,
    noRoute,
    rateLimiter,
    governor,
    touches,
    industrialReads,
    interfaces,
    neighbours,
    echo: isNeighbourTableEnough ? undefined : await openEcho({ rateLimiter, signal, addresses: range.size }),
    tcpProber: new TcpProber(rateLimiter, signal, { touches, pathOf }),
    nameQueries: new NameQueries(range.family, options.dnsServers, touches),
  }
}
