import { inventoryFigures } from './figures/inventory-figures.ts'
import * as store from './inventory-summary-store.ts'
import { unmaintained } from './software-license.ts'
import { isLimited } from '#platform/context.ts'
import { columns, NOT_OF_SOME, type Collecting, type ReportKind, type Section } from './kind.ts'

const counted = {
  count: ['integer', 'Assets'],
  seen_7d: ['integer', 'Seen, 7 days'],
  seen_30d: ['integer', 'Seen, 30 days'],
  stale: ['integer', 'Stale'],
  new: ['integer', 'New'],
  gone: ['integer', 'Gone'],
} as const

const titles = { type: 'Type', device_type: 'Device type', vendor: 'Vendor', os: 'Operating system' } as const

/** Dimensions whose values are words of the API. */
const codes: ReadonlySet<string> = new Set(['type', 'device_type'])

const EMPTY = 'There are no assets in this scope.'

/** How many things there are, how well they are known, and what changed. */
export const inventorySummary: ReportKind = {
  type: 'inventory_summary',
  permissions: ['assets:read'],
  isOfPeriod: true,
  leads: 'by_type',
  figures: inventoryFigures,
  sections: (collecting) => [
    {
      name: 'summary',
      title: 'Inventory',
      isMain: true,
      isSummed: true,
      note:
        'Each asset is counted in one row. Stale: not seen for 30 days. New: seen for the first time in the period. ' +
        'Gone: seen for the last time a week before the period or in it, and not since. Without a period: the last 7 days.',
      columns: columns({
        type: ['code', titles.type],
        device_type: ['code', titles.device_type],
        vendor: ['text', titles.vendor],
        os: ['text', titles.os],
        site: ['text', 'Site'],
        source: ['text', 'Known by'],
        ...counted,
      }),
      empty: EMPTY,
      rows: store.combinations(collecting),
    },
    ...(['type', 'device_type', 'vendor', 'os'] as const).map((dimension) => byOne(collecting, dimension)),
    bySite(collecting),
    ...aboutQuality(collecting),
    ...(isLimited(collecting.ctx) ? [] : aboutTime(collecting)),
    unmaintained(collecting),
  ],
}

const byOne = (collecting: Collecting, dimension: store.Dimension): Section => ({
  name: `by_${dimension}`,
  title: `By ${titles[dimension].toLowerCase()}`,
  columns: columns({ [dimension]: [codes.has(dimension) ? 'code' : 'text', titles[dimension]], ...counted }),
  empty: EMPTY,
  chart: { kind: 'bars', label: dimension, value: 'count', isSummable: true },
  rows: store.countsBy(collecting, dimension),
})

const bySite = (collecting: Collecting): Section => ({
  name: 'by_site',
  title: 'By site',
  columns: columns({ site: ['text', 'Site'], ...counted }),
  note: 'As recorded, else by the network that has the address.',
  empty: EMPTY,
  chart: { kind: 'bars', label: 'site', value: 'count', isSummable: true },
  rows: store.countsBySite(collecting),
})

const aboutQuality = (collecting: Collecting): Section[] => [
  {
    name: 'coverage',
    title: 'How assets are known',
    columns: columns({
      type: ['code', titles.type],
      source: ['text', 'Best source'],
      count: ['integer', 'Assets'],
    }),
    empty: EMPTY,
    chart: { kind: 'stacked', label: 'type', value: 'count', series: 'source' },
    rows: store.coverage(collecting),
  },
  {
    name: 'quality',
    title: 'What is known of the assets',
    columns: columns({
      what: ['text', 'What'],
      known: ['integer', 'Known'],
      missing: ['integer', 'Missing'],
      percent: ['decimal', 'Known, %'],
    }),
    empty: EMPTY,
    rows: store.quality(collecting),
  },
  {
    name: 'duplicates',
    title: 'Possible duplicates',
    columns: columns({
      a: ['text', 'Asset'],
      a_id: ['text', 'Its id'],
      b: ['text', 'Other asset'],
      b_id: ['text', 'Its id'],
      score: ['decimal', 'Likeness'],
    }),
    note: 'At most 500, the likeliest first.',
    empty: 'No two assets look like one.',
    rows: store.duplicates(collecting),
  },
]

const aboutTime = (collecting: Collecting): Section[] => [
  {
    name: 'months',
    title: 'The last twelve months',
    columns: columns({ day: ['date', 'Day'], count: ['integer', 'Assets'] }),
    chart: { kind: 'line', label: 'day', value: 'count' },
    empty:
      collecting.assetIds === undefined
        ? 'Days are written from the first night on; there is none yet.'
        : NOT_OF_SOME,
    rows: store.months(collecting),
  },
  {
    name: 'largest_changes',
    title: 'The ten largest changes',
    columns: columns({
      what: ['text', 'By'],
      value: ['text', 'Which'],
      before: ['integer', 'Before'],
      after: ['integer', 'After'],
      change: ['integer', 'Change'],
    }),
    note: 'From the first to the last night of the period that was written; without a period, of the last 7 days.',
    empty:
      collecting.assetIds === undefined
        ? 'No two nights of the period were written, or nothing changed between them.'
        : NOT_OF_SOME,
    rows: store.largestChanges(collecting),
  },
]
