import { record } from '#features/audit/audit.ts'
import { emit } from '#features/events/events.ts'
import { deviceTypes } from '#features/recognition/recognition.ts'
import { refuseUnprintable } from '#platform/validation/checked-name.ts'
import { atomically, permit, type Ctx } from '#platform/context.ts'
import { invalid } from '#platform/errors.ts'
import { confidenceChanged, updatedAsset } from '../asset-events.ts'
import type { Asset } from '../asset.ts'
import { getAsset } from '../asset-by-id.ts'
import { attributeNames, type AttributeName } from '../attributes/source-precedence.ts'
import { describe } from '../attributes/asset-values.ts'
import * as store from '../intake/observation-read-store.ts'
import { assetTypes } from '../observation.ts'
import { changeAssets } from '../asset-changes.ts'
import { assetsChanged } from '../asset-signals.ts'
import { assetsById } from '../asset-store.ts'
import { toChange } from './change-within-limit.ts'
import * as editsStore from './edits-store.ts'

/** Overrides: values that people set on an asset. They take precedence over every source. */

const VALUE_LENGTH_MAX = 1_024

export interface AttributeInput {
  readonly assetId: string
  readonly attribute: AttributeName
  readonly value: string
  readonly reason: string
  /** The value wins over every source until it is set again without the lock. */
  readonly lock?: boolean
}

/** Sets an override. Setting it again replaces it, and locks or unlocks it. */
export async function setAttribute(ctx: Ctx, input: AttributeInput): Promise<Asset> {
  permit(ctx, 'assets:write')
  const { assetId, attribute, value, reason, lock = false } = input
  checkAttribute(attribute, value)
  if (reason.length > VALUE_LENGTH_MAX || !isStorable(reason)) {
    throw invalid('reason', `must be a text of at most ${VALUE_LENGTH_MAX} characters`)
  }
  return edit(ctx, { assetId, attribute }, async (inner) => {
    const setAt = inner.now()
    await editsStore.writeOverride(inner, assetId, { attribute, value, isLocked: lock, reason, setAt })
    return { action: 'asset.attribute_set', details: { reason, lock } }
  })
}

/** Removes the override: the value of the best source applies again. */
export async function clearAttribute(ctx: Ctx, assetId: string, attribute: AttributeName): Promise<Asset> {
  permit(ctx, 'assets:write')
  checkAttribute(attribute, choices[attribute]?.[0] ?? '-')
  return edit(ctx, { assetId, attribute }, async (inner) => {
    const dropped = await editsStore.dropOverride(inner, assetId, attribute)
    return dropped === 0 ? undefined : { action: 'asset.attribute_cleared', details: {} }
  })
}

interface AuditEntry {
  readonly action: string
  readonly details: Readonly<Record<string, unknown>>
}

/** Applies the change, recomputes the asset and writes the audit log; a notable rise of confidence emits an event. */
async function edit(
  ctx: Ctx,
  { assetId, attribute }: Pick<AttributeInput, 'assetId' | 'attribute'>,
  change: (ctx: Ctx) => Promise<AuditEntry | undefined>,
): Promise<Asset> {
  return atomically(await toChange(ctx, [assetId]), async (inner) => {
    await store.lockTenant(inner)
    const before = await getAsset(inner, assetId)
    const members = await store.observedOfAssets(inner, [assetId])
    const entry = await change(inner)
    const [edits] = await assetsById(inner, [assetId])
    if (!entry || !edits) return before
    const { row } = describe(assetId, members, edits)
    await changeAssets(inner, [row])
    await assetsChanged(inner, [assetId])
    if (confidenceChanged(before.confidence, row.confidence)) {
      await emit(inner, [
        updatedAsset(row, members, { fields: ['confidence'], at: inner.now(), source: 'manual', before }),
      ])
    }
    const values = { before: { [attribute]: before[attribute] }, after: { [attribute]: row[attribute] } }
    await record(
      inner,
      entry.action,
      { type: 'asset', id: assetId },
      { name: before.name, attribute, ...entry.details, ...values },
    )
    return getAsset(inner, assetId)
  })
}

function checkAttribute(attribute: AttributeName, value: string): void {
  if (!attributeNames.includes(attribute))
    throw invalid('attribute', `is none of ${attributeNames.join(', ')}`)
  if (value === '' || value.length > VALUE_LENGTH_MAX)
    throw invalid('value', `must have 1 to ${VALUE_LENGTH_MAX} characters`)
  refuseUnprintable('value', value)
  const known = choices[attribute]
  if (known && !known.includes(value)) throw invalid('value', `is none of ${known.join(', ')}`)
}

const choices: Readonly<Partial<Record<AttributeName, readonly string[]>>> = {
  assetType: assetTypes,
  deviceType: deviceTypes,
}

const isStorable = (text: string): boolean => !text.includes('\0') && text.isWellFormed()
