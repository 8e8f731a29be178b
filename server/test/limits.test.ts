import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { features } from '../src/app.ts'
import { createKey } from '../src/features/api-keys/api-keys.ts'
import { evaluateNow } from '../src/features/compliance/compliance.ts'
import { MIGRATIONS } from '../src/startup/migrations.ts'
import { readerFunctions } from '../src/startup/reader-functions.ts'
import type { Ctx } from '../src/platform/context.ts'
import type { Caller } from './support/http/api-client.ts'
import { sharedTestApp } from './support/app/test-app.ts'
import { exceptEachAsset } from './support/api-coverage/excepted-assets.ts'
import { graphqlRecordFactories } from './support/api-coverage/graphql-record-factories.ts'
import { nouns, operations, textOf, type Noun } from './support/api-coverage/graphql-operations.ts'
import { bodies, queries, restRecordFactories } from './support/api-coverage/rest-record-factories.ts'
import { textsBeyond } from './support/api-coverage/texts-beyond.ts'
import { asker, believed, headersOf, inTenant, type Ask } from './support/http/graphql-client.ts'
import { thingsIn } from './support/http/things-in.ts'

/**
 * A role and a key that are limited to some assets walk every route and every field. What they are answered, counts
 * included, must stay as it is when the tenant gets more of everything beyond their condition.
 */

const shared = sharedTestApp({ contextOf: believed })
const WALK_MS = 400_000

/** What says nothing about assets, and may therefore grow: words of the organisation, people, and shared catalogues. */
const aboutNoAssets = new Set(
  `/flows /flows/:id/export /contracts /contracts/:id /entitlements /entitlements/:id /custom-fields /groups /groups/:id apiKeys assetGroups checks /checks.csv cloudProviders complianceExceptions conditionFields contract contracts customFields enrolmentTokens entitlement entitlements flow flowVersions flows invitations
  noticeRules partners /partners.csv permissions place places reportTableFields role roles savedViews users`.split(
    /\s+/,
  ),
)

let ctx: Ctx
let condition: string
let key: Caller
let person: Ask
let whole: Ask
const within = new Map<Noun, string>()
const beyond = new Map<Noun, string>()
const restWithin = new Map<string, string>()
const restBeyond = new Map<string, string>()
/** Ids and names of assets beyond the condition, and ids of things that are about them. */
let secrets: string[]
const answers = {
  rest: new Map<string, unknown>(),
  graphql: new Map<string, unknown>(),
  files: new Map<string, unknown>(),
  live: new Map<string, unknown>(),
}

const queriesOf = Object.keys(operations).filter((name) => operations[name]?.kind === 'query')
const mutations = Object.keys(operations).filter((name) => operations[name]?.kind === 'mutation')
const routes = features.flatMap(({ rest }) => rest ?? []).filter(({ method }) => method === 'GET')
const writes = features.flatMap(({ rest }) => rest ?? []).filter(({ method }) => method !== 'GET')
const files = features.flatMap((it) => it.files ?? []).filter(({ method }) => method === 'GET')
const topics = features.flatMap(({ live }) => live ?? [])

beforeAll(async () => {
  ctx = await shared().newTenant()
  await makeAll(within, restWithin)
  const mine = await assetIds()
  condition = `id in (${mine.join(', ')})`
  const { secret } = await createKey(ctx, { name: 'limited', scopes: ['read', 'write'], where: condition })
  key = shared().as(secret)
  person = asker(shared().as(), headersOf(ctx, 'all', condition))
  whole = asker(shared().as(), headersOf(ctx))
  await walk(answers)
  await makeAll(beyond, restBeyond)
  secrets = await textsBeyond(ctx, mine)
}, WALK_MS)

async function makeAll(things: Map<Noun, string>, rest: Map<string, string>): Promise<void> {
  for (const noun of nouns) things.set(noun, await graphqlRecordFactories[noun](shared(), ctx))
  for (const [noun, make] of Object.entries(restRecordFactories)) rest.set(noun, await make(ctx))
  await exceptEachAsset(ctx)
  await evaluateNow(ctx)
}

const assetIds = async (): Promise<string[]> =>
  (await ctx.db.all(sql<{ id: string }>`select id from assets where tenant_id = ${ctx.tenantId}`)).map(
    ({ id }) => id,
  )

