import { randomUUID } from 'node:crypto'
import { atomically, type Ctx } from '#platform/context.ts'
import type { EventType } from './event-catalogue.ts'
import * as store from './store.ts'

export { catalogue, eventTypes, isEventType, type EventKind, type EventType } from './event-catalogue.ts'

/** Events: changes in a tenant, stored as the exact bytes that receivers get. */
export interface NewEvent {
  readonly type: EventType
  /** The payload as the catalogue describes it, without tenant_id, which is added here. */
  readonly payload: Readonly<Record<string, unknown>>
  /** See `Happening.before`. */
  readonly before?: Readonly<Record<string, unknown>>
}

/** What features of this installation tell each other and no receiver gets; the dot tells it from an event. */
export type Signal =
  | 'assets.archived'
  | 'assets.changed'
  | 'assets.revived'
  /** While a change is only tried: `names` of fields or values that conditions could ask about are no more. */
  | 'conditions.shrunk'
  /** The tenant's list of forbidden or allowed software (`list`) changed. */
  | 'software.listed'

/** Runs the reactions of other features in the caller's transaction, as `emit` does, and stores and sends nothing. */
export async function sendSignal(
  ctx: Ctx,
  type: Signal,
  payload: Readonly<Record<string, unknown>>,
): Promise<void> {
  const body = Buffer.from(JSON.stringify(payload))
  await ctx.reactions.to(ctx, [{ eventId: randomUUID(), type, body, occurredAt: ctx.now() }])
}

export interface Message {
  /** Chosen by the sender: what is sent again has the same. */
  readonly eventId: string
  /** With a dot, so that it is none of the event types. */
  readonly type: `${string}.${string}`
  readonly payload: Readonly<Record<string, unknown>>
}

/** Stores what is sent to one receiver alone: nobody reacts to it, and subscribers do not get it. */
export async function storeMessage(ctx: Ctx, { eventId, type, payload }: Message): Promise<Date> {
  const body = Buffer.from(JSON.stringify({ ...payload, tenant_id: ctx.tenantId }))
  const { occurredAt } = await store.add(ctx, [{ eventId, type, body }])
  return occurredAt
}

/**
 * Writes the events and runs their reactions in the caller's transaction: an event and its consequences exist if and
 * only if the change does.
 */
export async function emit(ctx: Ctx, events: readonly NewEvent[]): Promise<void> {
  if (events.length > 0) await atomically(ctx, (inner) => write(inner, events))
}

async function write(ctx: Ctx, events: readonly NewEvent[]): Promise<void> {
  const written = events.map(({ type, payload, before }) => ({
    eventId: randomUUID(),
    type,
    ...(before && { before }),
    body: Buffer.from(JSON.stringify({ ...payload, tenant_id: ctx.tenantId })),
  }))
  ctx.trial?.noted.push(...events.flatMap(statusChangeOf))
  const [{ occurredAt, subscribers }] = await Promise.all([
    store.add(ctx, written),
    ctx.reactions.beside?.(ctx, written),
  ])
  await ctx.reactions.to(
    ctx,
    written.map((event) => ({ ...event, occurredAt, subscribers: subscribers.get(event.type) ?? [] })),
  )
}

/** Of a control, for those who only try a change: the change feed has no kind for it. */
function statusChangeOf({ type, payload }: NewEvent): object[] {
  if (type !== 'COMPLIANCE_UPDATED') return []
  const { framework, control_id: control, previous_status: before, status: after } = payload
  return [{ kind: 'control_status', control: `${String(framework)} ${String(control)}`, before, after }]
}

/**
 * The event types of the tenant for which `Happening.subscribers` names the subscriber from now on. It costs an event
 * nothing where there are none. Two at a time for one subscriber are the caller's to prevent.
 */
export async function subscribe(ctx: Ctx, subscriber: string, types: readonly EventType[]): Promise<void> {
  await store.subscribe(ctx, subscriber, types)
}

export interface PastEvent {
  readonly id: string
  readonly type: string
  readonly body: Buffer
  readonly occurredAt: Date
  /** See `Happening.before`. */
  readonly before: Readonly<Record<string, unknown>> | null
}

/** How many events of the types the tenant had, within the retention of 30 days. */
export const countEvents = (ctx: Ctx, range: store.EventRange): Promise<number> => store.count(ctx, range)

/** The newest events of the types, at most `limit`, the newest first. */
export async function latestEvents(
  ctx: Ctx,
  types: readonly EventType[],
  limit: number,
): Promise<PastEvent[]> {
  const found = await store.latest(ctx, types, limit)
  return found.map(({ createdAt, ...it }) => ({ ...it, occurredAt: new Date(createdAt) }))
}

/** The events of the types, the oldest first, in batches of at most `limit`. */
export async function* eventsInOrder(
  ctx: Ctx,
  range: store.EventRange,
  limit: number,
): AsyncGenerator<readonly PastEvent[]> {
  let last: store.StoredEvent | undefined
  for (;;) {
    const batch = await store.after(ctx, range, last, limit)
    if (batch.length > 0)
      yield batch.map(({ createdAt, ...it }) => ({ ...it, occurredAt: new Date(createdAt) }))
    if (batch.length < limit) return
    last = batch.at(-1)
  }
}
