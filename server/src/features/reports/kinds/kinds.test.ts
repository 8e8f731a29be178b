import { parse } from 'csv-parse/sync'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { archiveAsset } from '#features/assets/assets.ts'
import { setAttribute } from '#features/assets/editing/attribute-edits.ts'
import { createPlace, setRecords } from '#features/records/records.ts'
import { sharedTestApp } from '#test/support/app/test-app.ts'
import type { Ctx } from '#platform/context.ts'
import { budgetTerms, setBudgetSettings, setExchangeRate, setReplacementPrice } from '../budget/budget.ts'
import { writeInventoryDays } from '../inventory-days.ts'
import { addDevices, assetNamed, generated } from '../reports.fixture.ts'

const app = sharedTestApp()
const NOW = new Date('2026-11-22T12:00:00Z')

async function tenant(): Promise<Ctx> {
  return { ...(await app().newTenant()), now: () => NOW }
}

async function rowsOf(ctx: Ctx, type: string): Promise<Record<string, string>[]> {
  const { file } = await generated(ctx, { name: 'n', type })
  return parse(file, { columns: true })
}

async function xmlOf(ctx: Ctx, type: string): Promise<string> {
  return (await generated(ctx, { name: 'n', type, format: 'xml' })).file.toString()
}

test('asset_audit has what people recorded, and says where it differs from what is seen', async () => {
  const ctx = await tenant()
  await addDevices(ctx, 'web-1', 'web-2', 'web-3')
  const place = await createPlace(ctx, { kind: 'site', name: 'Zürich', networks: [] })
  const ids = await Promise.all(['web-1', 'web-2'].map((name) => assetNamed(ctx, name)))
  await setRecords(ctx, {
    assetIds: ids.slice(0, 1),
    values: {
      owner: 'Erika',
      placeId: place.id,
      state: 'retired',
      purchasedOn: '2024-05-06',
      price: '1190.00',
      currency: 'CHF',
      warrantyEnds: '2027-05-06',
    },
  })
  await setAttribute(ctx, { assetId: ids[1] ?? '', attribute: 'serial', value: 'OTHER', reason: '' })
  const rows = await rowsOf(ctx, 'asset_audit')
  expect(rows[0]).toMatchObject({
    name: 'web-1',
    owner: 'Erika',
    site: 'Zürich',
    state: 'retired',
    purchased_on: '2024-05-06',
    price: '1190.00',
    currency: 'CHF',
    warranty_ends: '2027-05-06',
    discrepancies: 'retired, but seen on 2026-11-22',
  })
  expect(rows[1]?.['discrepancies']).toMatch(/^serial recorded OTHER, seen /)
  // nobody looked for its software: unknown, and not zero
  expect(rows[2]).toMatchObject({ owner: '', price: '', risk: '', open_findings: '', discrepancies: '' })
})

test('inventory_summary counts each asset in one row, and its sums are those of the inventory', async () => {
  const ctx = await tenant()
  await addDevices(ctx, 'web-1', 'web-2', 'web-3')
  await createPlace(ctx, { kind: 'site', name: 'Zürich', networks: ['10.0.0.0/8'] })
  const rows = await rowsOf(ctx, 'inventory_summary')
  expect(rows.reduce((sum, it) => sum + Number(it['count']), 0)).toBe(3)
  expect(rows[0]).toMatchObject({ type: 'device', vendor: 'Acme', source: 'list', new: '3', stale: '0' })
})

test('inventory_summary says of how many assets the site is known, and of how many there is no source', async () => {
  const ctx = await tenant()
  await addDevices(ctx, 'web-1', 'web-2', 'web-3')
  const place = await createPlace(ctx, { kind: 'site', name: 'Zürich', networks: [] })
  await setRecords(ctx, { assetIds: [await assetNamed(ctx, 'web-1')], values: { placeId: place.id } })
  await ctx.db.run(sql`
    delete from asset_observations where tenant_id = ${ctx.tenantId}
      and asset_id = ${await assetNamed(ctx, 'web-2')}`)
  const xml = await xmlOf(ctx, 'inventory_summary')
  expect(xml).toContain('<cell of="what">Site</cell><cell of="known">1</cell><cell of="missing">2</cell>')
  expect(xml).toContain('<cell of="source">none</cell><cell of="count">1</cell>')
})

