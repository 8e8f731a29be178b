import { parse } from 'csv-parse/sync'
import { readXlsx } from 'hucre/xlsx'
import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { allChecks } from '#features/compliance/compliance.ts'
import { reportTypes, type ReportType } from '#features/reports/report.ts'
import type { Ctx } from '#platform/context.ts'
import { sharedTestApp } from './support/app/test-app.ts'
import { needs } from './support/needs.ts'
import { audited, demoEstate, type Audited } from './support/reports/audited-report.ts'
import { comparableCell, plain } from './support/reports/comparable-cell.ts'
import { replacementsDue } from './support/reports/replacements-due.ts'
import { temporaryFolder } from '#test/support/temporary-folder.ts'

/**
 * What an auditor does with the reports of the demo estate: reads each in every format, and adds it up again from the
 * rows of the tables, by other statements than those that made it.
 */

const app = sharedTestApp()
const FRAMEWORK = 'nist-csf-2.0'

let ctx: Ctx
const reports = new Map<ReportType, Audited>()
beforeAll(async () => {
  ctx = await demoEstate(app())
  for (const type of reportTypes) reports.set(type, await audited(ctx, type))
}, 180_000)

const reportOf = (type: ReportType): Audited => {
  const found = reports.get(type)
  if (!found) throw new Error(`no ${type}`)
  return found
}

/** In the order of their texts. */
const inOrder = <R extends readonly (string | undefined)[]>(rows: readonly R[]): R[] =>
  rows.toSorted((a, b) => (a.join('\t') < b.join('\t') ? -1 : 1))

/** Cells of a section, absent ones empty; the columns named only. */
function cells(type: ReportType, section: string, ...columns: readonly string[]): string[][] {
  const rows = reportOf(type).sections.get(section)?.rows ?? []
  return rows.map((row) => columns.map((column) => row.get(column) ?? ''))
}

/** Rows of a statement whose columns have different names, each value as the text that a report has, in order. */
async function rowsOf(query: ReturnType<typeof sql>): Promise<string[][]> {
  const found = await ctx.db.all(query as ReturnType<typeof sql<Record<string, string | number | null>>>)
  return inOrder(found.map((row) => Object.values(row).map((it) => (it === null ? '' : String(it)))))
}

describe.each(reportTypes)('%s', (type) => {
  test('CSV, Excel and XML have the same cells of the main table', async () => {
    const { sections, file } = reportOf(type)
    const [main] = sections.values()
    if (!main) throw new Error('no main table')
    expect(main.rows.length).toBeGreaterThan(0)
    const expected = main.rows.map((row) => main.columns.map(({ name }) => row.get(name) ?? ''))
    const [head, ...csv] = parse(await file('csv')) as string[][]
    expect(head).toEqual(main.columns.map(({ name }) => name))
    expect(csv.map((row) => row.map(plain))).toEqual(expected)
    const [sheet] = (await readXlsx(await file('excel'))).sheets
    const kinds = main.columns.map(({ kind }) => kind)
    const comparable = (rows: readonly (readonly unknown[])[]) =>
      rows.map((row) => kinds.map((kind, at) => comparableCell(kind, row[at])))
    expect(comparable(sheet?.rows.slice(1) ?? [])).toEqual(comparable(expected))
  })

  test('Excel has each section with as many rows as XML', async () => {
    const { sections, file } = reportOf(type)
    const { sheets } = await readXlsx(await file('excel'))
    const lengths = sheets.slice(0, -1).map(({ rows }) => rows.length - 1)
    expect(lengths).toEqual([...sections.values()].map(({ rows }) => rows.length))
  })

  needs('pdftotext')('with pdftotext', () => {
    test('the PDF names each row of the main table', async () => {
      const { sections, file } = reportOf(type)
      const path = join(temporaryFolder(), 'report.pdf')
      writeFileSync(path, await file('pdf'))
      const squeezed = execFileSync('pdftotext', ['-layout', path, '-'], { maxBuffer: 1e8 })
        .toString()
        .replaceAll(/\s/g, '')
      const [main] = sections.values()
      const name =
        main?.columns.find((it) => ['name', 'a', 'product', 'control', 'type'].includes(it.name))?.name ?? ''
      // words of the product are written with blanks there, names as they are
      const asPrinted = (value: string) => (name === 'type' ? value.replaceAll('_', '') : value)
      for (const row of main?.rows ?? [])
        expect(squeezed).toContain(
          asPrinted(row.get(name) ?? '')
            .replaceAll(/\s/g, '')
            .slice(0, 8),
        )
    })
  })
})

