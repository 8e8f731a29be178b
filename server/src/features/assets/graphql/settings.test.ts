import { beforeEach, expect, test } from 'vitest'
import { submit } from '#features/sources/sources.ts'
import type { Ctx } from '#platform/context.ts'
import { sharedTestApp } from '#test/support/app/test-app.ts'
import { asker, believed, headersOf, type Ask } from '#test/support/http/graphql-client.ts'
import { live } from '../live.ts'
import { assetsOf, csv, seen, sweep } from '../observations.fixture.ts'

const home = sharedTestApp({ contextOf: believed })
let ctx: Ctx
let ask: Ask
beforeEach(async () => {
  ctx = await home().newTenant()
  ask = asker(home().as(), headersOf(ctx))
})

/** Data alone, or the test fails with what was refused. */
async function data<T = Readonly<Record<string, unknown>>>(query: string): Promise<T> {
  const { data: found, errors } = await ask<T>(query)
  expect(errors).toBeUndefined()
  return found as T
}

test('of a group what is not given stays, and its uses are told', async () => {
  const FIELDS = 'id name description condition'
  const { createAssetGroup: made } = await data<{ createAssetGroup: { id: string } }>(
    `mutation { createAssetGroup(name: "Web", condition: "name:web", description: "in front") { ${FIELDS} } }`,
  )
  let now = { ...made, name: 'Web', condition: 'name:web', description: 'in front' }
  expect(made).toEqual(now)
  for (const [name, text] of [
    ['name', 'Front'],
    ['condition', 'name:w'],
    ['description', ''],
  ] as const) {
    now = { ...now, [name]: text }
    const change = `mutation { updateAssetGroup(id: "${made.id}", ${name}: "${text}") { ${FIELDS} } }`
    expect(await data(change)).toEqual({ updateAssetGroup: now })
  }
  const nothing = `mutation { updateAssetGroup(id: "${made.id}", name: null, condition: null, description: null) { ${FIELDS} } }`
  expect(await data(nothing)).toEqual({ updateAssetGroup: now })
  await data('mutation { createAssetGroup(name: "All", condition: "group = Front or name:db") { id } }')
  expect(await data('{ assetGroups { name } assetGroupUses { groupId kind name } }')).toEqual({
    assetGroups: [{ name: 'All' }, { name: 'Front' }],
    assetGroupUses: [{ groupId: made.id, kind: 'group', name: 'All' }],
  })
  const remove = `mutation { deleteAssetGroup(id: "${made.id}") }`
  expect((await ask(remove)).errors).toBeDefined()
})

test('archive rules are tried, set and read', async () => {
  await submit(ctx, sweep, [
    seen('1', { hostname: 'old' }, { seenAt: new Date(Date.now() - 40 * 86_400_000) }),
    seen('2', { hostname: 'new' }, { seenAt: new Date() }),
  ])
  const rules = '[{ sourceKind: "sweep", days: 30 }]'
  expect(await data(`{ previewArchiveRules(rules: ${rules}) }`)).toEqual({ previewArchiveRules: 1 })
  expect(await data('{ archiveRules { sourceKind days } }')).toEqual({ archiveRules: [] })
  const set = await data(`mutation { setArchiveRules(rules: ${rules}) { sourceKind days } }`)
  expect(set).toEqual({ setArchiveRules: [{ sourceKind: 'sweep', days: 30 }] })
  expect(await data('{ archiveRules { sourceKind days } }')).toEqual({
    archiveRules: [{ sourceKind: 'sweep', days: 30 }],
  })
})

test('phones are merged by their name, which is remembered until it is forgotten', async () => {
  for (const n of [1, 2])
    await submit(ctx, sweep, [
      seen(
        `${n}`,
        { mac: `da:a1:1a:00:00:0${n}`, hostname: 'jans-phone', ip: `10.0.0.${n}` },
        { minute: n * 10_080 },
      ),
    ])
  const [a, b] = (await assetsOf(ctx)).map(({ id }) => id)
  const merge = `mutation { mergeAssetsByName(assetIdA: "${a}", assetIdB: "${b}") { id name } }`
  expect(await data(merge)).toMatchObject({ mergeAssetsByName: { name: 'jans-phone' } })
  const { rememberedNames } = await data<{ rememberedNames: { id: string }[] }>(
    '{ rememberedNames { id name scope reason by at } }',
  )
  expect(rememberedNames).toMatchObject([{ name: 'jans-phone', reason: 'manual' }])
  const id = rememberedNames[0]?.id
  expect(await data(`mutation { forgetName(id: "${id}") }`)).toEqual({ forgetName: id })
  expect(await assetsOf(ctx)).toHaveLength(2)
})

test('how an asset was recognised is told with each signal', async () => {
  await submit(ctx, sweep, [seen('1', { mac: '00:40:8c:12:34:56' }, { name: 'door' })])
  const [asset] = await assetsOf(ctx)
  const found = 'deviceType vendor model confidence source'
  const { asset: told } = await data(`{ asset(id: "${asset?.id}") {
    recognition {
      deviceType vendor model confidence decidedBy recognised { ${found} } matches { ${found} } signals { name value } doubts tellMore
    }
  } }`)
  expect(told).toMatchObject({
    recognition: {
      deviceType: 'camera',
      vendor: 'Axis Communications AB',
      decidedBy: 'signals',
      recognised: { deviceType: 'camera', vendor: 'Axis Communications AB' },
      matches: [{ deviceType: 'camera', vendor: 'Axis Communications AB', source: 'mac_oui' }],
      signals: [{ value: expect.any(String) }],
    },
  })
})

test('live pages are told the total and the newest ten', async () => {
  await submit(
    ctx,
    csv,
    Array.from({ length: 11 }, (_, at) => seen(`${at}`, {}, { name: `n-${at}`, minute: at })),
  )
  const [topic] = live
  const told = (await topic?.read(ctx)) as { readonly total: number; readonly newest: readonly object[] }
  expect(told.total).toBe(11)
  expect(told.newest).toHaveLength(10)
  expect(Object.keys(told.newest[0] ?? {})).toEqual(['id', 'name', 'assetType'])
  expect(topic?.topicOf(ctx.tenantId)).not.toBe(topic?.topicOf('another'))
})
