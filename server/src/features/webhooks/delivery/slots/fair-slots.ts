import { HELD_PER_FREE, shareRoundRobin, type Demand, type SlotGrant } from './round-robin.ts'

/**
 * Shares the slots of this process among tenants first and their endpoints second, so that a slow, hung or new
 * receiver cannot delay others. A delivery starts in one of four lanes and is counted there until it ends:
 *
 * - `quick`: the endpoint's last answer came within a second and none is overdue. All slots except the reserves of
 * the other lanes.
 * - `new`: the endpoint has not answered yet. At most 3/8 of the slots, of which 1/8 is reserved. Filled gradually,
 * so that some slots stay free for the next new receiver, however many hang.
 * - `slow`: the last answer took longer, or one is overdue. 1/8 of the slots, reserved.
 * - `hung`: the last attempt waited in vain until its end. 1/16 of the slots, reserved. A due retry to what hangs waits
 * only while this lane is full, and what is slow does not wait for it.
 *
 * In each lane a tenant holds at most twice as many slots as are free (dynamic thresholds, Choudhury and Hahne 1998),
 * and each endpoint has its own cap, which grows with quick answers and halves with slow ones.
 */
export interface FairSlots {
  /** How many deliveries of each waiting endpoint may start now; in all at most the number of free slots. */
  readonly grant: (waiting: readonly Waiting[]) => SlotGrant[]
  readonly begin: (endpointSeq: number, deliveryId: number) => void
  readonly end: (endpointSeq: number, deliveryId: number) => void
  /**
   * Quick endpoints of the tenant that may each start `count` more at once, beside those that are `promised` to them.
   */
  readonly quickWithRoom: (tenantId: string, count: number, promised: Promised) => number[]
  /** Whether the endpoint is in the quick lane now. */
  readonly isQuick: (endpointSeq: number) => boolean
  /** How many more deliveries its own cap allows the endpoint. */
  readonly roomAt: (endpointSeq: number) => number
  /** Endpoints that became quick (true) or stopped being quick (false) since the last call. */
  readonly takeChanges: () => ReadonlyMap<number, boolean>
}

/** Deliveries that may start at any moment, by endpoint. */
export interface Promised {
  readonly all: number
  readonly byEndpoint: ReadonlyMap<number, number>
}

export interface Waiting {
  readonly endpointSeq: number
  readonly tenantId: string
  /** Whether it answered quickly, as last saved by a worker; null: not known. */
  readonly isQuick: boolean | null
  /** How long its first delivery has been due, in milliseconds. */
  readonly overdueMs: number
}

const QUICK_MS = 1_000
/** An attempt is ended after ten seconds (attempt.ts); one that took nearly as long had no answer in time. */
const HUNG_MS = 9_500
const CAP_FIRST = 4
/** For an endpoint that another worker found slow. */
const CAP_FIRST_SLOW = 1
const CAP_MIN = 4
/** How many requests a near receiver has at once: they keep it busy, and more would arrive twice when a worker is killed. */
const CAP_NEAR = 64
const CAP_MAX = 256
/** How many more a receiver further away has for each millisecond of its quickest answer: 4,000 a second. */
const CAP_PER_MS = 4
/** By how much the quickest answer is forgotten with each other one, because receivers move. */
const AGING = 1.001
/** Number of endpoints whose state is held; the others start like new ones. */
const REMEMBERED_MAX = 10_000

const NEW_SHARE = 3 / 8
const RESERVED_SHARE = 1 / 8
const HUNG_SHARE = 1 / 16
/** A delivery in the new lane without an answer after this time probably hangs. */
export const PROBE_MS = 250
/** Share of the free slots of the new lane for deliveries younger than `PROBE_MS`. */
const PROBE_SHARE = 1 / 8
/**
 * New receivers that have waited longer get at most `LATE_SHARE` of the lane; the rest is for those that have just
 * become due.
 */
const LATE_MS = 1_000
const LATE_SHARE = 2 / 3

type LaneName = 'quick' | 'new' | 'slow' | 'hung'

interface UnderWay {
  readonly lane: LaneName
  readonly begunAt: number
}

interface EndpointState {
  readonly endpointSeq: number
  readonly tenantId: string
  /** Deliveries in flight, oldest first. */
  readonly underWay: Map<number, UnderWay>
  cap: number
  quickestMs: number
  /** Whether its last answer was quick; null: no answer yet. */
  isProven: boolean | null
  /** Whether its last attempt waited in vain. */
  isHung: boolean
}

