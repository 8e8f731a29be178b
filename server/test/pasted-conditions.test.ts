import { parse } from 'csv-parse/sync'
import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { archiveAsset } from '#features/assets/archive/archive.ts'
import { noteStale } from '#features/assets/archive/stale.ts'
import { createGroup, defineCustomField, listAssets, updateAllSites } from '#features/assets/assets.ts'
import { setCustomFieldOfAssets } from '#features/assets/editing/custom-values.ts'
import { listViews, saveView } from '#features/conditions/views/saved-views.ts'
import { previewChange } from '#features/compliance/checks/check-change.ts'
import { createCheck } from '#features/compliance/checks/own-checks.ts'
import { adoptFramework, evaluateNow, listAffectedAssets } from '#features/compliance/compliance.ts'
import { createDemoData, loadSampleAdvisories } from '#features/demo/demo.ts'
import { liveFlow } from '#features/flows/flows.fixture.ts'
import { listRuns, startFlow } from '#features/flows/flows.ts'
import { admitRuns } from '#features/flows/triggers/admit-runs.ts'
import { askAboutAll } from '#features/flows/triggers/run-query.ts'
import { bytesOf, work } from '#features/reports/reports.fixture.ts'
import { createReport } from '#features/reports/reports.ts'
import { enqueueMatching, processMatchingQueue } from '#features/vulnerabilities/vulnerabilities.ts'
import { atomically, type Ctx } from '#platform/context.ts'
import { sharedTestApp } from '#test/support/app/test-app.ts'

/** The condition of a saved view, pasted wherever else conditions are written, selects the same assets. */

const ASSETS = 150
const FRAMEWORK = 'nis2-article-21'
const CONTROL = '21.2.b'
const NOBODY = 'name = "no such name"'
/** Of what is selected within these, people limited to them see a part. */
const LIMIT = 'type = server or type = workstation'

const conditions = [
  'os : windows',
  'OS = "ubuntu 22.04" or vendor in (Dell, "Hewlett Packard", Lenovo)',
  'not has serial',
  'not vendor : dell',
  'type = server and has site',
  'risk >= 40 and risk < 101',
  'not memory_gb >= 16',
  'last_seen > -7d',
  'first_seen < -30d or criticality in (high, critical)',
  'os_eol < +365d',
  'ip = 10.0.0.0/8',
  'not ip in (192.168.0.0/16, 172.16.0.0/12)',
  'tag = production or tag : pro',
  'port = 23 or port in (3389, 445)',
  'not port = 23',
  'exposure = isolated or not exposure = internet',
  'any finding(severity = critical and found_at < -1d)',
  'no finding(exploited = yes)',
  'count finding(severity in (high, critical)) >= 2',
  'any software(name : openssl and version < 3.0.9)',
  'no software(name : chrome) and has os',
  'srv or printer',
  '"10.0" not type = server',
  'custom.rack = "RACK Å 1"',
  'not custom.rack = "RACK Å 1"',
  'group = windows or not group = exposed',
  'stale = yes',
  'stale = no and not os : linux',
  'archived = yes',
  'archived = yes or type = server',
] as const

const home = sharedTestApp()
let ctx: Ctx
/** Ids of living assets, archived ones, and those that were not seen for long. */
let living: readonly string[]
let archived: readonly string[]
let stale: ReadonlySet<string>
/** The ids of the checks whose scope, and whose condition, is one of the conditions. */
const asScope = new Map<string, string>()
const asCondition = new Map<string, string>()

