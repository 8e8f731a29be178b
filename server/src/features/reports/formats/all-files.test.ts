import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'csv-parse/sync'
import { readXlsx } from 'hucre/xlsx'
import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { adoptFramework, evaluateNow } from '#features/compliance/compliance.ts'
import { createPlace, saveEntitlement, setRecords } from '#features/records/records.ts'
import { submit } from '#features/sources/sources.ts'
import type { Ctx } from '#platform/context.ts'
import { sharedTestApp } from '#test/support/app/test-app.ts'
import { needs } from '#test/support/needs.ts'
import { temporaryFolder } from '#test/support/temporary-folder.ts'
import { readPart } from '../chunk-store.ts'
import type { Cell, Column, Row } from '../dataset/dataset.ts'
import { openDataset } from '../dataset/open-dataset.ts'
import { addDevices, assetNamed, generated, latest } from '../reports.fixture.ts'
import { reportTypes, type ReportFormat, type ReportType } from '../report.ts'
import { renderers } from './all.ts'

const app = sharedTestApp()
const NUMBERS = ['integer', 'decimal']
let ctx: Ctx

/** Something for each type of report to tell. */
beforeAll(async () => {
  ctx = await app().newTenant()
  await addDevices(ctx, 'web-1', 'web-2', '=cmd', 'core')
  await createPlace(ctx, { kind: 'site', name: 'Zürich', networks: ['10.0.0.0/8'] })
  const [first, core] = [await assetNamed(ctx, 'web-1'), await assetNamed(ctx, 'core')]
  const replaceOn = new Date(ctx.now().getTime() + 100 * 86_400_000).toISOString().slice(0, 10)
  await setRecords(ctx, { assetIds: [first, core], values: { replaceOn, price: '1190.10', currency: 'EUR' } })
  await saveEntitlement(ctx, {
    product: 'Office',
    metric: 'device',
    count: 3,
    cost: '50.00',
    currency: 'EUR',
  })
  for (const name of ['web-1', 'web-2'])
    await ctx.db.run(sql`
      insert into asset_relations (tenant_id, id, from_id, to_id, kind, note, created_by, created_at)
      values (${ctx.tenantId}, gen_random_uuid(), ${await assetNamed(ctx, name)}, ${core}, 'connected_to', '', 'test',
        ${ctx.now()})`)
  const software = {
    release: { id: 'debian', versionId: '12', prettyName: 'Debian GNU/Linux 12 (bookworm)' },
    complete: ['dpkg' as const],
    items: [{ origin: 'dpkg' as const, name: 'openssl', version: '3.0.1', arch: 'amd64' }],
  }
  await submit(ctx, { kind: 'csv', name: 'software' }, [
    {
      sourceKey: 'web-2',
      seenAt: ctx.now(),
      assetType: 'device',
      name: 'web-2',
      identifiers: [{ type: 'serial', value: `S-${Buffer.from('web-2').toString('hex')}` }],
      software,
    },
  ])
  await adoptFramework(ctx, 'nist-csf-2.0')
  await evaluateNow(ctx)
}, 120_000)

interface Files {
  readonly columns: readonly Column[]
  readonly rows: readonly Row[]
  readonly of: (format: ReportFormat) => Promise<Buffer>
}

/** One snapshot, and the files that are made of it. */
async function filesOf(type: ReportType): Promise<Files> {
  const { report, file } = await generated(ctx, { name: type, type })
  const content = await readPart(ctx, (await latest(ctx, report.id)).id, 'dataset')
  const open = () => openDataset(content, 'a'.repeat(64))
  for await (const { head, rows } of (await open()).sections) {
    const found: Row[] = []
    for await (const batch of rows) found.push(...batch)
    return {
      columns: head.columns,
      rows: found,
      async of(format) {
        if (format === 'csv') return file
        const parts: Buffer[] = []
        for await (const part of (await renderers[format]())(await open()))
          parts.push(typeof part === 'string' ? Buffer.from(part) : Buffer.from(part))
        return Buffer.concat(parts)
      },
    }
  }
  throw new Error('a report without sections')
}

