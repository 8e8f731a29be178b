import { parse } from 'csv-parse/sync'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import {
  createAsset,
  createMatches,
  createSoftware,
  install,
  sync,
} from '#features/vulnerabilities/findings.fixture.ts'
import { adoptFramework, evaluateNow } from '#features/compliance/compliance.ts'
import { createCheck } from '#features/compliance/checks/own-checks.ts'
import { saveEntitlement, setRecords } from '#features/records/records.ts'
import { sharedTestApp } from '#test/support/app/test-app.ts'
import type { Ctx } from '#platform/context.ts'
import { setBudgetSettings } from '../budget/budget.ts'
import { bytesOf, work } from '../reports.fixture.ts'
import { measuresOf } from './measures.ts'
import { createSimulationReport, runSimulation, type SimulationInput } from './simulations.ts'

const app = sharedTestApp()
const NONE = '-'

/** Two assets with openssl and one finding each, of which one is known to be exploited, and one asset without. */
async function estate(): Promise<{ ctx: Ctx; ids: string[] }> {
  const ctx = await app().newTenant()
  const ids = [
    await createAsset(ctx, 'web-1'),
    await createAsset(ctx, 'web-2'),
    await createAsset(ctx, 'nas-1'),
  ]
  const software = await createSoftware(ctx, { origin: 'windows', ecosystem: '' })
  await createMatches(ctx, software, [{ cveId: 'CVE-2024-0001', score: 9.8 }])
  // conditions know software by the count of its installs
  await ctx.db.run(
    sql`update software set installs = 2 where tenant_id = ${ctx.tenantId} and id = ${software}`,
  )
  for (const id of ids.slice(0, 2)) {
    await install(ctx, id, [software], 'windows')
    await sync(ctx, id)
  }
  return { ctx, ids }
}

async function measured(ctx: Ctx, input: SimulationInput): Promise<Record<string, string>> {
  const lines = measuresOf(await runSimulation(ctx, input))
  return Object.fromEntries(
    lines.map(({ measure, before, after, unit }) => [
      measure,
      `${before ?? NONE} → ${after ?? NONE}${unit && ` ${unit}`}`,
    ]),
  )
}

const findingCount = (ctx: Ctx) =>
  ctx.db.one(sql<{ open: number }>`
    select count(*) as open from findings where tenant_id = ${ctx.tenantId} and status = 'open'`)

test('an update of software closes its findings in the simulation, and in the database nothing', async () => {
  const { ctx } = await estate()
  const before = await findingCount(ctx)
  expect(before.open).toBe(2)
  const found = await measured(ctx, { kind: 'update_software', name: 'OpenSSL' })
  expect(found).toMatchObject({
    Assets: '3 → 3',
    'Open findings': '2 → 0',
    'Critical and high findings': '2 → 0',
    Cost: `${NONE} → ${NONE}`,
  })
  expect(found['Risk, sum of the scores']).toMatch(/^[1-9][0-9.]* → 0\.0$/)
  expect(await findingCount(ctx)).toEqual(before)
})

test('a condition chooses the assets', async () => {
  const { ctx } = await estate()
  const where = 'name = web-1'
  expect(await measured(ctx, { kind: 'update_software', name: 'openssl', where })).toMatchObject({
    Assets: '1 → 1',
    'Open findings': '1 → 0',
  })
})

test('a check that asks for the software passes without it; of a replaced asset it is unknown', async () => {
  const { ctx, ids } = await estate()
  await adoptFramework(ctx, 'nist-csf-2.0')
  await createCheck(ctx, {
    title: 'No openssl',
    scope: '',
    condition: 'no software(name = openssl)',
    severity: 'medium',
    next: 'Remove it.',
    controls: [{ framework: 'nist-csf-2.0', controlId: 'GV.PO-01' }],
    tolerance: '0',
  })
  await evaluateNow(ctx)
  const control = async (input: SimulationInput) => {
    const { controls, checks } = await runSimulation(ctx, input)
    const check = checks.find(({ title }) => title === 'No openssl')
    const { before, after } = controls.find(({ controlId }) => controlId === 'GV.PO-01') ?? {}
    return [before, after, check?.before.failed, check?.after.failed, check?.after.unknown]
  }
  const unknown = 1 // the asset of which no software was read
  expect(await control({ kind: 'retire_product', name: 'openssl' })).toEqual([
    'fail',
    'warning',
    2,
    0,
    unknown,
  ])
  expect(await control({ kind: 'replace_assets', by: '2030-01-01', assetIds: ids.slice(0, 1) })).toEqual([
    'fail',
    'fail',
    2,
    1,
    unknown + 1,
  ])
})

test('a replacement costs what is recorded; licences follow what is retired', async () => {
  const { ctx, ids } = await estate()
  await setBudgetSettings(ctx, { currency: 'EUR', priceRise: '0' })
  await setRecords(ctx, { assetIds: ids.slice(0, 2), values: { price: '1190.00', currency: 'EUR' } })
  await saveEntitlement(ctx, {
    product: 'openssl',
    metric: 'device',
    count: 1,
    cost: '50.00',
    currency: 'EUR',
  })
  expect(await measured(ctx, { kind: 'replace_assets', by: '2030-06-30' })).toMatchObject({
    'Cost of replacements until then': '0.00 → 2380.00 EUR',
    'Products with too few licences': '1 → 1',
    // nothing is known of new devices, which is not zero
    'Open findings': `2 → ${NONE}`,
  })
  expect(await measured(ctx, { kind: 'retire_product', name: 'openssl' })).toMatchObject({
    'Products with too few licences': '1 → 0',
    'Cost of missing licences': '50.00 → 0.00 EUR',
  })
})

test('a simulation is a report of type custom', async () => {
  const { ctx } = await estate()
  const input = { kind: 'update_software', name: 'openssl' }
  for (const format of ['csv', 'pdf', 'excel', 'xml']) {
    const { id, type } = await createSimulationReport(ctx, input, { reportName: 'Update openssl', format })
    expect([type, (await work(ctx, id)).status]).toEqual(['custom', 'available'])
    const file = await bytesOf(ctx, id)
    expect(file.length).toBeGreaterThan(100)
    if (format !== 'csv') continue
    const rows = parse(file, { columns: true }) as Record<string, string>[]
    expect(rows.find(({ measure }) => measure === 'Open findings')).toMatchObject({ before: '2', after: '0' })
  }
})

test.each([
  [{ kind: 'nothing' }, 'kind'],
  [{ kind: 'update_software' }, 'name'],
  [{ kind: 'update_software', name: '…' }, 'name'],
  [{ kind: 'retire_product', name: 'x', version: '1' }, 'version'],
  [{ kind: 'replace_assets', by: '2027-02-30' }, 'by'],
  [{ kind: 'replace_assets' }, 'by'],
  [{ kind: 'retire_system', name: 'x', by: '2027-02-01' }, 'by'],
  [{ kind: 'retire_system', name: 'x', assetIds: ['y'] }, 'asset_ids.0'],
  [{ kind: 'retire_system', name: 'x', where: 'name =' }, 'where'],
])('%j is refused, and the error names the field', async (input, field) => {
  const ctx = await app().newTenant()
  await expect(runSimulation(ctx, input)).rejects.toMatchObject({ status: 400, extras: { field } })
})
