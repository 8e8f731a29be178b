import { networkInterfaces } from 'node:os'
import type { Observation } from '#features/assets/observation.ts'
import { parseNetwork, type Network } from '../targets/ip-network.ts'
import { ProbeFailure, type Probe, type ProbeOptions, type ProbeTarget } from './probe.ts'
import { rangeOf } from './target/target-addresses.ts'
import { concurrently } from './sweep/concurrency.ts'
import { describe, type DescribeMeans } from './sweep/port-scan.ts'
import { openEcho } from './sweep/icmp-echo.ts'
import { find, type FindMeans } from './sweep/host-discovery.ts'
import { readInterfaces, type Interfaces } from './sweep/network-interfaces.ts'
import { Knocker } from './sweep/tcp-connect.ts'
import { forgetStale, Neighbours, readNeighbours } from './sweep/arp-table.ts'
import { Pacer } from './sweep/packet-rate-limit.ts'
import { Tally } from './sweep/sweep-progress.ts'
import { Questions } from './sweep/name-queries.ts'

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

/** At most 1,000 packets a second; what is handed to `fping` at once may overtake its turn. */
const PACE = { perSecond: 960, burst: 10 }
/**
 * Addresses under way at once. On the local link each takes an entry of the kernel's neighbour table, which holds
 * 1,024, for three seconds; beyond, so many silent addresses are as fast as the pace allows.
 */
const LANES = 256

type Means = FindMeans & DescribeMeans

async function* run(target: ProbeTarget, options: ProbeOptions): AsyncGenerator<Observation> {
  const range = await rangeOf(target)
  const ended = new AbortController()
  const signal = AbortSignal.any([options.signal, ended.signal])
  let withoutRoute = 0
  const means = await openMeans(range, { ...options, signal }, () => withoutRoute++)
  const tally = new Tally(range.size, options.onProgress)
  options.onProgress?.(tally.progress)
  const look = async (address: string): Promise<Observation | undefined> => {
    const live = await find(address, means)
    const observation = live && (await describe(live, means))
    tally.settled(live !== undefined)
    return observation
  }
  try {
    await means.questions.askLinks(means.interfaces.linksOf(range.cidr), () => means.knocker.turn())
    for await (const seen of concurrently(range.addresses(), LANES, look)) {
      if (seen) yield seen
      if (withoutRoute >= Math.min(range.size, NO_ROUTE_MAX)) throw noRoute(range)
    }
  } finally {
    ended.abort()
    means.questions.close()
  }
}

/** So many addresses that this machine has no route to: the range is not reachable from here. */
const NO_ROUTE_MAX = 64

const noRoute = ({ cidr }: Network): ProbeFailure =>
  new ProbeFailure(`no route to ${cidr} from this machine; check its interfaces and routes`)

const isOnLink = (range: Network, interfaces: Interfaces): boolean => range.ends.every(interfaces.isOnLink)

async function openMeans(range: Network, options: ProbeOptions, noRoute: () => void): Promise<Means> {
  const { signal, now } = options
  const interfaces = readInterfaces(networkInterfaces())
  const pacer = new Pacer(PACE)
  await forgetStale(range.cidr)
  const neighbours = await Neighbours.open(readNeighbours(range.cidr), signal)
  const isSettledByNeighbours = neighbours !== undefined && isOnLink(range, interfaces)
  return {
    signal,
    now,
    noRoute,
    pacer,
    interfaces,
    neighbours,
    echo: isSettledByNeighbours ? undefined : await openEcho({ pacer, signal, addresses: range.size }),
    knocker: new Knocker(pacer, signal),
    questions: new Questions(range.family, options.dnsServers),
  }
}
