import type { Ctx, Happening } from '#platform/context.ts'
import { forgetAssets } from './compliance.ts'

/** Deleted and merged assets are in no result any more, in the transaction of the change. */
export async function onDeleted(ctx: Ctx, happenings: readonly Happening[]): Promise<void> {
  const ids = happenings.flatMap(
    ({ body }) => (JSON.parse(body.toString()) as { readonly asset_id?: string }).asset_id ?? [],
  )
  await forgetAssets(ctx, ids)
}
