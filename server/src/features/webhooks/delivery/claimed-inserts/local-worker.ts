import type { Ctx } from '#platform/context.ts'
import type { TransactionEnd } from '#platform/database/database.ts'
import type { Claimed } from '../claim-store.ts'

/** The address and secret of an active endpoint. */
export type Receiver = Pick<Claimed, 'endpointSeq' | 'endpointId' | 'url' | 'secretSealed' | 'headersSealed'>

/** A delivery that was inserted as claimed. */
export type InsertedClaim = Omit<Claimed, Exclude<keyof Receiver, 'endpointSeq'>>

export interface Inserted {
  readonly claims: readonly InsertedClaim[]
  /** Endpoints with deliveries that were inserted for workers to look for. */
  readonly waiting: readonly number[]
}

/**
 * The worker of this process, for transactions that create deliveries: what goes to receivers that are idle and quick
 * is inserted as claimed by it, and sent from memory after the commit.
 */
export interface LocalWorker {
  /** Asks for a promise before the statement that inserts; undefined: workers have to look for what is inserted. */
  readonly promise: (tenantId: string, count: number) => ClaimPromise | undefined
}

export interface ClaimPromise {
  readonly workerId: number
  /** The endpoints that are promised: each has room for all of the deliveries. */
  readonly endpointSeqs: readonly number[]
  /** Tells what was inserted. Returns whether workers have to be woken; where something waits already, they look again anyway. */
  readonly take: (inserted: Inserted) => boolean
  /** Tells the endpoints as they are at the commit; deliveries to promised ones that are not among these are put back. */
  readonly found: (receivers: readonly Receiver[]) => void
  /** Ends the promise; must be called, else its endpoints stay promised. */
  readonly end: (end: TransactionEnd) => Promise<void>
}

/** Larger batches go the usual way: looking for many deliveries at once costs little each. */
const EVENTS_MAX = 16

const workers = new WeakMap<object, LocalWorker>()

/** From now on transactions of this runtime find the worker, until the returned function is called. */
export function offerLocally({ runtime }: Ctx, worker: LocalWorker): () => void {
  workers.set(runtime, worker)
  return () => {
    if (workers.get(runtime) === worker) workers.delete(runtime)
  }
}

/** For the deliveries of so many events that the transaction of `ctx` is about to insert. */
export function promiseFor(ctx: Ctx, eventCount: number): ClaimPromise | undefined {
  const { atEnd } = ctx.db
  if (!atEnd || ctx.trial || eventCount > EVENTS_MAX) return undefined
  const promise = workers.get(ctx.runtime)?.promise(ctx.tenantId, eventCount)
  if (promise) atEnd((end) => void promise.end(end))
  return promise
}