async function walk({ rest, graphql, files: ofFiles, live }: typeof answers): Promise<void> {
  for (const { path } of routes) {
    const { status, body, text, headers } = await key.send('GET', `/api/v1${pathOf(path, restWithin)}`)
    rest.set(path, {
      status,
      text: body === undefined ? text : withoutClock(body),
      total: headers['x-total-count'],
    })
  }
  for (const name of queriesOf)
    graphql.set(name, withoutClock(await person(textOf(name, (it) => within.get(it) ?? ''))))
  for (const { path } of files) {
    const query = path === '/report' ? `?id=${within.get('report')}` : ''
    const { status, body, text } = await shared()
      .as()
      .send('GET', inTenant(`/files${path}${query}`), { headers: headersOf(ctx, 'all', condition) })
    ofFiles.set(path, { status, text: body === undefined ? text : withoutClock(body) })
  }
  const limited = ctx.conditions.limit(ctx, condition)
  for (const { event, read } of topics)
    live.set(event, withoutClock(await read(limited).catch((error: unknown) => (error as Error).message)))
}

const pathOf = (path: string, ids: ReadonlyMap<string, string>): string =>
  path.replaceAll(/([\w-]+)\/:\w+/g, (_, noun: string) => `${noun}/${ids.get(noun)}`) +
  (queries[`GET ${path}`] ?? '')

/** Where readers of changes go on is a number of the whole tenant; seconds pass. */
const withoutClock = (answer: unknown): string =>
  JSON.stringify(answer, (name, value: unknown) =>
    /^(next|position|age\w*|checkedAt|judgedAt|now|timestamp|last_updated)$/i.test(name) ? 0 : value,
  )

test('the data are such that more of it shows to who is not limited', async () => {
  const all = await whole<{ assets: { total: number } }>('{ assets(first: 1) { total } }')
  const some = await person<{ assets: { total: number } }>('{ assets(first: 1) { total } }')
  expect(secrets.length).toBeGreaterThan(20)
  expect(all.data?.assets.total).toBeGreaterThan(some.data?.assets.total ?? 0)
  expect(some.data?.assets.total).toBeGreaterThan(5)
})

test(
  'no answer tells of what is beyond the condition, in no list and no count',
  async () => {
    const after: typeof answers = { rest: new Map(), graphql: new Map(), files: new Map(), live: new Map() }
    await walk(after)
    const all = Object.values(after).flatMap((it) => [...it.values()])
    for (const text of all.map((it) => JSON.stringify(it)))
      expect(secrets.filter((secret) => text.includes(secret))).toEqual([])
    const compared = (given: ReadonlyMap<string, unknown>) =>
      Object.fromEntries([...given].filter(([name]) => !aboutNoAssets.has(name)))
    expect(compared(after.rest)).toEqual(compared(answers.rest))
    expect(compared(after.graphql)).toEqual(compared(answers.graphql))
    expect(compared(after.files)).toEqual(compared(answers.files))
    expect(compared(after.live)).toEqual(compared(answers.live))
    // of what may grow each entry stays as it was, with its counts
    const gone = (was: ReadonlyMap<string, unknown>, is: ReadonlyMap<string, unknown>) =>
      [...aboutNoAssets].flatMap((name) => {
        const left = new Set(thingsIn(is.get(name)))
        return thingsIn(was.get(name)).filter((it) => !left.has(it))
      })
    expect(gone(answers.rest, after.rest)).toEqual([])
    expect(gone(answers.graphql, after.graphql)).toEqual([])
  },
  WALK_MS,
)

test('what concerns the assets within the condition is answered', () => {
  const answered = [...answers.graphql]
    .filter(([, it]) => !String(it).includes('"errors"'))
    .map(([name]) => name)
  expect(answered).toEqual(
    expect.arrayContaining(
      `asset assets assetTags changes changeCounts conditionCount customFields facets finding findings findingGroups
      findingsOverview overview places possibleDuplicates records risk savedViews software sources topologyLinks users
      cloudResources complianceCheck complianceCheckAssets complianceControlAssets complianceExceptions complianceOfAsset`
        .split(/\s+/)
        .filter((name) => name in operations),
    ),
  )
  const open = [...answers.rest]
    .filter(([, it]) => (it as { status: number }).status === 200)
    .map(([path]) => path)
  expect(open).toEqual(
    expect.arrayContaining([
      '/assets',
      '/assets/search',
      '/assets/export',
      '/assets/:id',
      '/vulnerabilities',
      '/vulnerabilities/export',
      '/vulnerabilities/:id',
      '/cloud-resources',
      '/changes',
    ]),
  )
})

// contracts, entitlements and flows are the organisation's own words; of the uses only those of visible assets are listed
const wordsOfOrganisation = [
  '/contracts/:id',
  '/entitlements/:id',
  '/entitlements/:id/uses',
  '/flows/:id/export',
]
// the export of one asset is that of the whole list
const ofOneThing = routes.filter(
  ({ path }) => path.includes('/:') && path !== '/assets/:id/export' && !wordsOfOrganisation.includes(path),
)
test.each(ofOneThing)('GET $path of something beyond is refused', async ({ path }) => {
  const { status } = await key.send('GET', `/api/v1${pathOf(path, restBeyond)}`)
  expect([403, 404]).toContain(status)
})

