import { record } from '#features/audit/audit.ts'
import { atomically, permit, type Ctx } from '#platform/context.ts'
import { invalid } from '#platform/errors.ts'
import { getAsset, type Asset } from './assets.ts'
import { attributeNames, type AttributeName } from './attributes.ts'
import { describe } from './describe.ts'
import * as store from './intake-store.ts'
import { assetTypes } from './observation.ts'
import { assetsById, changeAssets } from './asset-store.ts'
import * as personalStore from './personal-store.ts'

/** Values that people set on an asset; no source overwrites them. */

const VALUE_LENGTH_MAX = 1_024

export interface AttributeInput {
  readonly assetId: string
  readonly attribute: AttributeName
  readonly value: string
  readonly reason: string
  /** Not to be changed until it is unlocked. */
  readonly lock?: boolean
}

/** A value that wins over all sources. Setting it again replaces it, and locks or unlocks it. */
export async function setAttribute(ctx: Ctx, input: AttributeInput): Promise<Asset> {
  permit(ctx, 'assets:write')
  const { assetId, attribute, value, reason, lock = false } = input
  checkAttribute(attribute, value)
  if (reason.length > VALUE_LENGTH_MAX || !isStorable(reason)) {
    throw invalid('reason', `must be a text of at most ${VALUE_LENGTH_MAX} characters`)
  }
  return edit(ctx, assetId, async (inner, asset) => {
    const setAt = inner.now()
    await personalStore.writeOverride(inner, assetId, { attribute, value, isLocked: lock, reason, setAt })
    await record(
      inner,
      'asset.attribute_set',
      { type: 'asset', id: assetId },
      { attribute, reason, lock, before: { [attribute]: asset[attribute] }, after: { [attribute]: value } },
    )
  })
}

/** Sources decide again. */
export async function clearAttribute(ctx: Ctx, assetId: string, attribute: AttributeName): Promise<Asset> {
  permit(ctx, 'assets:write')
  checkAttribute(attribute, attribute === 'assetType' ? 'device' : '-')
  return edit(ctx, assetId, async (inner, asset) => {
    if ((await personalStore.dropOverride(inner, assetId, attribute)) === 0) return
    const before = { [attribute]: asset[attribute] }
    await record(inner, 'asset.attribute_cleared', { type: 'asset', id: assetId }, { attribute, before })
  })
}

/** Works the asset out anew after the change. */
async function edit(
  ctx: Ctx,
  assetId: string,
  change: (ctx: Ctx, before: Asset) => Promise<void>,
): Promise<Asset> {
  return atomically(ctx, async (inner) => {
    await store.lockTenant(inner)
    const before = await getAsset(inner, assetId)
    const members = await store.observedOfAssets(inner, [assetId])
    await change(inner, before)
    const [personal] = await assetsById(inner, [assetId])
    if (personal) await changeAssets(inner, [describe(assetId, members, personal).row])
    return getAsset(inner, assetId)
  })
}

function checkAttribute(attribute: AttributeName, value: string): void {
  if (!attributeNames.includes(attribute))
    throw invalid('attribute', `is none of ${attributeNames.join(', ')}`)
  if (value === '' || value.length > VALUE_LENGTH_MAX || !isStorable(value)) {
    throw invalid('value', `must have 1 to ${VALUE_LENGTH_MAX} characters`)
  }
  if (attribute === 'assetType' && !(assetTypes as readonly string[]).includes(value)) {
    throw invalid('value', `is none of ${assetTypes.join(', ')}`)
  }
}

const isStorable = (text: string): boolean => !text.includes('\0') && text.isWellFormed()
