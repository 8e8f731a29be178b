import { parse } from 'csv-parse/sync'
import { expect, test } from 'vitest'
import { defineCustomField, setCustomField } from '#features/assets/assets.ts'
import { agent, seen } from '#features/assets/observations.fixture.ts'
import { submit } from '#features/sources/sources.ts'
import {
  createAsset,
  createMatches,
  createSoftware,
  install,
  sync,
} from '#features/vulnerabilities/findings.fixture.ts'
import type { Ctx } from '#platform/context.ts'
import { sharedTestApp } from '#test/support/app/test-app.ts'
import { commands } from '../cli.ts'
import { assetNamed, generated } from '../reports.fixture.ts'
import { createReport, type NewReport } from '../reports.ts'
import type { TableInput } from './chosen-table.ts'
import { tableFields } from './table-fields.ts'

const app = sharedTestApp()

async function estate(): Promise<Ctx> {
  const ctx = await app().newTenant()
  const host = (key: string, os: string, facts: Record<string, number>) =>
    seen(
      key,
      { serial: `SN-${key}`, hostname: `${key}.example`, ip: `10.0.0.${key.length}` },
      {
        assetType: 'device',
        os,
        facts,
        software: {
          complete: ['windows'],
          items: [
            { origin: 'windows', name: 'Zoom', version: '5.9' },
            { origin: 'windows', name: 'Firefox', version: '115.0', vendor: 'Mozilla' },
          ],
        },
      },
    )
  await submit(ctx, agent, [
    host('a', 'Windows 10', { memoryBytes: 8 * 2 ** 30, cpuCount: 4 }),
    host('bb', 'Windows 11', { memoryBytes: 16 * 2 ** 30, cpuCount: 8 }),
    host('ccc', 'Windows 10', {}),
  ])
  return ctx
}

const csvOf = async (ctx: Ctx, table: TableInput, more: Partial<NewReport> = {}): Promise<string[][]> =>
  parse((await generated(ctx, { name: 'n', type: 'custom', table, ...more })).file)

test('a custom report has the columns that were chosen, grouped and sorted, and counts its groups', async () => {
  const ctx = await estate()
  const table = { columns: ['name', 'ip', 'memory_gb', 'archived'], groupBy: 'os', sortBy: '-cpu_count' }
  expect(await csvOf(ctx, table)).toEqual([
    ['name', 'ip', 'memory_gb', 'archived'],
    ['a.example', '10.0.0.1', '8', 'no'],
    ['ccc.example', '10.0.0.3', '', 'no'],
    ['bb.example', '10.0.0.2', '16', 'no'],
  ])
  const xml = (await generated(ctx, { name: 'n', type: 'custom', format: 'xml', table })).file.toString()
  const groups = xml.slice(xml.indexOf('name="groups"'))
  expect([...groups.matchAll(/<cell of="\w+">([^<]*)/g)].map(([, text]) => text)).toEqual([
    'Windows 10',
    '2',
    'Windows 11',
    '1',
  ])
  expect(await csvOf(ctx, { columns: ['name'], sortBy: '-name' }, { where: 'os = "windows 10"' })).toEqual([
    ['name'],
    ['ccc.example'],
    ['a.example'],
  ])
})

test('a custom field may have a name longer than names in the database', async () => {
  const ctx = await estate()
  const name = 'Date of the last audit of the security of the building by the insurer'
  const assetId = await assetNamed(ctx, 'a.example')
  const fields = ['first', 'second'].map((nth) => `${name}, ${nth}`)
  for (const field of fields) {
    const { id: fieldId } = await defineCustomField(ctx, { name: field, kind: 'text' })
    await setCustomField(ctx, { assetId, fieldId, value: `the ${field.split(' ').at(-1)}` })
  }
  const columns = ['first', 'second'].map((nth) => `custom.${name.toLowerCase().replaceAll(' ', '_')}_${nth}`)
  const table = { columns: ['name', ...columns], sortBy: 'name' }
  expect(await csvOf(ctx, table)).toEqual([
    ['name', ...columns],
    ['a.example', 'the first', 'the second'],
    ['bb.example', '', ''],
    ['ccc.example', '', ''],
  ])
})

