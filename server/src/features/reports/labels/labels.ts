import { Readable } from 'node:stream'
import { assetsById, getAsset, matchingAssetIds } from '#features/assets/assets.ts'
import { permit, type Ctx } from '#platform/context.ts'
import { invalid } from '#platform/errors.ts'
import { isUuid } from '#platform/uuid.ts'
import { assetUrl } from '../generating/collecting-store.ts'
import { qrPng, qrSvg } from './qr-image.ts'

/** Labels for machines: a QR code that leads to the asset's page, alone or on sheets to print. */

export const labelFormats = ['svg', 'png'] as const

/** Fifty sheets. */
export const LABELS_MAX = 1_200

export interface LabelFile {
  readonly fileName: string
  readonly mediaType: string
  readonly content: Readable
}

/** The QR code of one asset. */
export async function assetLabel(ctx: Ctx, id: string, format: string): Promise<LabelFile> {
  permit(ctx, 'assets:read')
  const known = labelFormats.find((it) => it === format)
  if (!known) throw invalid('format', `is none of ${labelFormats.join(', ')}`)
  const asset = await getAsset(ctx, id)
  const url = (await assetUrl(ctx)) + asset.id
  const content = known === 'svg' ? Buffer.from(qrSvg(url)) : qrPng(url)
  return {
    fileName: `label-${asset.id}.${known}`,
    mediaType: known === 'svg' ? 'image/svg+xml' : 'image/png',
    content: Readable.from([content]),
  }
}

/** One of the two. */
export interface LabelledAssets {
  readonly where?: string | undefined
  readonly assetIds?: readonly string[] | undefined
}

/** A PDF with a label for each asset, by name. Ids of assets that are not there are left out. */
export async function labelSheet(ctx: Ctx, wanted: LabelledAssets): Promise<LabelFile> {
  permit(ctx, 'assets:read')
  const assets = await assetsById(ctx, await idsOf(ctx, wanted))
  if (assets.length === 0) throw invalid(fieldOf(wanted), 'means no asset')
  const page = await assetUrl(ctx)
  const labels = assets
    .map(({ id, name, serial }) => ({ id, name, serial, url: page + id }))
    .toSorted((a, b) => compare(a.name, b.name) || compare(a.id, b.id))
  // with the library of fonts, which nothing else in this process needs
  const { renderLabels } = await import('./label-sheet.ts')
  return {
    fileName: 'labels.pdf',
    mediaType: 'application/pdf',
    content: Readable.from(renderLabels(labels, ctx.now())),
  }
}

const fieldOf = ({ where }: LabelledAssets): string => (where === undefined ? 'ids' : 'where')

async function idsOf(ctx: Ctx, wanted: LabelledAssets): Promise<readonly string[]> {
  const { where, assetIds } = wanted
  if ((where === undefined) === (assetIds === undefined))
    throw invalid('where', 'give either a condition or ids')
  if (assetIds && !assetIds.every(isUuid)) throw invalid('ids', 'must be ids of assets')
  const ids = assetIds ?? (await matchingAssetIds(ctx, where ?? '', { limit: LABELS_MAX + 1 }))
  if (ids.length > LABELS_MAX)
    throw invalid(fieldOf(wanted), `means more than ${LABELS_MAX} assets; narrow it`)
  return [...new Set(ids)]
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
