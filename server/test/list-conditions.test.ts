import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { listAgents } from '#features/agents/agents.ts'
import { listResourceDetails } from '#features/cloud/cloud.ts'
import { listCheckPage, listChecks, listControlPage, listControls } from '#features/compliance/compliance.ts'
import { listRuns as listDiscoveryRuns } from '#features/discoveries/discoveries.ts'
import { listRuns } from '#features/flows/flows.ts'
import { queryPartners } from '#features/partners/partners.ts'
import { latest } from '#features/reports/reports.fixture.ts'
import { listReportsWithLatest } from '#features/reports/reports.ts'
import { queryScans } from '#features/scans/scans.ts'
import { evaluate } from '#platform/conditions/evaluate.ts'
import { asJson } from '#platform/conditions/compose-subject.ts'
import type { Row } from '#platform/conditions/field.ts'
import { comparisonsOf, parseCondition } from '#platform/conditions/parse.ts'
import type { PartField, Subject } from '#platform/conditions/subject.ts'
import { subjectPage, type ListQuery } from '#platform/conditions/lists/subject-page.ts'
import { conditionSql } from '#platform/conditions/compiling/to-sql.ts'
import type { Truth } from '#platform/conditions/three-valued-logic.ts'
import type { Ctx } from '#platform/context.ts'
import { newUuid } from '#platform/uuid.ts'
import { sharedTestApp } from './support/app/test-app.ts'
import { FAILED, listedConditions, OWN } from './support/listed-conditions.ts'
import { addListed, FRAMEWORK } from './support/listed-subjects.ts'

/** Lists that conditions narrow and fields sort: runs, scans, reports, checks and controls, resources of clouds, agents, partners. */

const home = sharedTestApp()
const PAGE = { limit: 500, offset: 0 }

let ctx: Ctx
beforeAll(async () => {
  ctx = await home().newTenant()
  await addListed(ctx)
}, 60_000)

type Names = readonly string[]

/** What each list shows of its rows, by the name of the subject. */
const lists: Readonly<Record<string, (of: Ctx, query: ListQuery) => Promise<Names>>> = {
  flow_run: async (of, query) =>
    (await listRuns(of, PAGE, query)).items.map((it) => `${it.flowName} ${it.status}`),
  scan: async (of, query) =>
    (await queryScans(of, PAGE, query)).items.map((it) => `${it.type} ${it.targetAddress}`),
  discovery_run: async (of, query) =>
    (await listDiscoveryRuns(of, PAGE, query)).items.map((it) => `${it.name} ${it.status}`),
  report: async (of, query) => (await listReportsWithLatest(of, PAGE, query)).items.map((it) => it.name),
  cloud_resource: async (of, query) =>
    (await listResourceDetails(of, PAGE, query)).items.map((it) => it.name || it.nativeId),
  agent: async (of, query) => (await listAgents(of, PAGE, query)).items.map((it) => it.name || it.deviceId),
  partner: async (of, query) => (await queryPartners(of, PAGE, query)).items.map((it) => it.name),
  check: async (of, { where }) => (await listChecks(of, FRAMEWORK, where)).map((it) => it.title),
  control: async (of, { where }) => (await listControls(of, FRAMEWORK, { where })).map((it) => it.id),
}

const list = (name: string, query: ListQuery, of = ctx): Promise<Names> => {
  const read = lists[name]
  if (!read) throw new Error(`no list of ${name}`)
  return read(of, query)
}

const SHIPPED = ['check', 'control']

test.each(listedConditions)('%s where %s', async (name, where, expected) => {
  expect(await list(name, { where })).toEqual(expected)
})

test('a list that nobody sorts begins with the newest, and every list is sorted by its fields both ways', async () => {
  expect(await list('flow_run', {})).toEqual([
    'Tell Café pending',
    'Tag  NEW ones succeeded',
    FAILED,
    'Tell Café failed',
  ])
  // unknown comes last either way
  expect(await list('flow_run', { sort: '-duration', where: 'flow : tell' })).toEqual([
    'Tell Café failed',
    'Tell Café pending',
  ])
  expect(await list('flow_run', { sort: 'duration' })).toEqual([
    'Tell Café failed',
    'Tag  NEW ones succeeded',
    FAILED,
    'Tell Café pending',
  ])
  expect(await list('report', { sort: 'name' })).toEqual(['Assets of  ÅLESUND', 'Budget'])
  expect(await list('discovery_run', { sort: '-hosts' })).toEqual([
    'Nightly  OSLO completed',
    'scan now running',
    'Nightly  OSLO failed',
  ])
  expect(await list('cloud_resource', {})).toEqual(['Web-1', 'web-2', '/Subscriptions/1/Bucket'])
  expect(await list('partner', {})).toEqual(['Zenith', 'Åse  Support'])
  expect(await list('partner', { sort: '-quota' })).toEqual(['Åse  Support', 'Zenith'])
  expect(await list('cloud_resource', { sort: '-name' })).toEqual([
    'web-2',
    'Web-1',
    '/Subscriptions/1/Bucket',
  ])
  await expect(list('scan', { sort: 'colour' })).rejects.toThrow(
    'sort: there is no field colour that can be sorted by',
  )
  await expect(list('scan', { where: 'colour = red' })).rejects.toThrow('where: there is no field colour')
})

