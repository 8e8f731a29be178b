import { eventTypes, isEventType, latestEvents } from '#features/events/events.ts'
import { isLimited, permit, type Ctx } from '#platform/context.ts'
import { forbidden, invalid } from '#platform/errors.ts'

const EVENTS_MAX = 20

/** An event that was, for a test run of a flow. */
export interface PastFlowEvent {
  readonly id: string
  readonly type: string
  readonly occurredAt: string
  readonly payload: Readonly<Record<string, unknown>>
  /** What it told of its asset before the change. */
  readonly before: Readonly<Record<string, unknown>> | null
}

/** The newest 20 of the types, the newest first, for who may test flows. */
export async function pastEvents(ctx: Ctx, types: readonly string[]): Promise<PastFlowEvent[]> {
  permit(ctx, 'flows:write')
  if (isLimited(ctx)) throw forbidden('events are about the whole organisation')
  const stranger = types.find((type) => !isEventType(type))
  if (stranger !== undefined) throw invalid('types', `must hold only ${eventTypes.join(', ')}`)
  const events = await latestEvents(ctx, types.filter(isEventType), EVENTS_MAX)
  return events.map(({ id, type, body, before, occurredAt }) => ({
    id,
    type,
    occurredAt: occurredAt.toISOString(),
    payload: JSON.parse(body.toString()) as Readonly<Record<string, unknown>>,
    before,
  }))
}
