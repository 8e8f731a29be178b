import { latestEvents } from '#features/events/events.ts'
import { LENGTH_MAX } from '#platform/conditions/parse.ts'
import { isLimited, permit, type Ctx } from '#platform/context.ts'
import { forbidden, invalid } from '#platform/errors.ts'
import { assetOf } from '../triggers/on-event.ts'
import { areTrue } from './flow-condition.ts'
import { readTrigger } from './read-trigger.ts'

const EVENTS_MAX = 200

/** How many of the newest events of a trigger a condition lets through. */
export interface EventMatches {
  /** Of the last 30 days, at most 200. */
  readonly events: number
  readonly matching: number
}

/** Assets are taken as they are now. Null for other triggers than events. Throws 400 for what cannot be read. */
export async function countMatches(ctx: Ctx, given: unknown, text: string): Promise<EventMatches | null> {
  permit(ctx, 'flows:write')
  if (isLimited(ctx)) throw forbidden('events are about the whole organisation')
  if (text.length > LENGTH_MAX) throw invalid('condition', `must have at most ${LENGTH_MAX} characters`)
  const trigger = await readTrigger(ctx, given)
  if (trigger.kind !== 'event') return null
  const events = await latestEvents(ctx, trigger.eventTypes, EVENTS_MAX)
  const asked = events.map(({ body, before }) => {
    const event = JSON.parse(body.toString()) as Readonly<Record<string, unknown>>
    return {
      text,
      trigger,
      assetId: assetOf(event),
      context: { event, steps: {}, ...(before && { before }) },
    }
  })
  const answers = await areTrue(ctx, asked)
  return { events: events.length, matching: answers.filter(Boolean).length }
}