type Table = readonly (readonly unknown[])[]

/** Of the columns of numbers, in hundredths. */
const sumsOf = ({ columns }: Files, table: Table): number[] =>
  columns.flatMap(({ kind }, at) =>
    NUMBERS.includes(kind)
      ? [table.reduce((sum, row) => sum + Math.round(Number(row[at] ?? 0) * 100), 0)]
      : [],
  )

/** Without the apostrophe that spreadsheets get before what looks like a formula. */
const textOf = (cell: unknown): string => (typeof cell === 'string' ? cell.replace(/^'/, '') : '')

const texts = ({ columns }: Files, table: Table): string[][] =>
  table.map((row) => columns.flatMap(({ kind }, at) => (kind === 'text' ? [textOf(row[at])] : [])))

async function tableOfXml({ columns, of }: Files): Promise<Table> {
  const [, main = ''] = /<section [^>]*main="true">(.*?)<\/section>/s.exec((await of('xml')).toString()) ?? []
  return [...main.matchAll(/<row>(.*?)<\/row>/gs)].map(([, row = '']) => {
    const cells = new Map(
      [...row.matchAll(/<cell of="(\w+)">(.*?)<\/cell>/gs)].map(([, name, text = '']) => [
        name,
        text
          .replaceAll('&lt;', '<')
          .replaceAll('&gt;', '>')
          .replaceAll('&quot;', '"')
          .replaceAll('&amp;', '&'),
      ]),
    )
    return columns.map(({ name }) => cells.get(name) ?? null)
  })
}

test.each(reportTypes)('%s: the tables of CSV, Excel and XML have the same rows and sums', async (type) => {
  const files = await filesOf(type)
  expect(files.rows.length).toBeGreaterThan(0)
  const [head, ...csv] = parse(await files.of('csv')) as string[][]
  expect(head).toEqual(files.columns.map(({ name }) => name))
  const { sheets } = await readXlsx(await files.of('excel'))
  const tables: Table[] = [csv, (sheets[0]?.rows ?? []).slice(1), await tableOfXml(files)]
  for (const table of tables) {
    expect(table.length).toBe(files.rows.length)
    expect(sumsOf(files, table)).toEqual(sumsOf(files, files.rows))
    expect(texts(files, table)).toEqual(texts(files, files.rows))
  }
})

test('counts and sums are those of the database', async () => {
  const { count, total } = await ctx.db.one(sql<{ count: number; total: string }>`
    select count(*) as count, sum(r.price) as total
    from assets a left join asset_records r on r.tenant_id = a.tenant_id and r.asset_id = a.id
    where a.tenant_id = ${ctx.tenantId} and a.archived_at is null`)
  const column = async (type: ReportType, name: string): Promise<Cell[]> => {
    const { columns, rows } = await filesOf(type)
    const at = columns.findIndex((it) => it.name === name)
    return rows.map((row) => row[at] ?? null)
  }
  const sum = (cells: readonly Cell[]) => cells.reduce<number>((all, it) => all + Number(it ?? 0), 0)
  expect((await column('asset_audit', 'id')).length).toBe(count)
  expect(sum(await column('asset_audit', 'price'))).toBeCloseTo(Number(total), 2)
  expect(sum(await column('inventory_summary', 'count'))).toBe(count)
  expect(sum(await column('budget_forecast', 'price'))).toBeCloseTo(Number(total), 2)
})

needs('pdftotext')('with pdftotext', () => {
  test.each(reportTypes)('%s: the PDF has each row', async (type) => {
    const files = await filesOf(type)
    const path = join(temporaryFolder(), 'report.pdf')
    writeFileSync(path, await files.of('pdf'))
    const text = execFileSync('pdftotext', ['-layout', path, '-']).toString().replaceAll(/\s/g, '')
    const at = files.columns.findIndex(
      ({ kind, name, isNotPrinted }) => kind === 'text' && name !== 'id' && isNotPrinted !== true,
    )
    for (const row of files.rows) {
      const cell = String(row[at] ?? '').replaceAll(/\s/g, '')
      expect(text).toContain(cell.slice(0, 8))
    }
  })
})
