import type { Ctx, Happening } from '#platform/context.ts'
import * as store from './inventory/inventory-store.ts'

/** Deletes software sets of deleted assets, in the transaction of the change, before their observations are deleted. */

interface DeletedAssetEvent {
  readonly asset_id?: string
  readonly reason?: string
}

/** Sets of merged assets stay: their observations move to the survivor. */
export async function onDeleted(ctx: Ctx, happenings: readonly Happening[]): Promise<void> {
  const deleted = happenings
    .map(({ body }) => JSON.parse(body.toString()) as DeletedAssetEvent)
    .flatMap(({ asset_id: id, reason }) => (id === undefined || reason === 'merged' ? [] : [id]))
  if (deleted.length === 0) return
  const deltas = new Map<number, number>()
  for (const id of (await store.removeSetsOf(ctx, deleted)).flat()) deltas.set(id, (deltas.get(id) ?? 0) - 1)
  await store.count(ctx, [...deltas])
}