test('rows of software are one for each asset and each piece, with fields of both', async () => {
  const ctx = await estate()
  const table = {
    rows: 'software',
    columns: ['asset.hostname', 'name', 'version', 'vendor', 'forbidden'],
    sortBy: 'name',
  }
  expect(await csvOf(ctx, table, { where: 'cpu_count >= 8' })).toEqual([
    ['asset.hostname', 'name', 'version', 'vendor', 'forbidden'],
    ['bb.example', 'Firefox', '115.0', 'Mozilla', ''],
    ['bb.example', 'Zoom', '5.9', '', ''],
  ])
  const findings = { rows: 'findings', columns: ['cve', 'asset.name'], where: 'severity = critical' }
  expect(await csvOf(ctx, findings)).toEqual([['cve', 'asset.name']])
})

test('rows of findings are those that meet both conditions', async () => {
  const ctx = await app().newTenant()
  const softwareId = await createSoftware(ctx, { name: 'gadgetry' })
  await createMatches(ctx, softwareId, [
    { cveId: 'CVE-2030-1', score: 9.8 },
    { cveId: 'CVE-2030-2', score: 5 },
  ])
  for (const name of ['one', 'two']) {
    const assetId = await createAsset(ctx, name)
    await install(ctx, assetId, [softwareId])
    await sync(ctx, assetId)
  }
  const table = { rows: 'findings', columns: ['cve', 'asset.name'], where: 'severity = critical' }
  expect(await csvOf(ctx, table, { where: 'name = two' })).toEqual([
    ['cve', 'asset.name'],
    ['CVE-2030-1', 'two'],
  ])
})

test('every field can be a column, a group and an order, of all kinds of rows', async () => {
  const ctx = await estate()
  for (const rows of ['assets', 'findings', 'software'] as const) {
    const names = (await tableFields(ctx, rows)).map(({ name }) => name)
    expect(names.length).toBeGreaterThan(30)
    for (let at = 0; at < names.length; at += 40) {
      const columns = names.slice(at, at + 40)
      const [groupBy, sortBy] = [columns.at(-1), `-${columns[0]}`]
      expect((await csvOf(ctx, { rows, columns, groupBy, sortBy }))[0]).toEqual(columns)
    }
  }
})

test('what cannot be a table is refused with the name of the field', async () => {
  const ctx = await estate()
  const create = (table: TableInput, type = 'custom') => createReport(ctx, { name: 'n', type, table })
  await expect(create({ columns: [] })).rejects.toThrow(/^columns: must name at least one/)
  await expect(create({ columns: ['name', 'nothing'] })).rejects.toThrow(
    /^columns: there is no field "nothing"/,
  )
  await expect(create({ columns: ['memory', 'memory_gb'] })).rejects.toThrow(/^columns: must name each/)
  await expect(create({ columns: Array.from({ length: 41 }, () => 'name') })).rejects.toThrow(
    /^columns: must be at most 40/,
  )
  await expect(create({ columns: ['name'], groupBy: "x'; drop" })).rejects.toThrow(/^group_by/)
  await expect(create({ columns: ['name'], sortBy: '-x' })).rejects.toThrow(/^sort_by/)
  await expect(create({ columns: ['name'], where: 'name = x' })).rejects.toThrow(
    /^rows_where: is a condition on findings/,
  )
  await expect(create({ rows: 'findings', columns: ['cve'], where: 'cve =' })).rejects.toThrow(/^rows_where/)
  await expect(create({ rows: 'x', columns: ['name'] })).rejects.toThrow(/^rows: must be one of/)
  await expect(create({ columns: ['name'] }, 'asset_audit')).rejects.toThrow(/^table/)
})

test('who may not read findings makes no table of them', async () => {
  const ctx = await estate()
  const may = (permission: string) => permission !== 'vulnerabilities:read' && ctx.actor.may(permission)
  const limited = { ...ctx, actor: { ...ctx.actor, may } }
  const table = { rows: 'findings', columns: ['cve'] }
  await expect(createReport(limited, { name: 'n', type: 'custom', table })).rejects.toMatchObject({
    status: 403,
  })
  const risk = { columns: ['name', 'criticality'] }
  await expect(createReport(limited, { name: 'n', type: 'custom', table: risk })).rejects.toThrow(/^columns/)
})

test('report create takes columns, group and order on the command line', async () => {
  const ctx = await estate()
  const create = commands.find(({ path }) => path === 'report create')
  const options = { name: 'n', type: 'custom', column: 'name\nos', group: 'os', sort: '-name' }
  const { json } = (await create?.run(ctx, { args: {}, options })) ?? {}
  expect(json).toMatchObject({ type: 'custom', status: 'generating' })
})
