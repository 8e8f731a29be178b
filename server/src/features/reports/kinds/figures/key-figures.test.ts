import { expect, test } from 'vitest'
import { saveEntitlement, setRecords } from '#features/records/records.ts'
import { sharedTestApp } from '#test/support/app/test-app.ts'
import { addDevices, assetNamed, generated } from '../../reports.fixture.ts'
import type { ReportType } from '../../report.ts'
import { complianceFigures } from './compliance-figures.ts'
import { inventoryFigures } from './inventory-figures.ts'
import { atMost } from './key-figures.ts'
import { licenceFigures } from './licence-figures.ts'

const app = sharedTestApp()

test('what is missing without a price is counted and in no sum', () => {
  const { see, figures } = licenceFigures({ assetIds: undefined })
  const product = (more: object) => see['products']?.({ metric: 'device', balance: -2, ...more })
  product({ cost_of_gap: '10.10', currency: 'EUR', reclaimable: 3 })
  product({ cost_of_gap: '0.20', currency: 'EUR' })
  product({ cost_of_gap: '5.00', currency: 'USD' })
  product({ cost_of_gap: null, currency: null })
  product({ balance: 4, cost_of_gap: null })
  see['products']?.({ product: 'without an entitlement' })
  expect(figures(new Set())).toEqual(
    expect.arrayContaining([
      { figure: 'Products with entitlements', value: 5 },
      { figure: 'Products with too few', value: 4, unit: '8 missing' },
      { figure: 'Cost of what is missing', value: '10.30', unit: 'EUR' },
      { figure: 'Cost of what is missing', value: '5.00', unit: 'USD' },
      { figure: 'Missing without a price', value: 1, unit: 'in no sum' },
      { figure: 'Reclaimable', value: 3 },
      { figure: 'Installed without entitlement', value: 1, unit: 'products' },
    ]),
  )
})

test('of a choice of assets no balance is known, which is not zero', () => {
  const { see, figures } = licenceFigures({ assetIds: [] })
  see['products']?.({ metric: 'device', balance: null, cost_of_gap: null })
  const found = figures(new Set())
  expect(found).toContainEqual({ figure: 'Products with too few', value: null })
  expect(found.map(({ figure }) => figure)).not.toContain('Past their end')
})

test('a number of rows of which no more were read says so', () => {
  expect(atMost(4, 5)).toEqual({ value: 4 })
  expect(atMost(5, 5)).toEqual({ value: 5, unit: 'or more' })
})

test('an inventory without assets has no figure; products past their end are known of the whole alone', () => {
  expect(inventoryFigures({ assetIds: undefined }).figures(new Set())).toEqual([])
  const figuresOf = (assetIds?: readonly string[]) => {
    const { see, figures } = inventoryFigures({ assetIds })
    see['summary']?.({ count: 7, stale: 2 })
    see['duplicates']?.({})
    see['end_of_life']?.({ is_ended: true })
    return figures(new Set())
  }
  const both = [
    { figure: 'Assets', value: 7 },
    { figure: 'Stale', value: 2 },
    { figure: 'Possible duplicates', value: 1 },
  ]
  const ended = { figure: 'Products past their end', value: 1 }
  expect(figuresOf()).toEqual(expect.arrayContaining([...both, ended]))
  expect(figuresOf(['one'])).toEqual(expect.arrayContaining(both))
  expect(figuresOf(['one'])).not.toContainEqual(ended)
})

test('what may not be read has no figure, and without controls there is none', () => {
  expect(complianceFigures().figures(new Set(['controls', 'actions']))).toEqual([])
  const { see, figures } = complianceFigures()
  see['controls']?.({ status: 'fail' })
  expect(figures(new Set(['controls'])).map(({ figure }) => figure)).not.toContain('Checks that fail')
  expect(figures(new Set(['controls', 'actions']))).toContainEqual({
    figure: 'Checks that fail',
    value: 0,
    unit: '0 critical, 0 high',
  })
})

test('reports hold their key figures; an audit lists what differs', async () => {
  const ctx = await app().newTenant()
  await addDevices(ctx, 'a', 'b', 'c')
  const [a, b] = [await assetNamed(ctx, 'a'), await assetNamed(ctx, 'b')]
  await setRecords(ctx, { assetIds: [a], values: { price: '1190.10', currency: 'EUR', state: 'retired' } })
  await setRecords(ctx, { assetIds: [b], values: { price: '0.95', currency: 'EUR', owner: 'erika' } })
  await saveEntitlement(ctx, { product: 'Acme', metric: 'device', count: 3, cost: '50.00', currency: 'EUR' })
  const cellsOf = async (type: ReportType, section: string) => {
    const { file } = await generated(ctx, { name: 'n', type, format: 'xml' })
    const [, rows = ''] =
      new RegExp(`<section name="${section}".*?>(.*?)</section>`, 's').exec(String(file)) ?? []
    return [...rows.matchAll(/<row>(.*?)<\/row>/g)].map(([, row = '']) => row.replaceAll(/<[^>]+>/g, '|'))
  }
  expect(await cellsOf('asset_audit', 'key_figures')).toEqual(
    expect.arrayContaining([
      '|Assets||3|',
      '|Differ from what is recorded||1|',
      '|With an owner||1|',
      '|Recorded prices||1191.05||EUR|',
    ]),
  )
  expect(await cellsOf('asset_audit', 'differences')).toEqual([
    expect.stringMatching(/\|a\|.*retired, but seen/),
  ])
  expect(await cellsOf('software_license', 'key_figures')).toContain('|Products with entitlements||1|')
  expect(await cellsOf('inventory_summary', 'key_figures')).toContain('|Assets||3|')
  expect(await cellsOf('topology', 'key_figures')).toContain('|Devices without a link||3|')
  expect(await cellsOf('budget_forecast', 'key_figures')).toContain('|Due within three years||0||assets|')
})