/** The rows as memory reads them, in the order of ids; those of `check` and `control` have no UUID. */
async function rowsOf(subject: Subject): Promise<Row[]> {
  const found = await ctx.db.all(sql<{ row: Row }>`
    select ${asJson(subject.values)} as "row" from ${subject.from} where ${subject.where}
    order by ${subject.id} limit 400`)
  return found.map(({ row }) => row)
}

async function inDatabase(subject: Subject, texts: readonly string[]): Promise<Truth[][]> {
  const { vocabulary } = subject
  const now = ctx.now()
  const parts = await Promise.all(
    texts.map((it) => conditionSql(parseCondition(it, vocabulary), { now, vocabulary })),
  )
  const found = await ctx.db.all(sql<{ answers: Truth[] }>`
    select array[${sql.join(parts)}]::boolean[] as answers from ${subject.from} where ${subject.where}
    order by ${subject.id} limit 400`)
  return texts.map((_, at) => found.map(({ answers }) => answers[at] ?? null))
}

/** Every comparison with values that occur and one that does not. */
function questionsAbout(field: PartField, rows: readonly Row[]): string[] {
  const occurring = rows.flatMap((row) => row[field.name] ?? []).flatMap((it) => it as never)
  const values = [...new Set(occurring.map(String))].slice(0, 4)
  const written = writtenAs(field, values)
  return [
    `has ${field.name}`,
    ...comparisonsOf({ ...field, read: () => undefined }).flatMap((sign) =>
      written.map((value) => `${field.name} ${sign} ${value}`),
    ),
  ]
}

function writtenAs({ type, values: known }: PartField, values: readonly string[]): string[] {
  if (type === 'bool') return ['yes', 'no']
  if (type === 'instant') return ['-1h', '-3h', '2026-01-01']
  if (type === 'number') return ['0', '3', ...values.map((it) => Number(it).toFixed(3))]
  return [...values, ...(known ? known.slice(0, 2) : ['no such thing'])].map((it) => `"${it}"`)
}

describe.each(Object.keys(lists))('each %s', (name) => {
  test('every field is decided alike by PostgreSQL and in memory, and can be sorted by', async () => {
    const subject = await ctx.conditions.on(ctx, name)
    // versions are decided in memory alone
    const own = subject.fields.filter((it) => !it.name.startsWith('asset.') && it.type !== 'version')
    const rows = await rowsOf(subject)
    expect(rows.length).toBeGreaterThan(1)
    const texts = [...own.flatMap((field) => questionsAbout(field, rows)), 'serial', '"no such word"']
    const answers = await inDatabase(subject, texts)
    const { vocabulary } = subject
    const differing = texts.filter((text, at) => {
      const condition = parseCondition(text, vocabulary)
      const expected = rows.map((row) => evaluate(condition, row, { now: ctx.now(), vocabulary }))
      return JSON.stringify(expected) !== JSON.stringify(answers[at])
    })
    expect(differing).toEqual([])
    expect(new Set(answers.flat())).toEqual(new Set([true, false, null]))
    for (const { name: sort } of own.filter((it) => !it.isList && it.sql))
      for (const direction of ['', '-']) {
        const asked = { subject: name, usual: 'id', sort: `${direction}${sort}` }
        const { items } = await subjectPage(ctx, asked, { limit: 20_000, offset: 0 })
        const { total } = await subjectPage(ctx, asked, { limit: 1, offset: 0 })
        expect([sort, new Set(items).size]).toEqual([sort, total])
      }
  })

  test('another tenant sees none of it', async () => {
    const other = await home().newTenant()
    const shown = await list(name, {}, other)
    const own = await list(name, {})
    // checks and controls come with the product, and nothing was found there
    const isOurs = (it: string) => it === OWN || !own.includes(it) || !SHIPPED.includes(name)
    expect(shown.filter(isOurs)).toEqual([])
    const where = { agent: 'has state', partner: 'has name' }[name] ?? 'has status'
    expect(await list(name, { where }, other)).toEqual([])
  })

  test('who may not read it asks nothing about it', async () => {
    const stranger = { ...ctx, actor: { ...ctx.actor, may: () => false } }
    await expect(ctx.conditions.on(stranger, name)).rejects.toThrow('permission required')
  })
})

