import { sql } from 'kysely'
import { expect, test } from 'vitest'
import {
  archiveAsset,
  deleteAsset,
  listAssets,
  type AssetFilter,
  reviveAsset,
  setAttribute,
} from '#features/assets/assets.ts'
import { archiveUnseen, setArchiveRules } from '#features/assets/archive/archive-rules.ts'
import { defineCustomField } from '#features/assets/editing/custom-fields.ts'
import { clearCustomField, setCustomField } from '#features/assets/editing/custom-values.ts'
import { mergeAssets, unlinkObservations } from '#features/assets/editing/merge-and-unlink.ts'
import { addTags, removeTags } from '#features/assets/editing/tags.ts'
import type { AssetQuery } from '#features/assets/listing/asset-query.ts'
import { queryAssets } from '#features/assets/listing/filter-and-sort.ts'
import { createGroup, updateGroup } from '#features/assets/groups/groups.ts'
import { startBulkChange, undoBulkChange } from '#features/bulk-changes/bulk-changes.ts'
import type { NewBulkChange } from '#features/bulk-changes/bulk-change.ts'
import { workOnBulkChange } from '#features/bulk-changes/work-on-bulk-change.ts'
import { setRecords } from '#features/records/records.ts'
import { submit } from '#features/sources/sources.ts'
import { createMatches, createSoftware, install, sync } from '#features/vulnerabilities/findings.fixture.ts'
import { every, jobs } from '#features/vulnerabilities/jobs.ts'
import { searchFindings } from '#features/vulnerabilities/findings/search.ts'
import { endOverride } from '#features/vulnerabilities/overrides/overrides.ts'
import {
  createOverride,
  listFindings,
  setAssetWeight,
  type FindingFilter,
} from '#features/vulnerabilities/vulnerabilities.ts'
import { dryRun, type Ctx } from '#platform/context.ts'
import { openDatabase } from '#platform/database/database.ts'
import { rememberedQuestions } from '#test/support/app/remembered-questions.ts'
import { sharedTestApp } from '#test/support/app/test-app.ts'

/**
 * Lists with a condition are worked out once and then brought up to date. Whatever happens to the tenant, they say what
 * they would say if they were worked out anew.
 */

const home = sharedTestApp()
const page = { limit: 50, offset: 0 }
const HOSTS = 12
const DAY_MS = 86_400_000

const conditions = [
  'os:linux',
  'not has os',
  'tag = prod and os:linux',
  'hostname:srv',
  'archived = yes',
  'archived = yes or archived = no',
  'any finding(severity = critical)',
  'open_findings > 0 or tag = prod',
  'no software(name = openssl)',
  'owner = "team 1"',
  'risk > 0',
  'source = net or port = 443',
  'criticality = high or exposure = internet',
  'custom.rack = r1',
  'group = Hot',
  'seen < -30d or vendor = acme',
]

/** Beside a condition, or instead of one. */
const narrowed: readonly AssetFilter[] = [
  { where: 'os:linux', type: 'device' },
  { where: 'not has owner', search: 'srv' },
]

