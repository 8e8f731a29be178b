import { listAssets } from '#features/assets/assets.ts'
import {
  assignEntitlement,
  createPlace,
  importRecords,
  listEntitlements,
  listPlaces,
  saveContract,
  saveEntitlement,
} from '#features/records/records.ts'
import { assetsOfKeys } from '#features/sources/sources.ts'
import type { Source } from '#features/sources/source.ts'
import type { Ctx } from '#platform/context.ts'
import { DOMAIN, personAt, sitesOf } from '../company.ts'
import { estateOf, type EstateOptions } from '../estate.ts'
import type { SourcedObservation } from '../generators/generator.ts'
import { STORE_ROOM } from '../recorded-values.ts'

/** What the company records of its assets: where they are, whose they are, and what they cost. */

/** Its sites with their networks, a store room in each, and the data centre. */
export async function createPlaces(ctx: Ctx, options: EstateOptions): Promise<void> {
  const known = new Set((await listPlaces(ctx)).map(({ path }) => path))
  for (const { city, network } of sitesOf(estateOf(options))) {
    if (known.has(city)) continue
    const site = await createPlace(ctx, { name: city, kind: 'site', networks: [`10.${network}.0.0/16`] })
    await createPlace(ctx, { name: STORE_ROOM, kind: 'room', parentId: site.id })
  }
  if (known.has(DATA_CENTRE)) return
  const site = await createPlace(ctx, { name: DATA_CENTRE, kind: 'site', networks: ['10.240.0.0/12'] })
  await createPlace(ctx, { name: 'Hall 1', kind: 'room', parentId: site.id })
}

const DATA_CENTRE = 'Halden data centre'
const LIST = 'Purchasing list'

/** Two contracts and what they entitle to; of the first product the uses of people, more than were bought. */
export async function createEntitlements(ctx: Ctx, options: EstateOptions): Promise<void> {
  if ((await listEntitlements(ctx)).length > 0) return
  const estate = estateOf(options)
  const year = estate.day.getUTCFullYear()
  const term = { begins: `${year - 1}-01-01`, ends: `${year + 1}-12-31`, currency: 'EUR' }
  const frame = { name: 'Enterprise agreement', supplier: 'Computacenter', number: `EA-${year - 1}-118` }
  const contract = await saveContract(ctx, { ...frame, ...term, cost: '48000.00' })
  const people = Math.min(50, estate.count('users'))
  const office = await saveEntitlement(ctx, {
    product: 'Microsoft 365 E3',
    vendor: 'Microsoft',
    metric: 'user',
    count: Math.max(1, people - 3),
    contractId: contract.id,
    ...term,
    cost: '31200.00',
  })
  await saveEntitlement(ctx, {
    product: 'Windows Server Standard',
    vendor: 'Microsoft',
    metric: 'core',
    count: 256,
    versionTo: '2022',
    contractId: contract.id,
  })
  await saveEntitlement(ctx, {
    product: 'Visio Professional',
    vendor: 'Microsoft',
    metric: 'device',
    count: 12,
  })
  await saveEntitlement(ctx, { product: 'WinRAR', vendor: 'win.rar', metric: 'device', count: 20 })
  const persons = Array.from({ length: people }, (_, n) => `${personAt(n, estate).login}@${DOMAIN}`)
  await assignEntitlement(ctx, { entitlementId: office.id, persons })
}

/** Of each entitlement of devices those that use it, once: of the first in the alphabet more than were bought. */
export async function assignDevices(ctx: Ctx): Promise<void> {
  const entitlements = (await listEntitlements(ctx)).filter((it) => it.metric === 'device')
  if (entitlements.some(({ used }) => used > 0)) return
  const { items } = await listAssets(ctx, { limit: DEVICES_MAX, offset: 0 }, { where: 'type = workstation' })
  const devices = items.toSorted((a, b) => (a.name < b.name ? -1 : 1))
  for (const [place, { id, count }] of entitlements.entries()) {
    const bought = count ?? 0
    const used = devices.splice(0, place === 0 ? bought + 2 : Math.floor(bought / 2))
    if (used.length > 0)
      await assignEntitlement(ctx, { entitlementId: id, assetIds: used.map((device) => device.id) })
  }
}

const DEVICES_MAX = 100

/** Records of the assets of a batch that was submitted. */
export async function importPurchases(
  ctx: Ctx,
  source: Source,
  batch: readonly SourcedObservation[],
): Promise<void> {
  const bought = batch.filter(({ recorded }) => recorded)
  if (bought.length === 0) return
  const places = new Map((await listPlaces(ctx)).map(({ path, id }) => [path, id]))
  const assets = await assetsOfKeys(
    ctx,
    source,
    bought.map(({ observation }) => observation.sourceKey),
  )
  await importRecords(
    ctx,
    LIST,
    bought.flatMap(({ observation, recorded: { place = '', ...values } = {} }) => {
      const assetId = assets.get(observation.sourceKey)
      const placeId = places.get(place)
      return assetId === undefined ? [] : [{ assetId, values: { ...values, ...(placeId && { placeId }) } }]
    }),
  )
}
