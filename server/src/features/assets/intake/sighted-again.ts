import type { Ctx } from '#platform/context.ts'
import { announceSighted } from '../archive/archive-changes.ts'
import { assetsChanged } from '../asset-signals.ts'
import * as store from './observation-read-store.ts'
import type { KnownSource } from './observation-record.ts'

/**
 * Moves the time at which observations and their assets were seen last, for reports that tell nothing new; the caller
 * holds the tenant's lock. Answers the source keys of those that this was done for: for the others the time decides
 * about more, or nothing is known of them.
 */
export async function sightedAgain(
  ctx: Ctx,
  source: KnownSource,
  repeats: readonly store.Repeat[],
): Promise<readonly string[]> {
  if (repeats.length === 0) return []
  const { keys, revived, resumed } = await store.moveLastSeen(ctx, source, repeats)
  await announceSighted(ctx, revived)
  await assetsChanged(ctx, resumed)
  return keys
}

export interface Sighting {
  readonly sourceKey: string
  readonly seenAt: Date
}

/** The same in the caller's transaction, for observations of which the caller knows that they are as they were. */
export async function touchObservations(
  ctx: Ctx,
  source: KnownSource,
  sightings: readonly Sighting[],
): Promise<readonly string[]> {
  await store.lockTenant(ctx)
  return sightedAgain(
    ctx,
    source,
    sightings.map(({ sourceKey, seenAt }) => ({ sourceKey, seenAt: seenAt.getTime() })),
  )
}