test('who is limited to some assets reads no runs, no scans, and reports of the same limit alone', async () => {
  const limited = ctx.conditions.limit(ctx, 'serial : acme')
  for (const name of ['flow_run', 'scan', 'discovery_run', 'control', 'agent'])
    await expect(list(name, { where: 'has id' }, limited)).rejects.toThrow('limited to some of them')
  expect(await list('report', { where: 'has name' }, limited)).toEqual([])
  const where = 'is_own = yes and in_scope = 1 and failed = 0 and status = pass'
  const { items } = await subjectPage(limited, { where, subject: 'check', usual: 'id' }, PAGE)
  expect(items).toHaveLength(1)
})

test('the status of a check is what the list of checks works out', async () => {
  const listed = await listChecks(ctx, FRAMEWORK)
  for (const status of ['pass', 'fail', 'warning'] as const) {
    const expected = listed.filter((it) => it.status === status).map((it) => it.title)
    expect(await list('check', { where: `status = ${status}` })).toEqual(expected)
  }
  const silent = listed.filter((it) => it.status === null).map((it) => it.title)
  expect(await list('check', { where: 'not has status' })).toEqual(silent)
})

test('the lists of all checks and controls begin with what fails and say what the lists of a framework say', async () => {
  const checks = await listCheckPage(ctx, PAGE, {})
  const ranks = checks.items.map(({ status }) => ['fail', 'warning', 'pass', null].indexOf(status))
  expect(ranks).toEqual(ranks.toSorted((a, b) => a - b))
  expect(checks.total).toBe(checks.items.length)
  const own = {
    title: OWN,
    isOwn: true,
    failed: 1,
    inScope: 2,
    frameworks: [expect.stringContaining('NIST')],
  }
  expect(checks.items[0]).toMatchObject({ ...own, status: 'fail', controlIds: ['GV.PO-01'] })
  expect((await listCheckPage(ctx, PAGE, { where: 'is_own = yes', sort: '-failed' })).total).toBe(1)

  const controls = await listControlPage(ctx, PAGE, {})
  const failing = controls.items.filter(({ status }) => status === 'fail').map(({ id }) => id)
  expect(controls.items.slice(0, failing.length).map(({ id }) => id)).toEqual(failing.toSorted())
  expect(failing).toContain('GV.PO-01')
  const ofFramework = (await listControls(ctx, FRAMEWORK)).filter(({ isHeading }) => !isHeading)
  expect(controls.total).toBe(ofFramework.length)
  expect(controls.items.toSorted(byId)).toEqual(ofFramework.toSorted(byId))
  const unadopted = await listControlPage(
    ctx,
    { limit: 5, offset: 0 },
    { where: 'is_adopted = no', sort: 'id' },
  )
  expect(unadopted.items.map(({ status, framework }) => [status, framework === FRAMEWORK])).toEqual(
    Array.from({ length: 5 }, () => ['not_assessed', false]),
  )
})

test.each([undefined, 'control'])(
  'issue 17: controls of one status sorted by %s stand as people count',
  async (sort) => {
    const query = { where: 'framework = cis-8.1 and section in (3, 10)', sort }
    const { items } = await listControlPage(ctx, PAGE, query)
    const ids = items.map(({ id }) => id)
    expect(ids.slice(0, 2)).toEqual(['3.1', '3.2'])
    expect(ids.slice(8, 10)).toEqual(['3.9', '3.10'])
    expect(ids.at(-1)).toBe('10.7')
  },
)

const byId = (a: { readonly id: string }, b: { readonly id: string }): number => (a.id < b.id ? -1 : 1)

test('a generation that failed leaves the file of the one before', async () => {
  const { items } = await listReportsWithLatest(ctx, PAGE, { where: 'name : ålesund' })
  const report = items[0]
  await ctx.db.run(sql`
    insert into report_snapshots (tenant_id, id, report_id, status, message, requested_at)
    values (${ctx.tenantId}, ${newUuid(ctx.now())}, ${report?.id}, 'failed', 'no', ${ctx.now()})`)
  expect((await latest(ctx, report?.id ?? '')).status).toBe('failed')
  expect(await list('report', { where: 'generations = 2 and rows = 2' })).toEqual(['Assets of  ÅLESUND'])
})

test('a check that passed is one no longer a day after its round, though nothing was written since', async () => {
  const own = await home().newTenant()
  await addListed(own)
  await own.db.run(sql`
    update compliance_check_states set failed = 0, unknown = 0 where tenant_id = ${own.tenantId} and check_id = (
      select id::text from compliance_checks where tenant_id = ${own.tenantId})`)
  const later = { ...own, now: () => new Date(own.now().getTime() + 25 * 3_600_000) }
  const passing = (of: Ctx) =>
    subjectPage(of, { where: `title = "${OWN}" and status = pass`, subject: 'check', usual: 'id' }, PAGE)
  expect((await passing(own)).total).toBe(1)
  expect(await passing(later)).toEqual({ items: [], total: 0 })
})
