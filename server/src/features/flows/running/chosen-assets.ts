import { assetsById, matchingAssetIds } from '#features/assets/assets.ts'
import type { Ctx } from '#platform/context.ts'
import { invalid, notFound } from '#platform/errors.ts'
import { isUuid } from '#platform/uuid.ts'

const ASSETS_PER_START_MAX = 1_000

/** For which assets a person starts a flow: those named and those for which a condition holds; none: about no asset. */
export interface ChosenAssets {
  readonly assetIds?: readonly string[] | undefined
  readonly where?: string | undefined
}

/**
 * Each id once, at most 1,000; throws `invalid` for more, and where a condition finds none; `notFound` where one that is
 * named is no asset of the tenant.
 */
export async function chosenAssets(ctx: Ctx, { assetIds = [], where }: ChosenAssets): Promise<string[]> {
  const stranger = assetIds.find((assetId) => !isUuid(assetId))
  if (stranger !== undefined) throw invalid('assetIds', `${stranger} is no id of an asset`)
  const named = [...new Set(assetIds.map((assetId) => assetId.toLowerCase()))]
  const found =
    where === undefined ? [] : await matchingAssetIds(ctx, where, { limit: ASSETS_PER_START_MAX + 1 })
  if (where !== undefined && found.length === 0) throw invalid('where', 'is true for no asset')
  const chosen = [...new Set([...named, ...found])]
  if (chosen.length > ASSETS_PER_START_MAX)
    throw invalid(
      where === undefined ? 'assetIds' : 'where',
      `at most ${ASSETS_PER_START_MAX} assets at once`,
    )
  if (named.length > 0 && (await assetsById(ctx, named)).length < named.length) throw notFound('asset')
  return chosen
}
