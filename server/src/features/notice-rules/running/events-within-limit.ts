import { assetsById } from '#features/assets/assets.ts'
import { isLimited, type Ctx } from '#platform/context.ts'

interface Event {
  readonly body: Readonly<Record<string, unknown>>
}

/**
 * Of the events those that the owner of a rule may be told of. Who is limited to some assets is told only of events
 * about assets that are visible now: not of deleted ones, and not of what is about the whole organisation.
 */
export async function eventsWithinLimit<E extends Event>(owner: Ctx, events: readonly E[]): Promise<E[]> {
  if (!isLimited(owner) || events.length === 0) return [...events]
  const reader = { ...owner, actor: { ...owner.actor, may: () => true } }
  const visible = new Set((await assetsById(reader, events.flatMap(assetsOf))).map(({ id }) => id))
  return events.filter((event) => {
    const ids = assetsOf(event)
    return ids.length > 0 && ids.every((id) => visible.has(id))
  })
}

const assetsOf = ({ body }: Event): string[] =>
  ['asset_id', 'asset_id_a', 'asset_id_b'].flatMap((name) => {
    const id = body[name]
    return typeof id === 'string' ? [id] : []
  })