test('the counts of a day are written once, and the summary looks back on them', async () => {
  const ctx = await tenant()
  await addDevices(ctx, 'web-1')
  const place = await createPlace(ctx, { kind: 'site', name: 'Zürich', networks: [] })
  await setRecords(ctx, { assetIds: [await assetNamed(ctx, 'web-1')], values: { placeId: place.id } })
  await writeInventoryDays({ ...app().runtime.system, now: () => NOW })
  await addDevices(ctx, 'web-2')
  await writeInventoryDays({ ...app().runtime.system, now: () => NOW })
  const days = await ctx.db.all(sql<{ dimension: string; value: string; count: number }>`
    select dimension, value, count from inventory_days
    where tenant_id = ${ctx.tenantId} and dimension in ('total', 'type', 'site') order by dimension`)
  expect(days).toEqual([
    { dimension: 'site', value: 'Zürich', count: 1 },
    { dimension: 'total', value: '', count: 1 },
    { dimension: 'type', value: 'device', count: 1 },
  ])
  expect(await xmlOf(ctx, 'inventory_summary')).toContain(
    '<cell of="day">2026-11-22</cell><cell of="count">1</cell>',
  )
})

test('the counts of a day are of living assets, by source too', async () => {
  const ctx = await tenant()
  await addDevices(ctx, 'web-1', 'web-2', 'web-3')
  await archiveAsset(ctx, await assetNamed(ctx, 'web-2'))
  await writeInventoryDays({ ...app().runtime.system, now: () => NOW })
  const days = await ctx.db.all(sql<{ dimension: string; count: number }>`
    select dimension, count from inventory_days
    where tenant_id = ${ctx.tenantId} and dimension in ('total', 'source') order by dimension`)
  expect(days).toEqual([
    { dimension: 'source', count: 2 },
    { dimension: 'total', count: 2 },
  ])
})

test('budget_forecast: prices of assets and of types, three currencies, what has no price or rate is shown', async () => {
  const ctx = await tenant()
  const names = ['eur', 'usd', 'gbp', 'none', 'later', 'gone'] as const
  await addDevices(ctx, ...names)
  const plan = async (name: string, values: Parameters<typeof setRecords>[1]['values']) =>
    setRecords(ctx, { assetIds: [await assetNamed(ctx, name)], values })
  await plan('eur', { replaceOn: '2027-02-01', price: '100.00', currency: 'EUR', department: 'IT' })
  await plan('usd', { replaceOn: '2027-02-02', price: '100.00', currency: 'USD' })
  await plan('gbp', { replaceOn: '2027-02-03', price: '100.00', currency: 'GBP' })
  await plan('none', { replaceOn: '2020-01-01' })
  await plan('later', { replaceOn: '2031-01-01', price: '1.00', currency: 'EUR' })
  await plan('gone', { replaceOn: '2027-02-01', state: 'retired' })
  await setBudgetSettings(ctx, { currency: 'eur', priceRise: '0.03' })
  await setExchangeRate(ctx, { currency: 'USD', rate: '0.9154', day: '2026-11-01' })
  await setExchangeRate(ctx, { currency: 'USD', rate: '0.5', day: '2026-12-01' })
  const rows = await rowsOf(ctx, 'budget_forecast')
  expect(
    rows.map((it) => [
      it['name'],
      it['due_on'],
      it['quarter'],
      it['price_in_report_currency'],
      it['price_from'],
    ]),
  ).toEqual([
    ['none', '2026-11-22', '2026-Q4', '', 'none'],
    ['eur', '2027-02-01', '2027-Q1', '103.00', 'asset'],
    ['usd', '2027-02-02', '2027-Q1', '94.29', 'asset'],
    ['gbp', '2027-02-03', '2027-Q1', '', 'asset'],
  ])
  const xml = await xmlOf(ctx, 'budget_forecast')
  expect(xml).toContain('<cell of="count">2</cell><cell of="amount">197.29</cell>')
  expect(xml).toContain('<cell of="why">no rate for GBP</cell>')
  expect(xml).toContain('<cell of="why">no price</cell>')
})