/** The same numbers each time. */
function randomNumbers(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

const host = (n: number, { os = '', tags = [] as string[], at = new Date() } = {}) => ({
  sourceKey: `host-${n}`,
  seenAt: at,
  assetType: 'device' as const,
  os,
  tags,
  identifiers: [
    { type: 'serial' as const, value: `SN-${n}-REMEMBERED` },
    { type: 'hostname' as const, value: `${n % 2 ? 'srv' : 'lap'}-${n}` },
  ],
})

const livingIds = async (ctx: Ctx): Promise<string[]> =>
  (
    await ctx.db.all(sql<{ id: string }>`select id from assets where tenant_id = ${ctx.tenantId} order by id`)
  ).map(({ id }) => id)

const findingConditions: readonly FindingFilter[] = [
  { where: 'severity = critical' },
  { where: 'asset.os:linux and cvss > 4' },
  { where: 'status = accepted or asset.tag = prod' },
  { where: 'has id', severity: 'critical' },
]

/** As the app asks. */
const queries: readonly AssetQuery[] = [
  { where: 'not archived = yes', tag: 'prod', sort: 'name', direction: 'asc' },
  { where: 'os:linux', search: 'srv' },
]

type Lists = Record<string, { readonly total: number; readonly ids: readonly string[] }>

async function lists(ctx: Ctx): Promise<Lists> {
  const found: Lists = {}
  for (const filter of [...conditions.map((where) => ({ where })), ...narrowed]) {
    const { items, total } = await listAssets(ctx, page, filter)
    found[JSON.stringify(filter)] = { total, ids: items.map(({ id }) => id) }
  }
  for (const filter of findingConditions) {
    const { items, total } = await listFindings(ctx, page, filter)
    found[`findings ${JSON.stringify(filter)}`] = { total, ids: items.map(({ id }) => id) }
  }
  for (const query of queries) {
    const { items, total } = await queryAssets(ctx, page, query)
    found[`app ${JSON.stringify(query)}`] = { total, ids: items.map(({ id }) => id) }
  }
  const { items, total } = await searchFindings(ctx, page, {
    where: 'severity = critical',
    search: 'openssl',
  })
  found['app findings'] = { total, ids: items.map(({ id }) => id) }
  return { ...found, ...(await rememberedQuestions(ctx)) }
}

/** As a process says it that has just been started; inside of a transaction no matches are remembered. */
async function anew(ctx: Ctx): Promise<Lists> {
  const fresh = openDatabase(home().where, { connections: 1 })
  try {
    return await fresh.tenant(ctx.tenantId).transaction((db) => lists({ ...ctx, db }))
  } finally {
    await fresh.close()
  }
}

test('lists that were remembered say what is true now, whatever changed', async () => {
  const ctx = await home().newTenant()
  const random = randomNumbers(7)
  const pick = <T>(from: readonly T[]): T | undefined => from[random(from.length)]
  const software = await createSoftware(ctx, { name: 'openssl' })
  const source = { kind: 'csv', name: 'list' }
  await submit(
    ctx,
    source,
    Array.from({ length: HOSTS }, (_, n) => host(n, { os: n % 3 ? 'Debian GNU/Linux 12' : '' })),
  )
  const rack = await defineCustomField(ctx, { name: 'Rack', kind: 'text' })
  const hot = await createGroup(ctx, { name: 'Hot', condition: 'tag = prod' })
  const bulk = async (id: string, change: Omit<NewBulkChange, 'assetIds'>) => {
    const started = await startBulkChange(ctx, { ...change, assetIds: [id] })
    await workOnBulkChange(ctx, { changeId: started.id })
    return started.id
  }
  let lastBulk = ''
  let override = ''
  const steps: Readonly<Record<string, (id: string) => Promise<unknown>>> = {
    'seen with another os': () =>
      submit(ctx, source, [host(random(HOSTS), { os: pick(['', 'Ubuntu Linux', 'Windows 11']) ?? '' })]),
    'seen by another source': () =>
      submit(ctx, { kind: 'sweep', name: 'net' }, [host(random(HOSTS), { tags: ['prod'] })]),
    new: () => submit(ctx, source, [host(random(HOSTS) + HOSTS)]),
    tagged: (id) => addTags(ctx, { assetIds: [id], tags: ['prod'] }),
    untagged: (id) => removeTags(ctx, { assetIds: [id], tags: ['prod'] }),
    owned: (id) => setRecords(ctx, { assetIds: [id], values: { owner: `Team ${random(2)}` } }),
    disowned: (id) => setRecords(ctx, { assetIds: [id], values: { owner: '' } }),
    'attribute set': (id) =>
      setAttribute(ctx, { assetId: id, attribute: 'vendor', value: 'Acme', reason: 'label' }),
    weighed: (id) => setAssetWeight(ctx, { assetId: id, criticality: 'high', exposure: 'internet' }),
    'custom field set': (id) => setCustomField(ctx, { assetId: id, fieldId: rack.id, value: 'R1' }),
    'group changed': () => updateGroup(ctx, hot.id, { condition: 'custom.rack = r1' }),
    'custom field cleared': (id) => clearCustomField(ctx, { assetId: id, fieldId: rack.id }),
    'bulk change': async (id) =>
      (lastBulk = await bulk(id, { verb: 'add_tags', values: { tags: ['prod'] } })),
    'bulk change undone': async () => {
      const undoing = await undoBulkChange(ctx, lastBulk)
      await workOnBulkChange(ctx, { changeId: undoing.id })
    },
    archived: (id) => archiveAsset(ctx, id),
    revived: (id) => reviveAsset(ctx, id),
    deleted: (id) => deleteAsset(ctx, id),
    'deleted in bulk': (id) => bulk(id, { verb: 'delete', confirm: 1 }),
    merged: async (id) => {
      const other = pick((await livingIds(ctx)).filter((it) => it !== id))
      if (other) await mergeAssets(ctx, { assetIdA: id, assetIdB: other, reason: 'the same' })
    },
    'split again': async () => {
      const { assetId, observationId } = await ctx.db.one(sql<{ assetId: string; observationId: string }>`
        select asset_id as "assetId", (array_agg(id order by id))[1] as "observationId" from asset_observations
        where tenant_id = ${ctx.tenantId} group by asset_id order by count(*) desc limit 1`)
      await unlinkObservations(ctx, { assetId, observationIds: [observationId], reason: 'two' })
    },
    'software installed': (id) => install(ctx, id, [software]),
    'vulnerabilities found': async (id) => {
      await createMatches(ctx, software, [
        { cveId: 'CVE-2026-1000', score: 9.8 },
        { cveId: 'CVE-2026-1001', score: 5 },
      ])
      await sync(ctx, id)
    },
    'facts of a CVE changed': () => createMatches(ctx, software, [{ cveId: 'CVE-2026-1001', score: 9.9 }]),
    'risk accepted': async () => {
      const { id } = await createOverride(ctx, {
        kind: 'accepted_risk',
        cveId: 'CVE-2026-1000',
        reason: 'r',
      })
      override = id
    },
    'risk no longer accepted': () => endOverride(ctx, override, 'mended'),
    'only tried': (id) =>
      dryRun(ctx, async (inner) => {
        await addTags(inner, { assetIds: [id], tags: ['prod'] })
        return 'tried'
      }),
    'rolled back': (id) =>
      ctx.db
        .transaction(async (db) => {
          await addTags({ ...ctx, db }, { assetIds: [id], tags: ['prod'] })
          throw new Error('on purpose')
        })
        .catch(() => {}),
    'archived by a rule': async () => {
      await submit(ctx, source, [host(4 * HOSTS, { at: new Date(Date.now() - 90 * DAY_MS) })])
      await setArchiveRules(ctx, [{ sourceKind: '', days: 30 }])
      await archiveUnseen(ctx)
    },
    'written by hand': (id) =>
      ctx.db.run(sql`
        update assets set normalized_tags = '{prod}' where tenant_id = ${ctx.tenantId} and id = ${id}`),
  }
  await lists(ctx)
  for (const [step, change] of Object.entries(steps)) {
    await change(pick(await livingIds(ctx)) ?? '')
    expect({ step, ...(await lists(ctx)) }).toEqual({ step, ...(await anew(ctx)) })
  }
}, 240_000)

test('what people do to one asset lets other assets be looked at no more', async () => {
  const ctx = await home().newTenant()
  await submit(ctx, { kind: 'csv', name: 'list' }, [host(0), host(1), host(2)])
  const [a = '', b = '', c = ''] = await livingIds(ctx)
  await addTags(ctx, { assetIds: [a], tags: ['prod'] })
  await setAttribute(ctx, { assetId: a, attribute: 'vendor', value: 'Acme', reason: 'label' })
  await setAssetWeight(ctx, { assetId: a, criticality: 'high', exposure: 'internet' })
  await setRecords(ctx, { assetIds: [a], values: { owner: 'Team 1' } })
  await archiveAsset(ctx, a)
  await reviveAsset(ctx, a)
  await mergeAssets(ctx, { assetIdA: a, assetIdB: b, reason: 'the same' })
  await deleteAsset(ctx, c)
  const { whole } = await ctx.db.one(sql<{ whole: readonly string[] }>`
    select array(select distinct unnest(tables) from tenant_changes where tenant_id = ${ctx.tenantId}) as whole`)
  const asked = [
    'assets',
    'asset_search',
    'asset_observations',
    'asset_records',
    'asset_risks',
    'asset_weights',
  ]
  expect(
    whole.filter((it) => [...asked, 'findings', 'software_sets', 'vulnerabilities'].includes(it)),
  ).toEqual([])
})

test('lists that were remembered see an override end by itself', async () => {
  const { runtime, newTenant } = home()
  const ctx = await newTenant()
  await submit(ctx, { kind: 'csv', name: 'list' }, [host(0)])
  const [id = ''] = await livingIds(ctx)
  const software = await createSoftware(ctx, { name: 'openssl' })
  await install(ctx, id, [software])
  await createMatches(ctx, software, [{ cveId: 'CVE-2026-2000', score: 9.8 }])
  await sync(ctx, id)
  const expiresAt = new Date(ctx.now().getTime() + 60_000).toISOString()
  await createOverride(ctx, { kind: 'accepted_risk', cveId: 'CVE-2026-2000', reason: 'r', expiresAt })
  const open = async () => (await listAssets(ctx, page, { where: 'open_findings > 0' })).total
  expect(await open()).toBe(0)
  const now = () => new Date(Date.parse(expiresAt) + 1)
  const name = 'vulnerabilities.endExpired'
  await every.find((it) => it.name === name)?.run({ ...runtime.system, now })
  await jobs.find(({ job }) => job.name === name)?.run({ ...ctx, now }, {}, AbortSignal.timeout(60_000))
  expect(await open()).toBe(1)
})
