import { setTimeout as sleep } from 'node:timers/promises'
import type { Echo } from './icmp-echo.ts'
import type { Interfaces } from './network-interfaces.ts'
import { isLife, type Answer, type Knocker } from './tcp-connect.ts'
import type { Neighbours } from './arp-table.ts'
import type { Pacer } from './packet-rate-limit.ts'

/** An address at which something lives, and how that was noticed. */
export interface Live {
  readonly address: string
  readonly foundBy: 'own interface' | 'tcp' | 'icmp echo' | 'neighbour table'
  readonly mac?: string
  readonly rttMs?: number
  /** What its ports answered so far. */
  readonly ports: ReadonlyMap<number, Answer>
}

export interface FindMeans {
  readonly signal: AbortSignal
  readonly pacer: Pacer
  readonly knocker: Knocker
  readonly interfaces: Interfaces
  /** Absent where the neighbour table cannot be read. */
  readonly neighbours: Neighbours | undefined
  /** Absent where ICMP is not permitted. */
  readonly echo: Echo | undefined
  /** Told of every address that this machine has no route to. */
  readonly noRoute: () => void
}

/** Ports of which most machines answer at least one, if only by refusing; those that answer most often first. */
export const LIFE_PORTS = [443, 80, 22, 445, 3389, 23, 8080, 53] as const
/** Between two ports of an address that is silent so far: four packets a second. */
const NEXT_PORT_MS = 250
const KNOCK_MS = 800
/** On the local link an answer that takes longer comes from a machine that also answered something else. */
const KNOCK_ON_LINK_MS = 500
/** The kernel asks again for a neighbour after a second, so two questions are waited for. */
const RESOLVE_MS = 1100
/** For a neighbour that it remembers it waits five seconds for a sign of life, then asks three times in a row. */
const RESOLVE_REMEMBERED_MS = 9000
/** When it asks for the third and last time, counted from the end of our waiting. */
const LAST_QUESTION_MS = 900

/** How long a port of a live host may take to answer. */
export const patienceFor = (address: string, { interfaces }: Pick<FindMeans, 'interfaces'>): number =>
  interfaces.isOnLink(address) ? KNOCK_ON_LINK_MS : KNOCK_MS

/** Whether something lives at an address. On the local link its neighbour entry tells, else ports and ICMP. */
export async function find(address: string, means: FindMeans): Promise<Live | undefined> {
  const own = means.interfaces.own(address)
  if (own) return { address, foundBy: 'own interface', ports: new Map(), ...own }
  const { neighbours } = means
  if (!neighbours || !means.interfaces.isOnLink(address)) return findAfar(address, means)
  const live = await findNeighbour(address, means, neighbours)
  means.pacer.owe(1)
  if (!live) means.pacer.owe(1, LAST_QUESTION_MS)
  return live
}

async function findNeighbour(
  address: string,
  means: FindMeans,
  neighbours: Neighbours,
): Promise<Live | undefined> {
  const [port] = LIFE_PORTS
  const isRemembered = neighbours.isRemembered(address)
  const timeoutMs = isRemembered ? RESOLVE_REMEMBERED_MS : RESOLVE_MS
  const enough = new AbortController()
  const appeared = Promise.withResolvers<Live>()
  const byTable = (mac?: string): Live => ({
    address,
    foundBy: 'neighbour table',
    ...(mac && { mac }),
    ports: new Map(),
  })
  await means.knocker.turn()
  const stopWatching = neighbours.watch(address, ({ mac }) => appeared.resolve(byTable(mac)))
  const knocked = means.knocker.knock({ address, port, timeoutMs, enough: enough.signal })
  try {
    const first = await Promise.race([knocked, appeared.promise])
    if ('address' in first) return first
    if (isLife(first)) return byTcp(address, new Map([[port, first]]))
    if (first.state === 'no route') means.noRoute()
    // A neighbour that refuses by ICMP looks unreachable, though it answered; one that is remembered had its time.
    const mayRemain = first.state === 'unreachable' || isRemembered
    return mayRemain && (await neighbours.remains(address)) ? byTable() : undefined
  } finally {
    stopWatching()
    enough.abort()
  }
}

async function findAfar(address: string, means: FindMeans): Promise<Live | undefined> {
  const enough = new AbortController()
  const found = Promise.withResolvers<Live | undefined>()
  void found.promise.catch(() => undefined).finally(() => enough.abort())
  const ports = new Map<number, Answer>()
  const knock = async (port: number): Promise<void> => {
    const answer = await means.knocker.knock({ address, port, timeoutMs: KNOCK_MS, enough: enough.signal })
    if (enough.signal.aborted) return
    ports.set(port, answer)
    if (isLife(answer)) found.resolve(byTcp(address, ports))
    if (answer.state !== 'no route') return
    means.noRoute()
    found.resolve(undefined)
  }
  const echo = async (): Promise<void> => {
    const rttMs = await means.echo?.(address)
    if (rttMs !== undefined) found.resolve({ address, foundBy: 'icmp echo', rttMs, ports })
  }
  const asked = [echo().catch(found.reject)]
  for (const port of LIFE_PORTS) {
    await means.knocker.turn()
    if (enough.signal.aborted) break
    asked.push(knock(port).catch(found.reject))
    await Promise.race([found.promise, sleep(NEXT_PORT_MS)])
  }
  void Promise.all(asked).then(() => found.resolve(undefined))
  return found.promise
}

function byTcp(address: string, ports: ReadonlyMap<number, Answer>): Live {
  const answers = [...ports.values()].filter(isLife)
  return { address, foundBy: 'tcp', rttMs: Math.min(...answers.map((it) => it.rttMs)), ports }
}
