import { randomUUID } from 'node:crypto'
import type { Ctx } from '#platform/context.ts'
import type { EventType } from './event-catalogue.ts'
import * as store from './store.ts'

export { catalogue, eventTypes, isEventType, type EventType } from './event-catalogue.ts'

/** Events: changes in a tenant, stored as the exact bytes that receivers get. */
export interface NewEvent {
  readonly type: EventType
  /** The payload as the catalogue describes it, without tenant_id, which is added here. */
  readonly payload: Readonly<Record<string, unknown>>
}

/** What features of this installation tell each other and no receiver gets; the dot tells it from an event. */
export type Notice = 'assets.archived' | 'assets.changed' | 'assets.revived'

/** Runs the reactions of other features in the caller's transaction, as `emit` does, and stores and sends nothing. */
export async function notify(
  ctx: Ctx,
  type: Notice,
  payload: Readonly<Record<string, unknown>>,
): Promise<void> {
  const body = Buffer.from(JSON.stringify(payload))
  await ctx.reactions.to(ctx, [{ eventId: randomUUID(), type, body, occurredAt: ctx.now() }])
}

/**
 * Writes the events and runs their reactions in the caller's transaction: an event and its consequences exist if and
 * only if the change does.
 */
export async function emit(ctx: Ctx, events: readonly NewEvent[]): Promise<void> {
  if (events.length === 0) return
  const written = events.map(({ type, payload }) => ({
    eventId: randomUUID(),
    type,
    body: Buffer.from(JSON.stringify({ ...payload, tenant_id: ctx.tenantId })),
  }))
  const occurredAt = await store.add(ctx, written)
  await ctx.reactions.to(
    ctx,
    written.map((event) => ({ ...event, occurredAt })),
  )
}
