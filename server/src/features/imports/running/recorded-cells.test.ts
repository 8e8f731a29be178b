import { expect, test } from 'vitest'
import { listAssets } from '#features/assets/assets.ts'
import { getRecord, listPlaces, setRecords } from '#features/records/records.ts'
import type { Ctx } from '#platform/context.ts'
import { sharedTestApp } from '#test/support/app/test-app.ts'
import { importFile } from '../import-file.ts'
import { checkImport, startImport } from '../imports.ts'
import { upload, work } from '../uploads.fixture.ts'

const shared = sharedTestApp()
const take = (ctx: Ctx, text: string) =>
  importFile(ctx, {
    name: 'assets.csv',
    content: (async function* () {
      yield Buffer.from(text)
    })(),
  })
const recordOf = async (ctx: Ctx, name: string) => {
  const { items } = await listAssets(ctx, { limit: 100, offset: 0 })
  return getRecord(ctx, items.find((it) => it.name === name)?.id ?? '')
}

test('columns of the record fill it; sites are made; rows with a wrong cell are rejected whole', async () => {
  const ctx = await shared().newTenant()
  const result = await take(
    ctx,
    `name,serial,owner,department,site,state,purchasedOn,price,currency,warrantyEnds,notes
pc-1,PF0AAA11,Ada,IT,Oslo,In use,2024-05-01,1299.5,eur,2027-05-01,"two
lines"
pc-2,PF0AAA12,Bob,,Oslo,,,,,,
pc-3,PF0AAA13,,,,broken,,,,,
pc-4,PF0AAA14,,,,,,12,,,
pc-5,PF0AAA15,,,,,1/5/2024,,,,
`,
  )
  expect(result).toMatchObject({ created: 2, rejectedTotal: 3 })
  expect(result.rejected.map(({ line, field, message }) => `${line} ${field} ${message}`)).toEqual([
    expect.stringContaining('5 state is none of ordered'),
    expect.stringContaining('6 currency must say what the price is in'),
    expect.stringContaining('7 purchasedOn is not a date'),
  ])
  const { values, place, origins } = await recordOf(ctx, 'pc-1')
  expect(values).toMatchObject({
    owner: 'Ada',
    state: 'in_use',
    price: '1299.50',
    currency: 'EUR',
    notes: 'two\nlines',
  })
  expect(place).toMatchObject({ path: 'Oslo', kind: 'site' })
  expect(origins.owner).toMatchObject({ source: 'import', by: 'assets.csv' })
  expect((await listPlaces(ctx)).map(({ path }) => path)).toEqual(['Oslo'])
})

test('prices of a table without a currency are in the one that was said', async () => {
  const ctx = await shared().newTenant()
  const { id } = await upload(ctx, 'Name;Purchase Cost;Currency\npc-1;1.299,00;\npc-2;12,5;USD\n')
  expect((await work(ctx, id)).preview).toMatchObject({
    rows: 1,
    rejected: [{ line: 2, field: 'currency' }],
  })
  await checkImport(ctx, id, { columns: ['name', 'price', 'currency'], currency: 'eur' })
  expect((await work(ctx, id)).preview).toMatchObject({ rows: 2, rejectedTotal: 0 })
  await startImport(ctx, id)
  expect(await work(ctx, id)).toMatchObject({ status: 'completed', created: 2 })
  expect((await recordOf(ctx, 'pc-1')).values).toMatchObject({ price: '1299.00', currency: 'EUR' })
  expect((await recordOf(ctx, 'pc-2')).values).toMatchObject({ price: '12.50', currency: 'USD' })
})

test('a later file changes what files said, not what a person said', async () => {
  const ctx = await shared().newTenant()
  await take(ctx, 'name,owner,department\npc-1,Ada,IT\n')
  const { assetId } = await recordOf(ctx, 'pc-1')
  await setRecords(ctx, { assetIds: [assetId], values: { owner: 'Grace' } })
  await take(ctx, 'name,owner,department\npc-1,Bob,Sales\n')
  expect((await recordOf(ctx, 'pc-1')).values).toMatchObject({ owner: 'Grace', department: 'Sales' })
})

test('an upload guesses the columns by the titles of other products and tells in the preview what is wrong', async () => {
  const ctx = await shared().newTenant()
  const text =
    'Device Name;Manufacturer;Location;Purchase Date;Assigned To\npc-1;Lenovo;Oslo;01.05.2024;Ada\npc-2;;Oslo;soon;Bob\n'
  const { id } = await upload(ctx, text)
  const { preview } = await work(ctx, id)
  expect(preview).toMatchObject({
    rows: 1,
    rejected: [{ line: 3, field: 'purchasedOn' }],
    columns: [
      { column: 'name' },
      { column: 'vendor' },
      { column: 'site' },
      { column: 'purchasedOn' },
      { column: 'owner' },
    ],
  })
  await startImport(ctx, id)
  expect(await work(ctx, id)).toMatchObject({ status: 'completed', created: 1, rejectedTotal: 1 })
  expect(await recordOf(ctx, 'pc-1')).toMatchObject({
    values: { owner: 'Ada', purchasedOn: '2024-05-01' },
    place: { site: 'Oslo' },
  })
  expect((await listAssets(ctx, { limit: 1, offset: 0 })).items).toMatchObject([{ vendor: 'Lenovo' }])
})
