import { withCondition } from '#platform/conditions/with-condition.ts'
import { permit, type Ctx } from '#platform/context.ts'
import * as store from './where-store.ts'

export interface IdPage {
  /** The greatest id of the page before; absent: the first page. */
  readonly after?: string | undefined
  readonly limit: number
}

/** Ids of the assets for which the condition holds, as `listAssets` finds them, in the order of ids. */
export async function matchingAssetIds(ctx: Ctx, where: string, page: IdPage): Promise<string[]> {
  permit(ctx, 'assets:read')
  return withCondition(ctx, { subject: 'asset', text: where }, (inner, filter) =>
    store.idsAfter(inner, filter, page),
  )
}