test('inventory_summary: counts by type, maker and system, and by when things were seen', async () => {
  const { asOf } = reportOf('inventory_summary')
  const ago = (days: number) => new Date(asOf.getTime() - days * 86_400_000)
  const counted = sql`count(*), count(*) filter (where last_seen >= ${ago(7)}),
    count(*) filter (where last_seen >= ${ago(30)}), count(*) filter (where first_seen >= ${ago(7)})`
  const of = sql`from assets where tenant_id = ${ctx.tenantId} and archived_at is null`
  const columns = ['count', 'seen_7d', 'seen_30d', 'new']
  for (const [dimension, value] of [
    ['type', sql`asset_type`],
    ['device_type', sql`coalesce(device_type, 'unknown')`],
    ['vendor', sql`vendor`],
    ['os', sql`os`],
  ] as const) {
    const expected = await rowsOf(
      sql`select * from (select ${value} as value, ${counted} ${of} group by 1) t (a, b, c, d, e)`,
    )
    expect(inOrder(cells('inventory_summary', `by_${dimension}`, dimension, ...columns))).toEqual(expected)
    // the main table adds up to the same
    const sums = new Map<string, number[]>()
    for (const [key = '', ...found] of cells('inventory_summary', 'summary', dimension, ...columns))
      sums.set(
        key,
        found.map((it, at) => Number(it) + (sums.get(key)?.[at] ?? 0)),
      )
    expect(inOrder([...sums].map(([key, found]) => [key, ...found.map(String)]))).toEqual(expected)
  }
})

test('inventory_summary: each asset is at the site that is recorded, else at that of the longest network', async () => {
  const expected = await rowsOf(sql`
    with recursive up as (
      select id, id as site, parent_id, name from places where tenant_id = ${ctx.tenantId}
      union all
      select up.id, p.id, p.parent_id, p.name from up join places p on p.tenant_id = ${ctx.tenantId} and p.id = up.parent_id
    )
    select coalesce(s.name, '') as site, count(*)
    from assets a
    left join asset_records r on r.tenant_id = ${ctx.tenantId} and r.asset_id = a.id
    left join up s on s.parent_id is null and s.id = coalesce(r.place_id, (
      select n.place_id from place_networks n
      where n.tenant_id = ${ctx.tenantId} and a.ip_address <> '' and a.ip_address::inet <<= n.network
      order by masklen(n.network) desc limit 1))
    where a.tenant_id = ${ctx.tenantId} and a.archived_at is null group by 1`)
  expect(expected.length).toBeGreaterThan(2)
  expect(inOrder(cells('inventory_summary', 'by_site', 'site', 'count'))).toEqual(expected)
})

test.each(['asset_audit', 'custom'] as const)(
  '%s: sources, open findings, purchase of each asset',
  async (type) => {
    const expected = await rowsOf(sql`
    select a.id, a.name,
      (select count(distinct o.source_id) from asset_observations o where o.tenant_id = a.tenant_id and o.asset_id = a.id) as sources,
      (select count(*) from findings f where f.tenant_id = a.tenant_id and f.asset_id = a.id and f.status = 'open') as findings,
      r.owner, r.price, r.currency, r.purchased_on
    from assets a left join asset_records r on r.tenant_id = a.tenant_id and r.asset_id = a.id
    where a.tenant_id = ${ctx.tenantId} and a.archived_at is null`)
    const columns = ['id', 'name', 'sources', 'open_findings', 'owner', 'price', 'currency', 'purchased_on']
    const found = inOrder(cells(type, 'assets', ...columns))
    // of assets whose software nobody lists the number is not known; there are no findings of those
    const known = found.map((row) => row.with(3, row[3] || '0'))
    expect(known).toEqual(expected)
    expect(found.filter((row) => Number(row[3]) > 0).length).toBeGreaterThan(5)
  },
)

