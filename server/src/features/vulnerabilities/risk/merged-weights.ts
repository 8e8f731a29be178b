import { addChanges, type NewChange } from '#features/changes/changes.ts'
import type { Ctx } from '#platform/context.ts'
import { NEUTRAL } from './risk-score.ts'
import * as store from './risk-store.ts'
import type { AssetWeights } from './risk-store.ts'

interface GoneAsset {
  readonly id: string
  /** Null: it was deleted. */
  readonly survivor: string | null
}

/**
 * Criticality and exposure of merged assets become those of the survivors of which nobody said anything, each on its own;
 * of several merged assets the oldest one's. Returns the survivors that changed, whose scores the caller recomputes.
 */
export async function moveWeights(ctx: Ctx, gone: readonly GoneAsset[]): Promise<string[]> {
  const merged = gone
    .flatMap(({ id, survivor }) => (survivor === null ? [] : [{ id, survivor }]))
    .toSorted((a, b) => (a.id < b.id ? -1 : 1))
  if (merged.length === 0) return []
  const said = await store.saidWeights(
    ctx,
    merged.map(({ id }) => id),
  )
  if (said.size === 0) return []
  const before = await store.weights(
    ctx,
    merged.map(({ survivor }) => survivor),
  )
  const after = new Map(before)
  for (const { id, survivor } of merged) {
    const [own, other] = [after.get(survivor), said.get(id)]
    if (own && other) after.set(survivor, completed(own, other))
  }
  const changes = [...after].flatMap(([id, weight]) => weightChanges(id, before.get(id) ?? NEUTRAL, weight))
  const changed = new Set(changes.flatMap(({ assetId }) => assetId ?? []))
  if (changed.size === 0) return []
  await store.setWeights(ctx, new Map([...after].filter(([id]) => changed.has(id))))
  addChanges(ctx, changes)
  return [...changed]
}

const completed = (own: AssetWeights, other: AssetWeights): AssetWeights => ({
  criticality: own.criticality === NEUTRAL.criticality ? other.criticality : own.criticality,
  exposure: own.exposure === NEUTRAL.exposure ? other.exposure : own.exposure,
})

export const weightChanges = (assetId: string, before: AssetWeights, after: AssetWeights): NewChange[] =>
  (['criticality', 'exposure'] as const).flatMap((subject) =>
    before[subject] === after[subject]
      ? []
      : [{ kind: 'field_changed', assetId, subject, before: before[subject], after: after[subject] }],
  )
