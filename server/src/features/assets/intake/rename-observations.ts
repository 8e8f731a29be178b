import type { Ctx } from '#platform/context.ts'
import { describeAnew } from '../recognition/recognition-backlog.ts'
import { lockTenant } from './observation-read-store.ts'
import * as store from './observation-write-store.ts'

const OBSERVATIONS_PER_COMMIT = 500

/**
 * Writes the name of a source to the next 500 of its observations that have another one, and works out their assets
 * anew; in the caller's transaction. Returns the source key to go on after; undefined: these were the last.
 */
export async function renameObservations(
  ctx: Ctx,
  source: { readonly id: string; readonly name: string },
  after: string,
): Promise<string | undefined> {
  await lockTenant(ctx)
  const found = await store.namedOtherwise(ctx, source, { after, limit: OBSERVATIONS_PER_COMMIT })
  if (found.length === 0) return undefined
  await store.renameObservations(ctx, source.name, found)
  await describeAnew(ctx, [...new Set(found.map(({ assetId }) => assetId))])
  return found.length < OBSERVATIONS_PER_COMMIT ? undefined : found.at(-1)?.sourceKey
}
