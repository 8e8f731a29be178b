import { parse } from 'csv-parse/sync'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { adoptFramework, evaluateNow } from '#features/compliance/compliance.ts'
import { createCheck } from '#features/compliance/checks/own-checks.ts'
import { saveEntitlement } from '#features/records/records.ts'
import type { Ctx } from '#platform/context.ts'
import { sharedTestApp } from '#test/support/app/test-app.ts'
import { writeInventoryDays } from '../inventory-days.ts'
import { reportTypes } from '../report.ts'
import { addDevices, assetNamed, generated } from '../reports.fixture.ts'

const app = sharedTestApp()
const NIS2 = 'nis2-article-21'

/** Two devices that fail a check, seven more, a written night, and an entitlement that ended. */
async function organisation(): Promise<Ctx> {
  const ctx = await app().newTenant()
  await addDevices(ctx, 'near', 'far', ...Array.from({ length: 7 }, (_, n) => `other-${n}`))
  await adoptFramework(ctx, NIS2)
  await createCheck(ctx, {
    title: 'Has a place',
    scope: '',
    condition: 'has owner',
    severity: 'high',
    next: 'Record it.',
    controls: [{ framework: NIS2, controlId: '21.2.b' }],
    tolerance: '0',
  })
  await evaluateNow(ctx)
  await writeInventoryDays({ ...app().runtime.system, now: ctx.now })
  await saveEntitlement(ctx, {
    product: 'WinRAR',
    metric: 'device',
    count: 777,
    cost: '77.00',
    currency: 'EUR',
  })
  return ctx
}

/** Names and rows of the sections of an XML report. */
const sectionsOf = (xml: string) =>
  xml
    .split('<section name="')
    .slice(1)
    .map((text) => ({ name: text.slice(0, text.indexOf('"')), rows: text.slice(text.indexOf('<row>')) }))

/** What the cover says of sections that are of all assets. The controls of an audit are those that an asset fails. */
const explained: Readonly<Record<string, string>> = {
  'compliance_report controls': 'Controls are judged over all assets of the whole organisation',
  'software_license entitlements': 'Entitlements are those of the whole organisation',
}

test.each(reportTypes)('a %s of one asset tells of no other, or says that it is of all', async (type) => {
  const ctx = await organisation()
  const assetIds = [await assetNamed(ctx, 'near')]
  const { file } = await generated(ctx, { name: 'n', type, format: 'xml', assetIds })
  const xml = file.toString()
  expect(xml).toContain('1 chosen asset')
  const sections = sectionsOf(xml)
  const whyOf = (name: string): string | undefined => explained[`${type} ${name}`]
  for (const why of sections.flatMap(({ name }) => whyOf(name) ?? [])) expect(xml).toContain(`<note>${why}`)
  const told = sections.filter(({ name }) => whyOf(name) === undefined)
  for (const { name, rows } of told)
    expect(`${name}: ${rows}`).not.toMatch(/far|other-\d|<cell of="\w+">(9|777)<\/cell>/)
})

test('of chosen assets those that fail are listed, and counted', async () => {
  const ctx = await organisation()
  const assetIds = [await assetNamed(ctx, 'near')]
  const { file } = await generated(ctx, { name: 'n', type: 'compliance_report', format: 'xml', assetIds })
  const failures = sectionsOf(file.toString()).find(({ name }) => name === 'failures')
  expect(failures?.rows).toContain('<cell of="failed">1</cell>')
  expect(failures?.rows).toContain('<cell of="name">near</cell>')
})

test('the beginning of the day after a period is not in it', async () => {
  const ctx = await app().newTenant()
  await addDevices(ctx, 'web-1')
  await ctx.db.run(sql`
    update assets set first_seen = '2026-10-01T00:00:00Z' where tenant_id = ${ctx.tenantId}`)
  const newIn = async (period: string) => {
    const { file } = await generated(ctx, { name: 'n', type: 'inventory_summary', period })
    return (parse(file, { columns: true }) as Record<string, string>[])[0]?.['new']
  }
  expect([await newIn('2026-09'), await newIn('2026-10')]).toEqual(['0', '1'])
})

test('two assets that look like one are one pair, whichever was compared with the other', async () => {
  const ctx = await app().newTenant()
  await addDevices(ctx, 'one', 'two')
  const observations = await ctx.db.all(sql<{ id: string }>`
    select id from asset_observations where tenant_id = ${ctx.tenantId} order by id`)
  const [a, b] = observations.map(({ id }) => id)
  await ctx.db.run(sql`delete from asset_candidates where tenant_id = ${ctx.tenantId}`)
  for (const [x, y] of [
    [a, b],
    [b, a],
  ])
    await ctx.db.run(sql`
      insert into asset_candidates (tenant_id, a, b, score, reasons)
      values (${ctx.tenantId}, ${x}, ${y}, 0.5, '[]')`)
  const { file } = await generated(ctx, { name: 'n', type: 'inventory_summary', format: 'xml' })
  expect(file.toString().match(/<cell of="score">/g)).toHaveLength(1)
})
