/**
 * Shares the slots of this process among endpoints, so that none that is slow, hung or unknown can hold up one that
 * answers. Half of the slots belong to endpoints whose last answer came quickly and that keep none waiting now; each
 * endpoint has a cap of its own, which grows with quick answers and halves with slow ones.
 */
export interface Lanes {
  /** How many deliveries of each waiting endpoint may begin now. */
  readonly rooms: (waiting: readonly Waiting[]) => Room[]
  readonly begin: (endpointSeq: number, deliveryId: number) => void
  readonly end: (endpointSeq: number, deliveryId: number) => void
  /** Which endpoints have become quick, or are quick no more, since the last call. */
  readonly news: () => ReadonlyMap<number, boolean>
}

export interface Waiting {
  readonly endpointSeq: number
  /** As it was last seen, perhaps by another worker; null: nobody knows. */
  readonly isQuick: boolean | null
}

export interface Room {
  readonly endpointSeq: number
  readonly room: number
}

const QUICK_MS = 1_000
const CAP_FIRST = 4
/** For one that was seen to be slow by a worker before this. */
const CAP_FIRST_SLOW = 1
const CAP_MIN = 4
/** A request holds its place until its outcome is written, some ten milliseconds: fewer would bound one endpoint's rate. */
const CAP_MAX = 256
/** Endpoints that are remembered; of the others the next delivery is as the first. */
const REMEMBERED_MAX = 10_000

interface Lane {
  /** When each delivery under way began, oldest first. */
  readonly underWay: Map<number, number>
  cap: number
  /** Its last answer came quickly; null: there was none yet. */
  isProven: boolean | null
}

/** `clock` counts milliseconds and never goes back. */
export function openLanes(slots: number, clock: () => number = () => performance.now()): Lanes {
  const lanes = new Map<number, Lane>()
  let changed = new Map<number, boolean>()

  const laneOf = (seq: number, isProven: boolean | null = null): Lane => {
    const known = lanes.get(seq)
    if (known) return known
    const cap = isProven === false ? CAP_FIRST_SLOW : CAP_FIRST
    const lane: Lane = { underWay: new Map(), cap, isProven }
    lanes.set(seq, lane)
    forgetOne(lanes)
    return lane
  }
  const isQuick = ({ isProven, underWay }: Lane): boolean => {
    const [oldest] = underWay.values()
    return isProven === true && (oldest === undefined || clock() - oldest < QUICK_MS)
  }
  return {
    rooms(waiting) {
      const rooms = waiting.map((it) => {
        const lane = laneOf(it.endpointSeq, it.isQuick)
        return { ...it, room: lane.cap - lane.underWay.size, isQuick: isQuick(lane) }
      })
      const busy = [...lanes.values()].filter((it) => it.underWay.size > 0)
      const free = slots - countUnderWay(busy)
      const slow = countUnderWay(busy.filter((it) => !isQuick(it)))
      const quick = rooms.filter((it) => it.isQuick).map((it) => ({ ...it, room: Math.min(it.room, free) }))
      const others = rooms.filter((it) => !it.isQuick)
      return [...quick, ...deal(others, Math.min(free, Math.floor(slots / 2) - slow))]
        .filter((it) => it.room > 0)
        .map(({ endpointSeq, room }) => ({ endpointSeq, room }))
    },
    begin: (seq, deliveryId) => void laneOf(seq).underWay.set(deliveryId, clock()),
    end(seq, deliveryId) {
      const lane = lanes.get(seq)
      const begunAt = lane?.underWay.get(deliveryId)
      if (!lane || begunAt === undefined) return
      lane.underWay.delete(deliveryId)
      const isProven = clock() - begunAt < QUICK_MS
      if (isProven !== lane.isProven) changed.set(seq, isProven)
      lane.isProven = isProven
      lane.cap = isProven ? Math.min(CAP_MAX, lane.cap + 1) : Math.max(CAP_MIN, Math.floor(lane.cap / 2))
    },
    news() {
      const news = changed
      changed = new Map()
      return news
    },
  }
}

const countUnderWay = (lanes: readonly Lane[]): number =>
  lanes.reduce((sum, lane) => sum + lane.underWay.size, 0)

/** Gives out `places` one by one in turn, beginning anywhere, so that few places reach every endpoint in time. */
function deal(wanted: readonly Room[], places: number): Room[] {
  const shuffled = wanted.map((quota) => ({ quota, at: Math.random() })).toSorted((a, b) => a.at - b.at)
  const dealt = shuffled.map(({ quota }) => ({ endpointSeq: quota.endpointSeq, wanted: quota.room, room: 0 }))
  let left = places
  for (let isGiving = true; isGiving && left > 0;) {
    isGiving = false
    for (const hand of dealt) {
      if (left <= 0 || hand.room >= hand.wanted) continue
      hand.room += 1
      left -= 1
      isGiving = true
    }
  }
  return dealt.map(({ endpointSeq, room }) => ({ endpointSeq, room }))
}

function forgetOne(lanes: Map<number, Lane>): void {
  if (lanes.size <= REMEMBERED_MAX) return
  for (const [seq, lane] of lanes) if (lane.underWay.size === 0) return void lanes.delete(seq)
}