test('prices, rates and settings are read back as they were set, each type of device once', async () => {
  const ctx = await tenant()
  await setBudgetSettings(ctx, { currency: 'eur', priceRise: '0.03' })
  await setReplacementPrice(ctx, { deviceType: 'server', price: '10.00', currency: 'EUR', lifeMonths: '60' })
  await setExchangeRate(ctx, { currency: 'USD', rate: '0.92' })
  const { prices, ...terms } = await budgetTerms(ctx)
  expect(terms).toEqual({
    currency: 'EUR',
    priceRise: '0.03',
    rates: [{ currency: 'USD', day: '2026-11-22', rate: '0.92' }],
  })
  expect(new Set(prices.map(({ deviceType }) => deviceType)).size).toBe(prices.length)
  expect(prices.filter(({ price, lifeMonths }) => price !== null || lifeMonths !== null)).toEqual([
    { deviceType: 'server', price: '10.00', currency: 'EUR', lifeMonths: 60 },
  ])
})

test('budget_forecast: the price and the life of a type', async () => {
  const ctx = await tenant()
  await addDevices(ctx, 'pc')
  await setRecords(ctx, { assetIds: [await assetNamed(ctx, 'pc')], values: { purchasedOn: '2024-01-31' } })
  await setReplacementPrice(ctx, { deviceType: 'unknown', price: '10.00', currency: 'EUR', lifeMonths: '37' })
  expect(await rowsOf(ctx, 'budget_forecast')).toMatchObject([
    { reason: 'end of life', due_on: '2027-02-28', price_in_report_currency: '10.00', price_from: 'class' },
  ])
})

test.each([
  ['price-rise', (ctx: Ctx) => setBudgetSettings(ctx, { priceRise: '3' })],
  ['currency', (ctx: Ctx) => setBudgetSettings(ctx, { currency: 'euro' })],
  ['device-type', (ctx: Ctx) => setReplacementPrice(ctx, { deviceType: 'toaster' })],
  ['price', (ctx: Ctx) => setReplacementPrice(ctx, { deviceType: 'server', price: '1,5', currency: 'EUR' })],
  ['currency', (ctx: Ctx) => setReplacementPrice(ctx, { deviceType: 'server', price: '1.50' })],
  ['life-months', (ctx: Ctx) => setReplacementPrice(ctx, { deviceType: 'server', lifeMonths: '0' })],
  ['rate', (ctx: Ctx) => setExchangeRate(ctx, { currency: 'USD', rate: '0' })],
  ['day', (ctx: Ctx) => setExchangeRate(ctx, { currency: 'USD', rate: '1', day: '2026-13-01' })],
] as const)('what is no %s is refused, naming it', async (field, act) => {
  const ctx = await app().newTenant()
  await expect(act(ctx)).rejects.toMatchObject({ status: 400, extras: { field } })
})

test('topology lists what was recorded, and what hangs on one thing alone', async () => {
  const ctx = await tenant()
  await addDevices(ctx, 'core', 'web-1', 'web-2', 'alone')
  const [core, first, second] = await Promise.all(['core', 'web-1', 'web-2'].map((it) => assetNamed(ctx, it)))
  for (const id of [first, second])
    await ctx.db.run(sql`
      insert into asset_relations (tenant_id, id, from_id, to_id, kind, note, created_by, created_at)
      values (${ctx.tenantId}, gen_random_uuid(), ${id}, ${core}, 'connected_to', '', 'test', ${NOW})`)
  // what no recognition has told is drawn as what it is at least
  await ctx.db.run(sql`
    update assets set asset_type = 'hypervisor', device_type = 'unknown'
    where tenant_id = ${ctx.tenantId} and id = ${core}`)
  expect(await rowsOf(ctx, 'topology')).toMatchObject([
    { a: 'web-1', b: 'core', kind: 'connected_to', evidence: 'recorded', speed: '' },
    { a: 'web-2', b: 'core', kind: 'connected_to', evidence: 'recorded', speed: '' },
  ])
  const xml = await xmlOf(ctx, 'topology')
  expect(xml).toContain('<cell of="drawing">1</cell><cell of="title">Network</cell><cell of="box">1</cell>')
  expect(xml).toContain('<row><cell of="name">core</cell><cell of="cuts_off">1</cell></row>')
  expect(xml).toContain('<cell of="name">core</cell><cell of="type">hypervisor</cell>')
  expect(xml).toContain('<row><cell of="name">alone</cell>')
})
