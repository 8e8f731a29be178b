import type { Claimed } from '../claim-store.ts'
import type { FairSlots, Promised } from '../slots/fair-slots.ts'
import type { ClaimPromise, Inserted, LocalWorker, Receiver } from './local-worker.ts'

/** Claims that transactions of this process were promised and have not ended. */
export interface PromisedClaims extends LocalWorker {
  /** How many deliveries may still be inserted by them. */
  readonly count: () => number
  /** The claims of transactions that have not ended. */
  readonly open: () => readonly ClaimPromise[]
  readonly isOpen: (promise: ClaimPromise) => boolean
  /** Promises nothing more; resolves when all transactions that were promised something have ended. */
  readonly close: () => Promise<void>
}

export interface PromisedClaimsOptions {
  readonly fairSlots: Pick<FairSlots, 'quickWithRoom' | 'isQuick'>
  /** The id under which this process may claim and send; undefined while it may not. */
  readonly workerId: () => number | undefined
  /** Whether something waits for the endpoint already. */
  readonly hasBacklog: (endpointSeq: number) => boolean
  readonly send: (claimed: readonly Claimed[]) => void
  /** Makes deliveries due for any worker; the promise lasts until that is written. */
  readonly putBack: (claimed: readonly Claim[]) => Promise<unknown>
  /** Called when something was committed for these endpoints without a wake signal. */
  readonly onWaiting: (endpointSeqs: readonly number[]) => void
  /** Called when claims may have been committed that nobody will send. */
  readonly onLost: () => void
}

export type Claim = Pick<Claimed, 'id' | 'claimNo' | 'endpointSeq'>

/** The share of the slots that may be promised. */
const PROMISED_SHARE = 1 / 4
/** Address, secret and state of a receiver, as read with the commit, are not relied on for longer. */
const RECENT_MS = 100

/** `clock` returns monotonic milliseconds. */
export function openPromisedClaims(
  slots: number,
  options: PromisedClaimsOptions,
  clock: () => number = () => performance.now(),
): PromisedClaims {
  const { fairSlots, workerId, hasBacklog, onLost } = options
  const open = new Set<ClaimPromise>()
  const promised = openCounts()
  let closed: PromiseWithResolvers<void> | undefined

  return {
    promise(tenantId, count) {
      const id = workerId()
      if (id === undefined || closed || promised.all + count > slots * PROMISED_SHARE) return undefined
      const atMost = Math.floor((slots * PROMISED_SHARE - promised.all) / count)
      const quick = fairSlots.quickWithRoom(tenantId, count, promised)
      const endpointSeqs = quick.filter((seq) => !hasBacklog(seq)).slice(0, atMost)
      if (endpointSeqs.length === 0) return undefined
      const made = openInserted(clock)
      const promise: ClaimPromise = {
        workerId: id,
        endpointSeqs,
        found: (receivers) => made.found(receivers),
        take: (inserted) => made.take(inserted, hasBacklog).length > 0,
        async end(end) {
          if (end === 'unknown') onLost()
          if (end === 'committed') await keep(options, id, made.ready())
          const waiting = end === 'committed' ? made.waiting(hasBacklog) : []
          if (waiting.length > 0) options.onWaiting(waiting)
          open.delete(promise)
          promised.add(endpointSeqs, -count)
          if (open.size === 0) closed?.resolve()
        },
      }
      open.add(promise)
      promised.add(endpointSeqs, count)
      return promise
    },
    count: () => promised.all,
    open: () => [...open],
    isOpen: (promise) => open.has(promise),
    close() {
      closed ??= Promise.withResolvers()
      if (open.size === 0) closed.resolve()
      return closed.promise
    },
  }
}

/** Claims, and those of them that may be sent. */
interface Ready {
  readonly claims: readonly Claim[]
  readonly claimed: readonly Claimed[]
}

type HasBacklog = PromisedClaimsOptions['hasBacklog']

/** What one transaction inserted, and where it goes. */
function openInserted(clock: () => number) {
  /** Endpoints where nothing else waits. */
  const waiting = (hasBacklog: HasBacklog): number[] => inserted.waiting.filter((seq) => !hasBacklog(seq))
  let inserted: Inserted = { claims: [], waiting: [] }
  let receivers: ReadonlyMap<number, Receiver> = new Map()
  let foundAt = -Infinity
  return {
    take(its: Inserted, hasBacklog: HasBacklog): readonly number[] {
      inserted = its
      return waiting(hasBacklog)
    },
    found(its: readonly Receiver[]): void {
      receivers = new Map(its.map((it) => [it.endpointSeq, it]))
      foundAt = clock()
    },
    waiting,
    ready(): Ready {
      const { claims } = inserted
      if (clock() - foundAt > RECENT_MS) return { claims, claimed: [] }
      const claimed = claims.flatMap((it) => {
        const receiver = receivers.get(it.endpointSeq)
        return receiver ? [{ ...it, ...receiver }] : []
      })
      return { claims, claimed }
    },
  }
}

/** A worker that others declared dead meanwhile has lost its claims to them. Never throws. */
async function keep(options: PromisedClaimsOptions, id: number, { claims, claimed }: Ready): Promise<void> {
  if (claims.length === 0) return
  if (options.workerId() !== id) return options.onLost()
  const now = claimed.filter((it) => options.fairSlots.isQuick(it.endpointSeq))
  options.send(now)
  const sent = new Set(now.map((it) => it.id))
  const later = claims.filter((it) => !sent.has(it.id))
  if (later.length > 0) await options.putBack(later).catch(options.onLost)
}

function openCounts(): Promised & { readonly add: (endpointSeqs: readonly number[], count: number) => void } {
  const byEndpoint = new Map<number, number>()
  let all = 0
  return {
    byEndpoint,
    get all() {
      return all
    },
    add(endpointSeqs, count) {
      for (const seq of endpointSeqs) {
        const sum = (byEndpoint.get(seq) ?? 0) + count
        if (sum > 0) byEndpoint.set(seq, sum)
        else byEndpoint.delete(seq)
        all += count
      }
    },
  }
}