test('asset_audit: open findings are listed one by one', async () => {
  const expected = await rowsOf(sql`
    select f.asset_id, f.cve_id, f.status from findings f
    join assets a on a.tenant_id = f.tenant_id and a.id = f.asset_id and a.archived_at is null
    where f.tenant_id = ${ctx.tenantId} and f.status in ('open', 'accepted')`)
  expect(inOrder(cells('asset_audit', 'findings', 'asset_id', 'cve', 'status'))).toEqual(expected)
})

test('software_license: installations, entitlements, assignments', async () => {
  const held = await ctx.db.all(sql<{ name: string; asset: string }>`
    select s.name, o.asset_id as asset from software s, software_sets h, asset_observations o, assets a
    where s.tenant_id = ${ctx.tenantId} and h.tenant_id = s.tenant_id and o.tenant_id = s.tenant_id
      and a.tenant_id = s.tenant_id and s.id = any(h.ids) and o.id = h.observation_id and a.id = o.asset_id
      and a.archived_at is null
      and s.origin not in ('dpkg', 'rpm', 'apk', 'pacman', 'hotfix', 'os', 'banner', 'snmp')`)
  const assets = Map.groupBy(held, ({ name }) => name)
  const rows = cells(
    'software_license',
    'products',
    'product',
    'metric',
    'entitled',
    'installed',
    'assigned',
    'balance',
  )
  const installed = rows.filter(([, metric]) => metric === '')
  expect(installed.length).toBeGreaterThan(10)
  expect(installed.map(([product, , , count]) => [product, Number(count)])).toEqual(
    installed.map(([product = '']) => [
      product,
      new Set(assets.get(product)?.map(({ asset }) => asset)).size,
    ]),
  )
  const licensed = rows.filter(([, metric]) => metric !== '')
  const day = reportOf('software_license').asOf.toISOString().slice(0, 10)
  const entitled = await rowsOf(sql`
    select e.product, e.metric, sum(e.count) as entitled,
      sum((select count(*) from entitlement_uses u where u.tenant_id = e.tenant_id and u.entitlement_id = e.id)) as assigned
    from entitlements e where e.tenant_id = ${ctx.tenantId}
      and (e.begins is null or e.begins <= ${day}::date) and (e.ends is null or e.ends >= ${day}::date)
    group by e.product, e.metric`)
  expect(
    inOrder(licensed.map(([product, metric, count, , assigned]) => [product, metric, count, assigned])),
  ).toEqual(entitled)
  // one for each assigned user, else one for each device or core
  const balances = licensed.filter((row) => row[5] !== '')
  expect(balances.map(([, , , , , balance]) => Number(balance))).toEqual(
    balances.map(
      ([, metric, count, needed, assigned]) => Number(count) - Number(metric === 'user' ? assigned : needed),
    ),
  )
  expect(balances.length).toBeGreaterThan(2)
})

test('topology: links by kind and ends', async () => {
  const expected = await rowsOf(sql`
    select a.name, coalesce(b.name, l.b_text) as b, l.kind, l.vlan from topology_links l
    join assets a on a.tenant_id = l.tenant_id and a.id = l.a_asset and a.archived_at is null
    left join assets b on b.tenant_id = l.tenant_id and b.id = l.b_asset
    where l.tenant_id = ${ctx.tenantId} and b.archived_at is null
    union all
    select a.name, b.name, r.kind, null from asset_relations r
    join assets a on a.tenant_id = r.tenant_id and a.id = r.from_id and a.archived_at is null
    join assets b on b.tenant_id = r.tenant_id and b.id = r.to_id and b.archived_at is null
    where r.tenant_id = ${ctx.tenantId}`)
  expect(expected.length).toBeGreaterThan(10)
  expect(inOrder(cells('topology', 'links', 'a', 'b', 'kind', 'vlan'))).toEqual(expected)
})

