import type { Observation } from '#features/assets/observation.ts'
import { LIFE_PORTS, patienceFor, type FindMeans, type Live } from './host-discovery.ts'
import type { Answer } from './tcp-connect.ts'
import { Pacer } from './packet-rate-limit.ts'
import type { Questions } from './name-queries.ts'
import { askEngine, askServices } from './services/service-detection.ts'
import { observationOf } from './host-observation.ts'

export interface DescribeMeans extends Pick<
  FindMeans,
  'signal' | 'pacer' | 'knocker' | 'interfaces' | 'neighbours'
> {
  readonly questions: Questions
  readonly now: () => Date
}

/**
 * The ports that are looked at on a live host. Absent on purpose: 9100 to 9107, where printers print what comes,
 * and the ports of industrial protocols (102, 502, 44818), whose devices are known to fail when they are touched.
 */
export const PORTS = [...LIFE_PORTS, 139, 21, 631, 554] as const

/** At most 40 packets a second to one host, with the one that may overtake its turn. */
const HOST_PACE = { perSecond: 39, burst: 8 }

/**
 * Asks a live host for its names, which of the ports are open, and what listens there: some twenty packets in about a
 * second, and some ten more for each service.
 */
export async function describe(live: Live, means: DescribeMeans): Promise<Observation> {
  const host = new Pacer(HOST_PACE)
  host.owe(live.ports.size + 1)
  const told = await means.questions.ask(live.address, {
    toHost: () => means.knocker.turn(host),
    toOthers: () => means.pacer.turn(means.signal),
  })
  await means.knocker.turn(host)
  const engine = askEngine(live.address, means.signal)
  engine.catch(() => undefined) // knocking may fail first, and then nobody asks for it
  const ports = await knockAtRest(live, means, host)
  const mac = live.mac ?? (await means.neighbours?.macOf(live.address))
  const services = await askServices(live.address, openOf(ports), {
    signal: means.signal,
    // one by one: the room for all of them is there before the first leaves, for they leave in a rush
    turn: async (packets) => {
      for (let left = packets; left > 0; left--) await means.knocker.turn(host)
    },
    owe: (packets) => [host, means.pacer].forEach((it) => it.owe(packets)),
  })
  const found = { ...live, ports, services, engine: await engine, ...(mac && { mac }) }
  return observationOf(found, await told(), means.now())
}

/** The ports that finding the host left out. */
async function knockAtRest(
  live: Live,
  means: DescribeMeans,
  host: Pacer,
): Promise<ReadonlyMap<number, Answer>> {
  const timeoutMs = patienceFor(live.address, means)
  const answers: Promise<[number, Answer]>[] = [...live.ports].map((known) => Promise.resolve(known))
  for (const port of PORTS) {
    if (live.ports.has(port)) continue
    await means.knocker.turn(host)
    const knocked = means.knocker.knock({ address: live.address, port, timeoutMs }, host)
    const answer = knocked.then((it): [number, Answer] => [port, it])
    answer.catch(() => undefined) // the next turn may fail first, and then nobody asks for this one
    answers.push(answer)
  }
  return new Map(await Promise.all(answers))
}

const openOf = (ports: ReadonlyMap<number, Answer>): ReadonlySet<number> =>
  new Set([...ports].filter(([, answer]) => answer.state === 'open').map(([port]) => port))
