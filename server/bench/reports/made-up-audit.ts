import type { Column, DatasetLine } from '../../src/features/reports/dataset/dataset.ts'

const text = (name: string, title: string): Column => ({ name, title, kind: 'text' })

const assetColumns: readonly Column[] = [
  text('id', 'Id'),
  text('name', 'Name'),
  text('type', 'Type'),
  text('owner', 'Owner'),
  text('site', 'Site'),
  text('serial', 'Serial number'),
  text('vendor', 'Vendor'),
  text('model', 'Model'),
  text('ip', 'IP address'),
  text('mac', 'MAC address'),
  { name: 'last_seen', title: 'Last seen', kind: 'instant' },
  { name: 'risk', title: 'Risk', kind: 'decimal' },
  { name: 'price', title: 'Price', kind: 'decimal' },
  text('discrepancies', 'Discrepancies'),
]

const detailColumns: readonly Column[] = [
  text('asset_id', 'Asset id'),
  text('asset', 'Asset'),
  text('name', 'Name'),
  text('version', 'Version'),
  text('vendor', 'Vendor'),
]

const DETAILS = ['identity', 'software', 'findings', 'changes'] as const
const ROWS_OF_DETAIL = 9

/** An audit of so many assets: a page each, or with `isList` a line each. */
export function* madeUpAudit(count: number, isList: boolean): Generator<DatasetLine> {
  yield {
    about: {
      name: 'Bench',
      organisation: 'Acme',
      type: 'asset_audit',
      snapshotId: '00000000-0000-4000-8000-000000000000',
      asOf: '2026-11-22T04:30:00.000Z',
      scope: 'all assets',
      notes: [],
      assetUrl: 'https://rollcall.example.org/t/acme/assets/',
    },
  }
  const main = { name: 'assets', title: 'Assets', isMain: true, columns: assetColumns }
  yield { section: isList ? main : { ...main, layout: 'sheets', details: DETAILS } }
  for (let n = 0; n < count; n += 1) yield { row: assetRow(n) }
  if (isList) return
  for (const name of DETAILS) {
    yield { section: { name, title: name, of: 'assets', columns: detailColumns } }
    for (let n = 0; n < count; n += 1)
      for (let m = 0; m < ROWS_OF_DETAIL; m += 1)
        yield {
          row: [idOf(n), nameOf(n), `Package ${(n * 7 + m) % 997}`, `${m}.${n % 40}.1`, 'Some vendor Ltd'],
        }
  }
}

const idOf = (n: number): string => `0190f0f6-6c39-4f3c-8d59-${String(n).padStart(12, '0')}`
const nameOf = (n: number): string => `host-${String(n).padStart(7, '0')}`

const assetRow = (n: number) => [
  idOf(n),
  nameOf(n),
  'device',
  `person-${n % 300}@example.org`,
  ['Zürich', 'Oslo', 'Berlin'][n % 3] ?? null,
  `SN-${n * 31}`,
  'Lenovo',
  `ThinkPad T14 Gen ${n % 6}`,
  `10.${(n >> 16) % 256}.${(n >> 8) % 256}.${n % 256}`,
  null,
  '2026-11-20T10:00:00.000Z',
  String((n % 1_000) / 10),
  `${n % 3_000}.50`,
  n % 10 === 0 ? 'in use, but not seen since 2026-09-01' : null,
]
