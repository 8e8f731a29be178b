import { listEndOfLife } from '#features/lifecycles/lifecycles.ts'
import { listEntitlements } from '#features/records/records.ts'
import { isListed, listedReason } from '#features/software/software.ts'
import { isInForce, isNamed, licencePosition, type LicencePosition } from '../licences/licence-position.ts'
import * as store from './software-license-store.ts'
import { licenceFigures } from './figures/licence-figures.ts'
import {
  columns,
  isOfSome,
  NOT_OF_SOME,
  type Collecting,
  type ReportKind,
  type Rows,
  type Section,
} from './kind.ts'

const ENDS_WITHIN_DAYS = 365
const ENDS_MAX = 1_000

const OF_ALL =
  'Entitlements are those of the whole organisation. Beside what is installed on some assets alone they say nothing: ' +
  'their number, their assignments, the balance and its cost are left out of the products.'

/** What is installed, against what may be used. */
export const softwareLicense: ReportKind = {
  type: 'software_license',
  permissions: ['assets:read'],
  figures: licenceFigures,
  notes: async (collecting) => [
    ...(isOfSome(collecting) ? [OF_ALL] : []),
    'An entitlement counts for software in whose name each word of its product stands, whatever the version.',
    `Last use is known where agents and osquery tell it. An empty “used” is not known, which is not zero; of the assets of unknown use none is counted. Reclaimable is what is assigned and not installed, and what was not used for ${store.USED_DAYS} days.`,
  ],
  sections: (collecting) => [
    products(collecting),
    entitlements(collecting),
    versions(collecting),
    forbidden(collecting),
    unmaintained(collecting),
  ],
}

const products = (collecting: Collecting): Section => ({
  name: 'products',
  title: 'Products',
  isMain: true,
  sum: { amount: 'cost_of_gap', currency: 'currency' },
  columns: columns({
    product: ['text', 'Product'],
    vendor: ['text', 'Vendor'],
    metric: ['text', 'Metric'],
    entitled: ['integer', 'Entitled'],
    installed: ['integer', 'Installed'],
    used_90d: ['integer', 'Used, 90 days'],
    assigned: ['integer', 'Assigned'],
    balance: ['integer', 'Balance'],
    cost_of_gap: ['decimal', 'Cost of gap'],
    reclaimable: ['integer', 'Reclaimable'],
    currency: ['text', 'Currency'],
    ends: ['date', 'Ends'],
  }),
  note:
    'First the products with entitlements, then what is installed without one. Packages of a distribution are part of it. ' +
    'A balance below zero is missing; it costs what one of those bought costs on average. Entitlements that have ended ' +
    'or not begun count for nothing; where no other is left, what is missing costs what one of the last did.',
  empty: 'No source lists software, and no entitlement is recorded.',
  rows: productRows(collecting),
})

async function* productRows(collecting: Collecting): Rows {
  const bought = await listEntitlements(collecting.ctx)
  const day = collecting.asOf.toISOString().slice(0, 10)
  const [names, systems] = [await store.names(collecting), await store.systems(collecting)]
  const licensed = new Set<string>()
  const positions = Map.groupBy(bought, ({ product, vendor, metric }) =>
    JSON.stringify([product, vendor, metric]),
  )
  for (const entitled of positions.values()) {
    const { product = '' } = entitled[0] ?? {}
    const named = names.filter((it) => isNamed(product, it))
    for (const name of named) licensed.add(name)
    const of = { names: named, systems: systems.filter((it) => isNamed(product, it)) }
    const { assets, cores } = await store.holders(collecting, of)
    const use = named.length === 0 ? undefined : await store.useOf(collecting, named)
    const position = licencePosition(entitled, { assets, cores: cores ?? undefined, use }, day)
    yield [{ ...position, ...(isOfSome(collecting) && ofAll) }]
  }
  for await (const batch of store.products(collecting))
    yield batch.filter(({ product }) => !licensed.has(String(product)))
}