/** `clock` returns monotonic milliseconds. */
export function openFairSlots(slots: number, clock: () => number = () => performance.now()): FairSlots {
  const { stateOf, endpoints, byTenant } = openEndpointStates()
  let changed = new Map<number, boolean>()

  return {
    grant(waiting) {
      forget(endpoints, byTenant)
      const now = clock()
      const demands = waiting.map((it) => {
        const state = stateOf(it)
        return { ...it, lane: laneOf(state, now), room: roomOf(state) }
      })
      return shareAll(demands, { slots, used: usageOf(endpoints.values(), now) })
    },
    quickWithRoom(tenantId, count, promised) {
      const states = [...(byTenant.get(tenantId) ?? [])].flatMap((seq) => endpoints.get(seq) ?? [])
      const now = clock()
      const its = roomy(states, { now, count, promised })
      const used = its.length > 0 ? usageOf(endpoints.values(), now) : undefined
      return used ? its.slice(0, mostOf(tenantId, { slots, used, promised: promised.all }) / count) : []
    },
    isQuick(seq) {
      const state = endpoints.get(seq)
      return state !== undefined && laneOf(state, clock()) === 'quick'
    },
    roomAt: (seq) => roomOf(endpoints.get(seq)),
    begin(seq, deliveryId) {
      const state = endpoints.get(seq)
      if (!state) return
      const begunAt = clock()
      state.underWay.set(deliveryId, { lane: laneOf(state, begunAt), begunAt })
    },
    end(seq, deliveryId) {
      const state = endpoints.get(seq)
      const ended = state?.underWay.get(deliveryId)
      if (!state || !ended) return
      state.underWay.delete(deliveryId)
      const ms = clock() - ended.begunAt
      const isProven = ms < QUICK_MS
      if (isProven !== state.isProven) changed.set(seq, isProven)
      learn(state, ms)
    },
    takeChanges() {
      const changes = changed
      changed = new Map()
      return changes
    },
  }
}

const roomOf = (state: EndpointState | undefined): number => (state ? state.cap - state.underWay.size : 0)

function openEndpointStates() {
  const endpoints = new Map<number, EndpointState>()
  const byTenant = new Map<string, Set<number>>()
  const stateOf = ({ endpointSeq, tenantId, isQuick }: Waiting): EndpointState => {
    const known = endpoints.get(endpointSeq)
    if (known) return known
    const cap = isQuick === false ? CAP_FIRST_SLOW : CAP_FIRST
    const learned = { cap, quickestMs: Infinity, isProven: isQuick, isHung: false }
    const state: EndpointState = { endpointSeq, tenantId, underWay: new Map(), ...learned }
    endpoints.set(endpointSeq, state)
    if (!byTenant.get(tenantId)?.add(endpointSeq)) byTenant.set(tenantId, new Set([endpointSeq]))
    return state
  }
  return { endpoints, byTenant, stateOf }
}

/** From an attempt that took so long. */
function learn(state: EndpointState, ms: number): void {
  const isProven = ms < QUICK_MS
  state.isProven = isProven
  state.isHung = ms >= HUNG_MS
  state.quickestMs = Math.min(state.quickestMs * AGING, ms)
  const most = Math.min(CAP_MAX, Math.max(CAP_NEAR, CAP_PER_MS * state.quickestMs))
  state.cap = isProven ? Math.min(most, state.cap + 1) : Math.max(CAP_MIN, Math.floor(state.cap / 2))
}

function laneOf({ isProven, isHung, underWay }: EndpointState, now: number): LaneName {
  if (isHung) return 'hung'
  const [oldest] = underWay.values()
  if (oldest !== undefined && now - oldest.begunAt >= QUICK_MS) return 'slow'
  if (isProven === null) return 'new'
  return isProven ? 'quick' : 'slow'
}

/** The quick ones that may start so many more beside what they are promised. */
function roomy(
  states: readonly EndpointState[],
  { now, count, promised }: { readonly now: number; readonly count: number; readonly promised: Promised },
): number[] {
  const roomBeside = (state: EndpointState): number =>
    roomOf(state) - (promised.byEndpoint.get(state.endpointSeq) ?? 0)
  return states
    .filter((it) => laneOf(it, now) === 'quick' && roomBeside(it) >= count)
    .map((it) => it.endpointSeq)
}

/** How many deliveries a tenant may be promised in the quick lane, so that it holds at most twice what stays free. */
function mostOf(tenantId: string, { slots, used, promised }: Slots & { readonly promised: number }): number {
  const free = freeOf('quick', slots, used) - promised
  const held = (used.lanes.quick.byTenant.get(tenantId) ?? 0) + promised
  return Math.max(0, (HELD_PER_FREE * free - held) / (1 + HELD_PER_FREE))
}

