import { randomUUID } from 'node:crypto'
import { isIP } from 'node:net'
import { getAsset } from '#features/assets/assets.ts'
import type { AssetType, Identifier, IdentifierType } from '#features/assets/observation.ts'
import { record } from '#features/audit/audit.ts'
import { atomically, permit, type Ctx } from '#platform/context.ts'
import { invalid } from '#platform/errors.ts'
import { checkedName } from '#platform/validation/checked-name.ts'
import { assetsOfKeys, submit } from './sources.ts'

/** Assets that people enter by hand: observations of the source `manual`, so that what scans see later joins them. */

const SOURCE = { kind: 'manual', name: 'Entered by hand' }
const TEXT_LENGTH_MAX = 255

/** As network tools write an address: by colons, by hyphens, or by dots between groups of four. */
export const MAC_PATTERN = '^([0-9A-Fa-f]{2}[:-]){5}[0-9A-Fa-f]{2}$|^([0-9A-Fa-f]{4}\\.){2}[0-9A-Fa-f]{4}$'
const MAC = new RegExp(MAC_PATTERN)

export interface ManualAsset {
  readonly name: string
  /** A device unless given. */
  readonly assetType?: AssetType
  readonly vendor?: string
  readonly model?: string
  readonly os?: string
  readonly serial?: string
  readonly hostname?: string
  readonly macAddress?: string
  readonly ipAddress?: string
  readonly tags?: readonly string[]
}

export interface CreatedAsset {
  readonly id: string
  readonly name: string
  /** False: it is one that was known by a serial number, address or name given here. */
  readonly isNew: boolean
}

export async function createAsset(ctx: Ctx, input: ManualAsset): Promise<CreatedAsset> {
  permit(ctx, 'assets:write')
  const name = checkedName('name', input.name, TEXT_LENGTH_MAX)
  for (const field of ['vendor', 'model', 'os', 'serial', 'hostname'] as const)
    if (input[field] !== undefined) checkedName(field, input[field], TEXT_LENGTH_MAX)
  const { assetType = 'device', vendor, model, os, tags } = input
  const sourceKey = randomUUID()
  return atomically(ctx, async (inner) => {
    const { created, rejected } = await submit(inner, SOURCE, [
      {
        sourceKey,
        seenAt: inner.now(),
        name,
        assetType,
        identifiers: identifiersOf(input),
        ...(vendor !== undefined && { vendor }),
        ...(model !== undefined && { model }),
        ...(os !== undefined && { os }),
        ...(tags !== undefined && { tags }),
      },
    ])
    const [wrong] = rejected
    if (wrong) throw invalid(fieldOf(wrong.field, identifiersOf(input)), wrong.message)
    const asset = await getAsset(inner, (await assetsOfKeys(inner, SOURCE, [sourceKey])).get(sourceKey) ?? '')
    const isNew = created > 0
    await record(inner, 'asset.created', { type: 'asset', id: asset.id }, { name, assetType, isNew })
    return { id: asset.id, name: asset.name, isNew }
  })
}

const inputOf: Readonly<Partial<Record<IdentifierType, keyof ManualAsset>>> = {
  serial: 'serial',
  hostname: 'hostname',
  mac: 'macAddress',
  ip: 'ipAddress',
}

function identifiersOf(input: ManualAsset): Identifier[] {
  const { macAddress, ipAddress } = input
  if (macAddress !== undefined && !MAC.test(macAddress))
    throw invalid('macAddress', 'is not a MAC address, such as 00:1b:21:3c:4d:5e')
  if (ipAddress !== undefined && (isIP(ipAddress) === 0 || ipAddress.includes('%')))
    throw invalid('ipAddress', 'is not an IPv4 or IPv6 address')
  return Object.entries(inputOf).flatMap(([type, field]): Identifier[] => {
    const value = input[field]
    return typeof value === 'string' && value !== '' ? [{ type: type as IdentifierType, value }] : []
  })
}

/** `identifiers[1].value` as the person calls it. */
function fieldOf(field: string, identifiers: readonly Identifier[]): string {
  const place = /^identifiers\[(\d+)\]/.exec(field)?.[1]
  const type = place === undefined ? undefined : identifiers[Number(place)]?.type
  return (type && inputOf[type]) ?? field
}