/** What cannot be set against the installations of some assets alone. */
const ofAll = {
  entitled: null,
  assigned: null,
  balance: null,
  cost_of_gap: null,
  reclaimable: null,
} satisfies Partial<Record<keyof LicencePosition, null>>

const entitlements = ({ ctx, asOf }: Collecting): Section => ({
  name: 'entitlements',
  title: 'Entitlements',
  sum: { amount: 'cost', currency: 'currency' },
  columns: columns({
    product: ['text', 'Product'],
    metric: ['text', 'Metric'],
    count: ['integer', 'Count'],
    assigned: ['integer', 'Assigned'],
    version_from: ['text', 'From version'],
    version_to: ['text', 'To version'],
    contract: ['text', 'Contract'],
    begins: ['date', 'Begins'],
    ends: ['date', 'Ends'],
    in_force: ['yesno', 'In force'],
    cost: ['decimal', 'Cost'],
    currency: ['text', 'Currency'],
  }),
  note: 'Of the whole organisation. Without a count: without limit.',
  empty: 'No entitlement is recorded.',
  rows: entitlementRows(ctx, asOf.toISOString().slice(0, 10)),
})

async function* entitlementRows(ctx: Collecting['ctx'], day: string): Rows {
  yield (await listEntitlements(ctx)).map((it) => ({
    product: it.product,
    metric: it.metric,
    count: it.count,
    assigned: it.used,
    version_from: it.versionFrom,
    version_to: it.versionTo,
    contract: it.contract,
    begins: it.begins,
    ends: it.ends,
    in_force: isInForce(it, day),
    cost: it.cost,
    currency: it.currency,
  }))
}

const versions = (collecting: Collecting): Section => ({
  name: 'versions',
  title: 'Versions',
  columns: columns({
    product: ['text', 'Product'],
    vendor: ['text', 'Vendor'],
    version: ['text', 'Version'],
    installed: ['integer', 'Installed'],
  }),
  empty: 'No source lists software.',
  rows: store.versions(collecting),
})

const forbidden = (collecting: Collecting): Section => ({
  name: 'forbidden',
  title: 'Forbidden',
  columns: columns({
    product: ['text', 'Product'],
    vendor: ['text', 'Vendor'],
    version: ['text', 'Version'],
    reason: ['text', 'Why'],
    installed: ['integer', 'Installed'],
  }),
  note: 'Installed software that is on the list of what the organisation forbids.',
  empty: 'Nothing of the list of forbidden software is installed, or the list is empty.',
  rows: store.forbidden(collecting, {
    isListed: isListed(collecting.ctx, 'forbidden'),
    reason: listedReason(collecting.ctx, 'forbidden'),
  }),
})

/** Of the whole organisation: their counts are not taken apart by asset. */
export const unmaintained = (collecting: Collecting): Section => ({
  name: 'end_of_life',
  title: 'No longer maintained, or not for long',
  columns: columns({
    name: ['text', 'Name'],
    version: ['text', 'Version'],
    kind: ['text', 'Kind'],
    ends: ['date', 'Ends'],
    extended_until: ['date', 'Paid support until'],
    is_ended: ['yesno', 'Ended'],
    latest: ['text', 'Latest'],
    assets: ['integer', 'Assets'],
  }),
  note: 'Operating systems and software whose maintenance has ended or ends within a year.',
  empty: collecting.assetIds === undefined ? 'Nothing is known to end within a year.' : NOT_OF_SOME,
  chart: { kind: 'bars', label: 'name', value: 'assets' },
  rows: endRows(collecting),
})

async function* endRows({ ctx, assetIds }: Collecting): Rows {
  if (assetIds !== undefined) return
  const { items } = await listEndOfLife(ctx, { limit: ENDS_MAX, offset: 0 }, ENDS_WITHIN_DAYS)
  yield items.map(({ endsOn, extendedUntil, isEnded, ...it }) => ({
    name: it.name,
    version: it.version,
    kind: it.kind === 'system' ? 'operating system' : 'software',
    ends: endsOn,
    extended_until: extendedUntil,
    is_ended: isEnded,
    latest: it.latest,
    assets: it.assets,
  }))
}
