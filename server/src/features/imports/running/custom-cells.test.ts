import { expect, test } from 'vitest'
import { listAssets } from '#features/assets/assets.ts'
import { defineCustomField } from '#features/assets/editing/custom-fields.ts'
import { eventsOf } from '#features/assets/observations.fixture.ts'
import { exportAsCsv } from '#features/assets/exporting/csv-export.ts'
import type { Ctx } from '#platform/context.ts'
import { sharedTestApp } from '#test/support/app/test-app.ts'
import { importFile } from '../import-file.ts'

const shared = sharedTestApp()

async function* bytes(text: string): AsyncIterable<Uint8Array> {
  yield Buffer.from(text)
}

const brought = async (ctx: Ctx, text: string) => {
  const { created, updated, unchanged, rejected } = await importFile(ctx, {
    name: 'hosts.csv',
    content: bytes(text),
  })
  return { created, updated, unchanged, rejected: rejected.map(({ line, field }) => [line, field]) }
}

test('columns of custom fields are imported with an event for each value, and exported again', async () => {
  const ctx = await shared().newTenant()
  await defineCustomField(ctx, { name: 'Cost centre', kind: 'text' })
  await defineCustomField(ctx, { name: 'Seats', kind: 'number' })
  const file =
    'serial,name,custom.cost_centre,custom.seats\nPF0AAA01,a,KST 1,5\nPF0AAA02,b,,many\nPF0AAA03,c,,\n'
  expect(await brought(ctx, file)).toEqual({
    created: 2,
    updated: 0,
    unchanged: 0,
    rejected: [[3, 'custom.seats']],
  })
  const told = (await eventsOf(ctx)).flatMap(({ custom_field: field }) => field ?? [])
  expect(told).toMatchObject([
    { name: 'Cost centre', value: 'KST 1', operation: 'set' },
    { name: 'Seats', value: 5, operation: 'set' },
  ])
  const { file: exported } = await exportAsCsv(ctx, { where: 'has custom.seats' }, [
    'name',
    'custom.cost_centre',
    'custom.seats',
  ])
  const [{ id } = { id: '' }] = (await listAssets(ctx, { limit: 1, offset: 0 }, { where: 'name = a' })).items
  expect(exported?.content).toBe(`id,name,custom.cost_centre,custom.seats\r\n${id},a,KST 1,5\r\n`)
})

test('a row that changes only what is recorded counts as changed, once', async () => {
  const ctx = await shared().newTenant()
  await defineCustomField(ctx, { name: 'Rack', kind: 'text' })
  const row = (owner: string, rack: string) =>
    `serial,name,owner,custom.rack\nPF0AAA01,a,${owner},${rack}\nPF0AAA02,b,IT,R9\n`
  await brought(ctx, row('IT', 'R1'))
  const after = async (owner: string, rack: string) => {
    const { updated, unchanged } = await brought(ctx, row(owner, rack))
    return [updated, unchanged]
  }
  expect(await after('IT', 'R1')).toEqual([0, 2])
  expect(await after('Finance', 'R1')).toEqual([1, 1])
  expect(await after('Finance', 'R2')).toEqual([1, 1])
  expect(await after('Sales', 'R3')).toEqual([1, 1])
})

test('a column that names no custom field is refused row by row', async () => {
  const ctx = await shared().newTenant()
  expect(await brought(ctx, 'serial,custom.nothing\nPF0AAA01,x\nPF0AAA02,\n')).toEqual({
    created: 1,
    updated: 0,
    unchanged: 0,
    rejected: [[2, 'custom.nothing']],
  })
})
