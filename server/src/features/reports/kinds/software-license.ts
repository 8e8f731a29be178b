import { listEndOfLife } from '#features/lifecycles/lifecycles.ts'
import { listEntitlements } from '#features/records/records.ts'
import { isNamed, licencePosition } from '../licences/licence-position.ts'
import * as store from './software-license-store.ts'
import { columns, type Collecting, type ReportKind, type Rows, type Section } from './kind.ts'

const ENDS_WITHIN_DAYS = 365
const ENDS_MAX = 1_000

/** What is installed, against what may be used. */
export const softwareLicense: ReportKind = {
  type: 'software_license',
  notes: async () => [
    'An entitlement counts for software in whose name each word of its product stands, whatever the version.',
    'Last use is not collected: its column is empty, and empty is not zero.',
  ],
  sections: (collecting) => [
    products(collecting),
    entitlements(collecting),
    versions(collecting),
    unmaintained(collecting),
  ],
}

const products = (collecting: Collecting): Section => ({
  name: 'products',
  title: 'Products',
  isMain: true,
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
    'A balance below zero is missing; it costs what one of those bought costs on average.',
  empty: 'No source lists software, and no entitlement is recorded.',
  rows: productRows(collecting),
})

async function* productRows(collecting: Collecting): Rows {
  const bought = await listEntitlements(collecting.ctx)
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
    yield [{ ...licencePosition(entitled, { assets, cores: cores ?? undefined }) }]
  }
  for await (const batch of store.products(collecting))
    yield batch.filter(({ product }) => !licensed.has(String(product)))
}

const entitlements = ({ ctx }: Collecting): Section => ({
  name: 'entitlements',
  title: 'Entitlements',
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
    cost: ['decimal', 'Cost'],
    currency: ['text', 'Currency'],
  }),
  note: 'Without a count: without limit.',
  empty: 'No entitlement is recorded.',
  rows: entitlementRows(ctx),
})

async function* entitlementRows(ctx: Collecting['ctx']): Rows {
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
  note: 'Operating systems and software whose maintenance has ended or ends within a year, of all assets.',
  empty:
    collecting.assetIds === undefined
      ? 'Nothing is known to end within a year.'
      : 'It is not told for a choice of assets.',
  chart: { label: 'name', value: 'assets' },
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
