import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import type { Ctx } from '#platform/context.ts'
import { sharedTestApp } from '#test/support/app/test-app.ts'
import { assetNamed, addDevices, latest, work } from '../reports.fixture.ts'
import { createReport } from '../reports.ts'
import { refuseTooManySheets, SHEETS_MAX } from './sheet-limit.ts'

const app = sharedTestApp()
const SENTENCE = `a PDF with a sheet for each of ${SHEETS_MAX + 1} assets is too large`
let ctx: Ctx
let person: Ctx

/** One asset more than there may be sheets. */
beforeAll(async () => {
  ctx = await app().newTenant()
  person = { ...ctx, actor: { kind: 'user', id: 'u', may: () => true } }
  await addDevices(ctx, 'first')
  await ctx.db.run(sql`
    insert into assets select (jsonb_populate_record(a, jsonb_build_object('id', gen_random_uuid(), 'name', 'more'))).*
    from assets a, generate_series(1, ${SHEETS_MAX}) where a.tenant_id = ${ctx.tenantId}`)
})

test('a person is told at once that a PDF would have too many sheets', async () => {
  const wanted = { name: 'n', type: 'asset_audit', format: 'pdf' }
  await expect(createReport(person, wanted)).rejects.toThrow(`format: ${SENTENCE}`)
  const { status } = await createReport(person, { ...wanted, assetIds: [await assetNamed(ctx, 'first')] })
  expect(status).toBe('generating')
})

test('by a key the report is accepted, and its generation fails with that sentence', async () => {
  const { id } = await createReport(ctx, { name: 'n', type: 'asset_audit', format: 'pdf' })
  expect((await work(ctx, id)).status).toBe('failed')
  expect((await latest(ctx, id)).message).toContain(SENTENCE)
})

test('a list of them has no such limit, nor has any other format', () => {
  for (const format of ['csv', 'excel', 'xml'] as const)
    expect(refuseTooManySheets({ type: 'asset_audit', format }, SHEETS_MAX + 1)).toBe(undefined)
  expect(refuseTooManySheets({ type: 'custom', format: 'pdf' }, 1_000_000)).toBe(undefined)
  expect(refuseTooManySheets({ type: 'asset_audit', format: 'pdf' }, SHEETS_MAX)).toBe(undefined)
})
