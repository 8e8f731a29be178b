/** Sources: where observations come from, and the one function that all observations are submitted to. */
import {
  assetIdsByKey,
  observationIds,
  observe,
  touchObservations,
  type Sighting,
} from '#features/assets/assets.ts'
import type { Observation } from '#features/assets/observation.ts'
import { addChanges } from '#features/changes/changes.ts'
import { emit } from '#features/events/events.ts'
import { report } from '#features/software/software.ts'
import { atomicallyDespiteDeadlock, permit, type Ctx } from '#platform/context.ts'
import { invalid } from '#platform/errors.ts'
import { enqueueOnce } from '#platform/jobs/job.ts'
import { newUuid } from '#platform/uuid.ts'
import { renameJob } from './renamed-sources.ts'
import * as store from './store.ts'
import type { Source, ConnectedSource, SubmitResult } from './source.ts'

export { compareWithSource, type SourceComparison } from './comparison.ts'

/** Observations in one transaction; callers with more call again. */
export const BATCH_MAX = 1_000
const NAME_LENGTH_MAX = 255
const KIND = /^[a-z0-9][a-z0-9-]{0,31}$/

/**
 * Takes in up to 1,000 observations in one transaction: all of them but the rejected, or none. The same observations
 * again change nothing. The source is announced with the first observation that it brings. The source keys of those that
 * made or changed an asset are added to `changedKeys`.
 */
export async function submit(
  ctx: Ctx,
  source: Source,
  observations: readonly Observation[],
  changedKeys?: Set<string>,
): Promise<SubmitResult> {
  permit(ctx, 'assets:write')
  check(source)
  if (observations.length > BATCH_MAX) throw invalid('observations', `are more than ${BATCH_MAX}`)
  return atomicallyDespiteDeadlock(ctx, async (inner) => {
    const { row, isNew } = await sourceRow(inner, source)
    const result = await observe(inner, row, observations, changedKeys)
    await reportSoftware(inner, row, { observations, rejected: result.rejected })
    if (isNew) await (result.observed > 0 ? announce(inner, row) : store.remove(inner, row.id))
    return result
  })
}

/**
 * For observations that the source reports again as they were: only the times change at which they were seen. Answers
 * the source keys of those for which that was all there was to do; the others have to be submitted.
 */
export async function touch(
  ctx: Ctx,
  { kind, name, key = name }: Source,
  sightings: readonly Sighting[],
): Promise<readonly string[]> {
  permit(ctx, 'assets:write')
  if (sightings.length > BATCH_MAX) throw invalid('sightings', `are more than ${BATCH_MAX}`)
  return atomicallyDespiteDeadlock(ctx, async (inner) => {
    const row = await store.source(inner, kind, key)
    return row ? touchObservations(inner, row, sightings) : []
  })
}

/** What is installed belongs to the observation, whichever asset that is of. */
async function reportSoftware(
  ctx: Ctx,
  source: ConnectedSource,
  {
    observations,
    rejected,
  }: Pick<SubmitResult, 'rejected'> & { readonly observations: readonly Observation[] },
): Promise<void> {
  const refused = new Set(rejected.map(({ index }) => index))
  const telling = observations.filter((it, index) => it.software !== undefined && !refused.has(index))
  if (telling.length === 0) return
  const keys = [...new Set(telling.map(({ sourceKey }) => sourceKey))]
  const ids = await observationIds(ctx, source.id, keys)
  await report(
    ctx,
    telling.flatMap(({ sourceKey, seenAt, software }) => {
      const observationId = ids.get(sourceKey)
      return observationId === undefined || software === undefined
        ? []
        : [{ observationId, seenAt, software }]
    }),
  )
}

/** The assets that observations of the source belong to, by source key; those that it never submitted are absent. */
export async function assetsOfKeys(
  ctx: Ctx,
  { kind, name, key = name }: Source,
  sourceKeys: readonly string[],
): Promise<Map<string, string>> {
  permit(ctx, 'assets:read')
  const row = await store.source(ctx, kind, key)
  return row ? assetIdsByKey(ctx, row.id, sourceKeys) : new Map()
}

export async function listSources(ctx: Ctx): Promise<ConnectedSource[]> {
  permit(ctx, 'sources:read')
  return store.sources(ctx)
}

function check({ kind, name, key = name }: Source): void {
  if (!KIND.test(kind)) throw invalid('source.kind', 'must be 1 to 32 lower case letters, digits and dashes')
  for (const [field, text] of Object.entries({ name, key }))
    if (text === '' || text.length > NAME_LENGTH_MAX || text.includes('\0') || !text.isWellFormed())
      throw invalid(`source.${field}`, `must have 1 to ${NAME_LENGTH_MAX} characters`)
}

/** Of two concurrent submits of the same new source, the second waits for the first. */
async function sourceRow(ctx: Ctx, source: Source): Promise<{ row: ConnectedSource; isNew: boolean }> {
  const { kind, name, key = name } = source
  const known = await store.source(ctx, kind, key)
  if (known && known.name !== name) {
    await store.rename(ctx, known.id, name)
    await enqueueOnce(ctx, renameJob, {})
  }
  if (known) return { row: { ...known, name }, isNew: false }
  const connectedAt = ctx.now()
  const added = await store.add(ctx, {
    id: newUuid(connectedAt),
    kind,
    key,
    name,
    connectedAt: connectedAt.toISOString(),
  })
  if (added) return { row: added, isNew: true }
  return sourceRow(ctx, source)
}

async function announce(ctx: Ctx, { id, kind, name, connectedAt }: ConnectedSource): Promise<void> {
  const payload = { source_id: id, source_type: kind, name, connected_at: connectedAt }
  addChanges(ctx, [{ kind: 'source_connected', subject: name, after: kind, relatedId: id }])
  await emit(ctx, [{ type: 'NEW_SOURCE', payload }])
}