describe('budget_forecast', () => {
  const due = () => replacementsDue(ctx, reportOf('budget_forecast').asOf)

  test('what is due, when and for how much', async () => {
    const expected = await rowsOf(sql`select id, due_on, quarter, amount from (${due()}) d`)
    expect(expected.length).toBeGreaterThan(50)
    expect(
      inOrder(
        cells('budget_forecast', 'replacements', 'asset', 'due_on', 'quarter', 'price_in_report_currency'),
      ),
    ).toEqual(expected)
  })

  test('sums by quarter and department, to the cent', async () => {
    const sums = sql`count(*), sum(amount) as amount from (${due()}) d where amount is not null`
    expect(inOrder(cells('budget_forecast', 'quarters', 'quarter', 'currency', 'count', 'amount'))).toEqual(
      await rowsOf(sql`select quarter, into_currency, ${sums} group by 1, 2`),
    )
    expect(
      inOrder(
        cells('budget_forecast', 'departments', 'quarter', 'department', 'currency', 'count', 'amount'),
      ),
    ).toEqual(await rowsOf(sql`select quarter, department, into_currency, ${sums} group by 1, 2, 3`))
  })

  test('what has no amount is counted, and nothing is lost', async () => {
    const without = cells('budget_forecast', 'without_amount', 'count').reduce(
      (sum, [n]) => sum + Number(n),
      0,
    )
    const within = cells('budget_forecast', 'quarters', 'count').reduce((sum, [n]) => sum + Number(n), 0)
    expect(without + within).toBe(cells('budget_forecast', 'replacements', 'asset').length)
  })
})

test('compliance_report: of each control the results of its checks, of each check its assets', async () => {
  const checks = await allChecks(ctx)
  const results = await ctx.db.all(sql<{ check: string; outcome: string; n: number }>`
    select r.check_id as check, r.outcome::text as outcome, count(*)::int as n from compliance_results r
    join assets a on a.tenant_id = r.tenant_id and a.id = r.asset_id and a.archived_at is null
    where r.tenant_id = ${ctx.tenantId} group by 1, 2`)
  const count = (check: string, outcome: string): number =>
    results.find((it) => it.check === check && it.outcome === outcome)?.n ?? 0
  const controls = cells('compliance_report', 'controls', 'control', 'in_scope', 'ok', 'failed', 'unknown')
  const judged = controls.filter(([, inScope]) => inScope !== '')
  expect(judged.length).toBeGreaterThan(10)
  for (const [control = '', inScope, ok, failed, unknown] of judged) {
    const own = checks.filter((it) => it.controls[FRAMEWORK]?.includes(control))
    const sum = (outcome: string): number => own.reduce((all, { id }) => all + count(id, outcome), 0)
    expect([control, sum('f'), sum('u')]).toEqual([control, Number(failed), Number(unknown)])
    expect(Number(ok) + Number(failed) + Number(unknown)).toBe(Number(inScope))
  }
  const failing = Map.groupBy(
    cells('compliance_report', 'failures', 'check', 'failed', 'asset'),
    ([check]) => check,
  )
  expect(failing.size).toBeGreaterThan(10)
  for (const { id, title } of checks.filter((it) => failing.has(it.title))) {
    expect([title, failing.get(title)?.[0]?.[1]]).toEqual([title, String(count(id, 'f'))])
    expect(new Set(failing.get(title)?.map(([, , asset]) => asset)).size).toBe(Math.min(500, count(id, 'f')))
  }
})
