import type { Observation } from '#features/assets/observation.ts'
import { DISCOVERY_PORTS, portTimeoutMs, type DiscoveryContext, type LiveHost } from './host-discovery.ts'
import type { Answer } from './tcp-connect.ts'
import { RateLimiter } from './packet-rate-limit.ts'
import type { NameAnswers, NameQueries } from './names/name-queries.ts'
import { isGreetedAt } from './services/banner.ts'
import { askEngine, askServices } from './services/service-detection.ts'
import { askIndustrial, type IndustrialRead } from './industrial/industrial-reads.ts'
import { observationOf } from './host-observation.ts'
import { harmDone } from './still-answering.ts'
import type { Governor } from '../governor/governor.ts'

export interface PortScanContext extends Pick<
  DiscoveryContext,
  'signal' | 'rateLimiter' | 'tcpProber' | 'interfaces' | 'neighbours' | 'touches'
> {
  readonly nameQueries: NameQueries
  readonly now: () => Date
  readonly governor: Governor
  readonly industrialReads: readonly IndustrialRead[]
}

/**
 * The ports that are looked at on a live host. Absent on purpose: 9100 to 9107, where printers print what comes,
 * and the ports of industrial protocols (102, 502, 1883, 44818, 47808), whose devices are known to fail when they are
 * touched: they are asked who they are only where somebody turned that on (`askIndustrial`).
 */
export const PORTS = [...DISCOVERY_PORTS, 139, 21, 631, 554] as const

const NOT_ASKED: NameAnswers = { dns: undefined, mdns: undefined, netbios: undefined, ssdp: undefined }

/** At most 40 packets a second to one host; one is the margin for a packet that leaves early. */
const HOST_PACKET_RATE = { perSecond: 39, burst: 8 }

/**
 * Asks a live host for its names, which of the ports are open, and what listens there: some twenty packets in about a
 * second, and some ten more for each service. Ends early at a host that does not bear it, which the governor then knows.
 */
export async function scanPorts(live: LiveHost, context: PortScanContext): Promise<Observation> {
  const { governor } = context
  const stopped = governor.stopFor(live.address)
  if (stopped !== undefined) return observationOf(live, NOT_ASKED, context.now(), stopped)
  const host = new RateLimiter(HOST_PACKET_RATE)
  host.owe(live.ports.size + 1)
  const reported = await context.nameQueries.ask(live.address, {
    toHost: () => context.tcpProber.acquire(host),
    toOthers: () => context.rateLimiter.acquire(context.signal),
  })
  await context.tcpProber.acquire(host)
  const engine = askEngine(live.address, context.signal, context.touches)
  engine.catch(() => undefined) // the port probes may fail first, and then nobody awaits it
  const ports = await probeRemainingPorts(live, context, host)
  const mac = live.mac ?? (await context.neighbours?.macOf(live.address))
  const { signal, tcpProber } = context
  const device = { address: live.address, ports, tcpProber, pace: host, signal }
  const isSound = async (port?: number): Promise<boolean> => {
    const harm = await harmDone(device, port)
    if (harm !== undefined) governor.harmed(live.address, harm)
    return governor.stopFor(live.address) === undefined
  }
  const isSilent = [...ports.values()].some(({ state }) => state === 'silent')
  const isStopped = governor.stopFor(live.address) !== undefined || (isSilent && !(await isSound()))
  const asking = {
    isSound,
    signal,
    touches: context.touches,
    // one by one: all slots are acquired before the first packet, because the kernel sends them in a burst
    acquire: async (packets: number) => {
      for (let left = packets; left > 0; left--) await tcpProber.acquire(host)
    },
    owe: (packets: number) => [host, context.rateLimiter].forEach((it) => it.owe(packets)),
  }
  const told = await askServices(live.address, isStopped ? new Map() : openOf(ports), asking)
  const reads = governor.stopFor(live.address) === undefined ? context.industrialReads : []
  const services = { ...told, ...(await askIndustrial(live.address, reads, asking)) }
  const found = { ...live, ports, services, engine: await engine, ...(mac && { mac }) }
  const names = await reported()
  signal.throwIfAborted() // waiting for answers does not end by itself
  return observationOf(found, names, context.now(), governor.stopFor(live.address))
}

/** Probes the ports that host discovery did not. */
async function probeRemainingPorts(
  live: LiveHost,
  context: PortScanContext,
  host: RateLimiter,
): Promise<ReadonlyMap<number, Answer>> {
  const timeoutMs = portTimeoutMs(live.address, context)
  const answers: Promise<[number, Answer]>[] = [...live.ports].map((known) => Promise.resolve(known))
  for (const port of PORTS) {
    if (live.ports.has(port)) continue
    await context.tcpProber.acquire(host)
    const isGreeted = isGreetedAt.get(port)
    const probed = context.tcpProber.probe({ address: live.address, port, timeoutMs, isGreeted }, host)
    const answer = probed.then((it): [number, Answer] => [port, it])
    answer.catch(() => undefined) // the next `acquire` may fail first, and then nobody awaits this one
    answers.push(answer)
  }
  return new Map(await Promise.all(answers))
}

/** With what they said by themselves; undefined: they were not listened to. */
const openOf = (ports: ReadonlyMap<number, Answer>): ReadonlyMap<number, Buffer | undefined> =>
  new Map(
    [...ports].flatMap(([port, answer]) =>
      answer.state === 'open' ? [[port, answer.greeting] as const] : [],
    ),
  )
