import { assetsById, matchingAssetIds, toChange } from '#features/assets/assets.ts'
import {
  matchingFindingIds,
  toChangeFindings,
  visibleFindingIds,
} from '#features/vulnerabilities/vulnerabilities.ts'
import { isLimited, type Ctx } from '#platform/context.ts'
import type { BulkSubjectName } from './bulk-change.ts'

/** What a bulk change is of. */
export interface BulkSubject {
  /** The field of a selection that names them. */
  readonly named: 'assetIds' | 'findingIds'
  readonly plural: string
  /** Ids of those for which the condition holds, in their order, behind `after`. */
  readonly matching: (
    ctx: Ctx,
    where: string,
    page: { readonly after?: string | undefined; readonly limit: number },
  ) => Promise<string[]>
  /** Those of the ids that the actor sees. */
  readonly visible: (ctx: Ctx, ids: readonly string[]) => Promise<readonly string[]>
  /** The context for their change, without the actor's limit. Throws 404 unless the actor sees all of them. */
  readonly toChange: (ctx: Ctx, ids: readonly string[]) => Promise<Ctx>
}

export const subjects: Readonly<Record<BulkSubjectName, BulkSubject>> = {
  asset: {
    named: 'assetIds',
    plural: 'assets',
    matching: matchingAssetIds,
    visible: async (ctx, ids) => (isLimited(ctx) ? (await assetsById(ctx, ids)).map(({ id }) => id) : ids),
    toChange,
  },
  finding: {
    named: 'findingIds',
    plural: 'findings',
    matching: matchingFindingIds,
    visible: async (ctx, ids) => (isLimited(ctx) ? visibleFindingIds(ctx, ids) : ids),
    toChange: toChangeFindings,
  },
}