beforeAll(async () => {
  ctx = atTheMinute(await home().newTenant())
  await loadSampleAdvisories(home().runtime.system)
  await createDemoData(ctx, { assets: ASSETS, seed: 3 })
  await updateAllSites(ctx)
  const all = await selected(ctx, '')
  await atomically(ctx, (inner) => enqueueMatching(inner, all))
  await processMatchingQueue(ctx)
  const { id: fieldId } = await defineCustomField(ctx, { name: 'Rack', kind: 'text' })
  for (const [nth, value] of ['Rack Å 1', 'rack 2'].entries())
    await setCustomFieldOfAssets(ctx, {
      assetIds: all.filter((_, at) => at % 5 === nth),
      fieldId,
      value,
    })
  await createGroup(ctx, { name: 'Windows', condition: 'os:windows' })
  await createGroup(ctx, { name: 'Exposed', condition: 'group = windows and not exposure = internet' })
  for (const id of all.filter((_, at) => at % 9 === 0)) await archiveAsset(ctx, id)
  const later = new Date(ctx.now().getTime() + 5 * 86_400_000)
  await noteStale({ ...ctx, now: () => later })
  living = await selected(ctx, '')
  archived = await selected(ctx, 'archived = yes')
  stale = new Set(await selected(ctx, 'stale = yes'))
  await pasteIntoChecks()
}, 180_000)

/** What spans count from is the same for all who ask. */
function atTheMinute(ctx: Ctx): Ctx {
  const now = new Date(Math.floor(ctx.now().getTime() / 60_000) * 60_000)
  return { ...ctx, now: () => now }
}

async function pasteIntoChecks(): Promise<void> {
  for (const [at, condition] of conditions.entries()) {
    const check = {
      title: `Of ${at}`,
      severity: 'low' as const,
      next: '',
      controls: [{ framework: FRAMEWORK, controlId: CONTROL }],
      tolerance: '0',
    }
    asScope.set(condition, (await createCheck(ctx, { ...check, scope: condition, condition: NOBODY })).id)
    asCondition.set(condition, (await createCheck(ctx, { ...check, scope: '', condition })).id)
  }
  await adoptFramework(ctx, FRAMEWORK)
  await evaluateNow(ctx)
}

const LIST_MAX = 200

/** As the list of assets finds them. */
async function selected(ctx: Ctx, where: string): Promise<string[]> {
  const ids: string[] = []
  for (let offset = 0, total = 1; offset < total; offset += LIST_MAX) {
    const found = await listAssets(ctx, { limit: LIST_MAX, offset }, where === '' ? {} : { where })
    ids.push(...found.items.map(({ id }) => id))
    total = found.total
  }
  return ids.toSorted()
}

/** The condition as it comes back from a saved view, and what the view shows. */
async function ofSavedView(ctx: Ctx, condition: string): Promise<{ where: string; ids: string[] }> {
  await saveView(ctx, { name: 'Pasted', view: { where: condition, sort: 'name' } })
  const { view } = (await listViews(ctx)).find(({ name }) => name === 'Pasted') ?? { view: {} }
  const { where } = view as { where: string }
  return { where, ids: await selected(ctx, where) }
}

async function affected(ctx: Ctx, checkId = ''): Promise<{ failed: string[]; unknown: string[] }> {
  const { items, total } = await listAffectedAssets(ctx, { limit: 500, offset: 0 }, checkId)
  expect(items.length).toBe(total)
  const those = (outcome: string) =>
    items
      .filter((it) => it.outcome === outcome)
      .map(({ assetId }) => assetId)
      .toSorted()
  return { failed: those('failed'), unknown: those('unknown') }
}

async function reported(who: Ctx, where: string): Promise<string[]> {
  const { id } = await createReport(who, { name: 'Pasted', type: 'custom', format: 'csv', where })
  expect(await work(ctx, id)).toMatchObject({ status: 'available' })
  const rows: { id: string }[] = parse(await bytesOf(who, id), { columns: true, bom: true })
  return rows.map(({ id }) => id).toSorted()
}