interface Usage {
  all: number
  readonly lanes: Readonly<Record<LaneName, { count: number; readonly byTenant: Map<string, number> }>>
  /** Deliveries of the new lane that are younger than `PROBE_MS`. */
  probes: number
}

function usageOf(endpoints: Iterable<EndpointState>, now: number): Usage {
  const empty = () => ({ count: 0, byTenant: new Map<string, number>() })
  const lanes = { quick: empty(), new: empty(), slow: empty(), hung: empty() }
  const usage: Usage = { all: 0, probes: 0, lanes }
  for (const { tenantId, underWay } of endpoints)
    for (const { lane, begunAt } of underWay.values()) {
      const { byTenant } = usage.lanes[lane]
      usage.all += 1
      usage.lanes[lane].count += 1
      byTenant.set(tenantId, (byTenant.get(tenantId) ?? 0) + 1)
      if (lane === 'new' && now - begunAt < PROBE_MS) usage.probes += 1
    }
  return usage
}

type LaneDemand = Demand & Pick<Waiting, 'overdueMs'> & { readonly lane: LaneName }

interface Slots {
  readonly slots: number
  readonly used: Usage
}

function shareAll(demands: readonly LaneDemand[], { slots, used }: Slots): SlotGrant[] {
  return (['new', 'slow', 'hung', 'quick'] as const).flatMap((lane) => {
    const its = demands.filter((it) => it.lane === lane && it.room > 0)
    const grants = shareLane(lane, its, { slots, used })
    for (const { room } of grants) {
      used.all += room
      used.lanes[lane].count += room
    }
    return grants
  })
}

function shareLane(lane: LaneName, demands: readonly LaneDemand[], { slots, used }: Slots): SlotGrant[] {
  const { count, byTenant } = used.lanes[lane]
  const free = freeOf(lane, slots, used)
  if (demands.length === 0 || free <= 0) return []
  const share = (its: readonly LaneDemand[], atMost: number): SlotGrant[] =>
    shareRoundRobin(its, { slots: atMost, free, heldByTenant: byTenant })
  // Longest overdue first, so that retries start close to their time.
  if (lane !== 'new') return share(demands.toSorted(byOverdue).toReversed(), free)
  // Latest first: the endpoints that have waited long lose little by waiting a second more.
  const probes = Math.min(free, Math.max(CAP_FIRST, Math.floor(free * PROBE_SHARE)) - used.probes)
  if (probes <= 0) return []
  const [late, fresh] = partition(demands.toSorted(byOverdue), ({ overdueMs }) => overdueMs >= LATE_MS)
  const first = share(fresh, probes)
  const given = first.reduce((sum, it) => sum + it.room, 0)
  const lateMax = Math.floor(newLaneSlots(slots) * LATE_SHARE) - count
  return [...first, ...share(late, Math.min(probes, lateMax) - given)]
}

const byOverdue = (a: LaneDemand, b: LaneDemand): number => a.overdueMs - b.overdueMs

const newLaneSlots = (slots: number): number => Math.max(1, Math.floor(slots * NEW_SHARE))

/** How many more deliveries a lane may start, without the unused reserves of the other lanes. */
function freeOf(lane: LaneName, slots: number, { all, lanes }: Usage): number {
  const reservedFor = (its: LaneName): number =>
    Math.max(1, Math.floor(slots * (its === 'hung' ? HUNG_SHARE : RESERVED_SHARE)))
  const unused = (other: LaneName) => Math.max(0, reservedFor(other) - lanes[other].count)
  if (lane === 'slow' || lane === 'hung') return Math.min(unused(lane), slots - all)
  const free = slots - all - unused('slow') - unused('hung')
  return lane === 'new' ? Math.min(newLaneSlots(slots) - lanes.new.count, free) : free - unused('new')
}

function partition<T>(items: readonly T[], isFirst: (item: T) => boolean): [T[], T[]] {
  const { first = [], second = [] } = Object.groupBy(items, (it) => (isFirst(it) ? 'first' : 'second'))
  return [first, second]
}

function forget(endpoints: Map<number, EndpointState>, byTenant: Map<string, Set<number>>): void {
  for (const [seq, { tenantId, underWay }] of endpoints) {
    if (endpoints.size <= REMEMBERED_MAX) return
    if (underWay.size > 0) continue
    endpoints.delete(seq)
    const its = byTenant.get(tenantId)
    its?.delete(seq)
    if (its?.size === 0) byTenant.delete(tenantId)
  }
}
