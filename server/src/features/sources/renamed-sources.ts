import { renameObservations } from '#features/assets/assets.ts'
import { atomically, type Ctx } from '#platform/context.ts'
import { job } from '#platform/jobs/job.ts'
import * as store from './store.ts'

/** The name of a source is stored with each of its observations and with the assets of these. */

export const renameJob = job<Record<string, never>>('sources.renameObservations')

/** Gives observations the names that their sources have now, in batches. Safe to repeat. */
export async function renameObservationsOfSources(ctx: Ctx, signal?: AbortSignal): Promise<void> {
  for (const { id } of await store.sources(ctx))
    for (let after: string | undefined = ''; after !== undefined && !signal?.aborted;) {
      const from: string = after
      after = await atomically(ctx, async (inner) => {
        const source = await store.sourceById(inner, id)
        return source && renameObservations(inner, source, from)
      })
    }
}