test(
  'no mutation changes what is beyond the condition',
  async () => {
    const before = await stateBeyond()
    for (const name of mutations) {
      const answer = await person(textOf(name, (noun) => beyond.get(noun) ?? ''))
      const text = JSON.stringify(answer.data ?? {})
      expect([name, secrets.filter((secret) => text.includes(secret))]).toEqual([name, []])
    }
    expect(await stateBeyond()).toEqual(before)
  },
  WALK_MS,
)

test(
  'no write over REST changes what is beyond the condition',
  async () => {
    const before = await stateBeyond()
    for (const { method, path } of writes) {
      const body = bodies[`${method} ${path}`]?.((noun) => restBeyond.get(noun) ?? '') ?? {}
      const { text } = await key.send(method, `/api/v1${pathOf(path, restBeyond)}`, {
        body: JSON.stringify(body),
        headers: { 'content-type': 'application/json' },
      })
      expect([path, secrets.filter((secret) => text.includes(secret))]).toEqual([path, []])
    }
    expect(await stateBeyond()).toEqual(before)
  },
  WALK_MS,
)

/** Rows of all tables about things beyond the condition; those that say nothing about assets aside. */
async function stateBeyond(): Promise<unknown> {
  const ids = sql`(select id from assets where tenant_id = ${ctx.tenantId} and not (${sql.lit(condition)} like '%' || id::text || '%'))`
  const tables =
    `asset_observations asset_overrides asset_custom_values asset_records asset_weights findings`.split(/\s+/)
  const rows = await Promise.all(
    tables.map((table) =>
      ctx.db
        .all(sql`select t.* from ${sql.table(table)} t where t.tenant_id = ${ctx.tenantId} and t.asset_id in ${ids}
        order by t::text`),
    ),
  )
  const assets = await ctx.db.all(sql`
    select * from assets a where a.tenant_id = ${ctx.tenantId} and a.id in ${ids} order by a.id`)
  const ofPeople =
    `scans imports reports flows webhook_endpoints credentials bulk_changes roles api_keys partners finding_overrides memberships`.split(
      /\s+/,
    )
  const others = await Promise.all(
    ofPeople.map((table) =>
      ctx.db.one(sql`
        select ${table} as name, count(*) as n, md5(string_agg(t::text, ' ' order by t::text)) as hash from ${sql.table(table)} t
        where t.tenant_id = ${ctx.tenantId} and ${ofOthers.has(table) ? sql`t.limited_to is null` : sql`true`}`),
    ),
  )
  return { assets, rows, others }
}

/** Who is limited makes some of these, which are then within the condition. */
const ofOthers = new Set(['reports', 'bulk_changes'])

test('changes within the condition are made', async () => {
  const id = within.get('asset') ?? ''
  const { errors } = await person(
    `mutation { addAssetTags(assetIds: ["${id}"], tags: ["seen"]) { id tags } }`,
  )
  expect(errors).toBeUndefined()
  const other = beyond.get('asset') ?? ''
  const refused = await person(
    `mutation { addAssetTags(assetIds: ["${id}", "${other}"], tags: ["x"]) { id } }`,
  )
  expect(refused.errors?.[0]?.message).toBe('asset not found')
})

test('a condition that cannot be read any more shows nothing', async () => {
  const blind = asker(shared().as(), headersOf(ctx, 'all', 'colour = red'))
  expect((await blind('{ assets { total items { id } } }')).data).toEqual({ assets: { total: 0, items: [] } })
  const id = within.get('asset') ?? ''
  expect((await blind(`{ asset(id: "${id}") { id } }`)).errors?.[0]?.extensions.code).toBe('not_found')
})

test('a key says its condition, and a wrong one is refused where it is made', async () => {
  await expect(createKey(ctx, { name: 'x', scopes: ['read'], where: 'colour = red' })).rejects.toThrow(
    'where: ',
  )
})

test('the functions that read past a statement are known', () => {
  const texts = readdirSync(MIGRATIONS).map((name) => readFileSync(join(MIGRATIONS, name), 'utf8'))
  const found = [
    ...texts.join('\n').matchAll(/^create (?:or replace )?function (\w+)\([^;]*?security definer/gm),
  ]
  expect([...new Set(found.map(([, name = '']) => name))].toSorted()).toEqual([...readerFunctions].toSorted())
})