test('the estate has assets that are not selected, and some of which it is unknown', async () => {
  expect(living.length).toBeGreaterThan(100)
  expect(archived.length).toBeGreaterThan(5)
  expect(stale.size).toBeGreaterThan(5)
  const some: string[] = []
  const doubtful: string[] = []
  for (const condition of conditions) {
    const [yes, no] = [await selected(ctx, condition), await selected(ctx, `not (${condition})`)]
    if (yes.length > 0) some.push(condition)
    if (new Set([...yes, ...no]).size < living.length) doubtful.push(condition)
  }
  expect(conditions.filter((it) => !some.includes(it))).toEqual([])
  expect(doubtful.length).toBeGreaterThanOrEqual(8)
})

test.each(conditions)('%s', async (condition) => {
  const { where, ids } = await ofSavedView(ctx, condition)
  expect(where).toBe(condition)
  expect(await reported(ctx, where), 'report').toEqual(ids)
  expect(await members(where), 'condition on assets that starts a flow').toEqual(ids)
  expect(await started({ where }), 'assets that a flow is started for').toEqual(ids)
  const asked = where.includes('archived') ? [...living, ...archived] : living
  expect(await started({ assetIds: asked }, where), 'condition of a flow').toEqual(ids)
  await judgedAlike(where, ids)
})

/** The assets for which a condition that starts a flow is true. */
async function members(condition: string): Promise<string[]> {
  const flow = await liveFlow(ctx, { trigger: { kind: 'query', condition }, steps: [{ action: 'stop' }] })
  await askAboutAll(ctx, { flowId: flow.id })
  const rows = await ctx.db.all(sql<{ id: string }>`
    select asset_id as id from flow_members where tenant_id = ${ctx.tenantId} and flow_id = ${flow.id} order by 1`)
  return rows.map(({ id }) => id)
}

/** The assets that a flow which is started for these runs for. */
async function started(chosen: { where?: string; assetIds?: string[] | readonly string[] }, condition = '') {
  const flow = await liveFlow(ctx, { trigger: { kind: 'manual' }, condition, steps: [{ action: 'stop' }] })
  await startFlow(ctx, flow.id, chosen)
  await admitRuns(ctx, new AbortController().signal)
  const { items } = await listRuns(ctx, { limit: 500, offset: 0 }, { flowId: flow.id })
  return items.map(({ assetId }) => assetId ?? '').toSorted()
}

/** Checks leave out what was not seen for long, unless they ask about that. */
const isJudged = (condition: string, id: string): boolean =>
  /\b(stale|last_seen)\b/.test(condition) || !stale.has(id)

async function judgedAlike(where: string, ids: readonly string[]): Promise<void> {
  const judged = (id: string) => isJudged(where, id)
  const inScope = await affected(ctx, asScope.get(where))
  expect(inScope, 'scope of a check').toEqual({ failed: ids.filter(judged), unknown: [] })
  const found = await affected(ctx, asCondition.get(where))
  const denied = await selected(ctx, `not (${where})`)
  expect(found.failed, 'condition of a check').toEqual(denied.filter(judged))
  const answered = new Set([...ids, ...denied])
  const all = where.includes('archived') ? [...living, ...archived] : living
  expect(found.unknown, 'unknown to a check').toEqual(
    all.filter((id) => judged(id) && !answered.has(id)).toSorted(),
  )
}

const someConditions = conditions.filter((_, at) => at % 4 === 0)

test.each(someConditions)('within a limit: %s', async (condition) => {
  const limited = ctx.conditions.limit(ctx, LIMIT)
  const { where, ids } = await ofSavedView(limited, condition)
  const seen = await selected(ctx, `(${condition}) and (${LIMIT})`)
  expect(ids).toEqual(seen)
  expect(seen.length).toBeLessThan(living.length)
  expect(await reported(limited, where), 'report').toEqual(ids)
  const { assets } = await previewChange(limited, { scope: where, condition: NOBODY })
  const failing = assets.map(({ assetId }) => assetId).toSorted()
  expect(failing, 'check').toEqual(ids.filter((id) => isJudged(condition, id)))
  const found = await affected(limited, asScope.get(where))
  expect(found, 'assets that fail a check').toEqual({ failed: failing, unknown: [] })
})
