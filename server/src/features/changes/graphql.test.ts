import { beforeAll, expect, test } from 'vitest'
import { assetsOf, csv, seen } from '#features/assets/observations.fixture.ts'
import { submit } from '#features/sources/sources.ts'
import type { Ctx } from '#platform/context.ts'
import { sharedTestApp } from '#test/support/app/test-app.ts'
import { asker, believed, headersOf, type Ask } from '#test/support/http/graphql-client.ts'

const home = sharedTestApp({ contextOf: believed })
let ctx: Ctx
let ask: Ask
let id: string
beforeAll(async () => {
  ctx = await home().newTenant()
  ask = asker(home().as(), headersOf(ctx))
  await submit(ctx, csv, [
    seen('1', { hostname: 'web-1' }, { os: 'Debian' }),
    seen('2', { hostname: 'web-2' }),
  ])
  id = (await assetsOf(ctx)).find(({ name }) => name === 'web-1')?.id ?? ''
})

const ALL = `
  query ($mutation: String!, $with: JSON!) {
    wouldChange(mutation: $mutation, with: $with) {
      total isWhole counts { kind count } subjects { type id name becomesTrue becomesFalse }
    }
  }`
const tried = async (mutation: string, given: unknown, asking = ask) =>
  asking<{ wouldChange: unknown }>(ALL, { mutation, with: given })

test.each([
  ['archiveAsset', 'asset_archived', ['archived'], []],
  ['deleteAsset', 'asset_deleted', [], ['there']],
])('%s says what it would change, and changes nothing', async (mutation, kind, becomesTrue, becomesFalse) => {
  const { data, errors } = await tried(mutation, { id })
  expect(errors).toBeUndefined()
  expect(data?.wouldChange).toEqual({
    total: 1,
    isWhole: true,
    counts: [{ kind, count: 1 }],
    subjects: [{ type: 'asset', id, name: 'web-1', becomesTrue, becomesFalse }],
  })
  expect((await assetsOf(ctx)).map(({ name }) => name)).toEqual(['web-1', 'web-2'])
})

test('what cannot be tried is refused with the argument that is wrong', async () => {
  const refused = [
    ['noSuchMutation', {}, 'mutation'],
    ['toString', {}, 'mutation'],
    ['createGroup', {}, 'mutation'],
    ['archiveAsset', { id, colour: 'red' }, 'with'],
    ['archiveAsset', {}, 'with'],
    ['archiveAsset', { id: null }, 'with'],
    ['archiveAsset', { id: {} }, 'with'],
    ['archiveAsset', [id], 'with'],
    ['archiveAsset', 'id', 'with'],
  ] as const
  for (const [mutation, given, field] of refused) {
    const { errors } = await tried(mutation, given)
    expect([mutation, given, errors?.[0]?.extensions.field]).toEqual([mutation, given, field])
  }
  for (const given of [[id], 'id', 7]) {
    const [error] = (await tried('archiveAsset', given)).errors ?? []
    expect(error?.message).toBe('with: must be an object of arguments')
  }
  const [unknown] = (await tried('noSuchMutation', {})).errors ?? []
  expect(unknown?.message).toContain('archiveAsset')
  expect(unknown?.message).not.toContain('noSuchMutation')
  expect(unknown?.message).not.toContain('createGroup')
})

test('what the mutation refuses is refused as it does', async () => {
  const nobody = '00000000-0000-7000-8000-000000000000'
  expect((await tried('archiveAsset', { id: nobody })).errors?.[0]?.extensions.code).toBe('not_found')
  const reader = asker(home().as(), headersOf(ctx, ['assets:read']))
  expect((await tried('archiveAsset', { id }, reader)).errors?.[0]?.extensions.code).toBe('forbidden')
})

test('changes are read with the fields that the app shows of them', async () => {
  const { data, errors } = await ask(`{
    changes(first: 2) { total next items { kind assetId assetName subject before after relatedId changedBy } }
    oldest: changes(first: 1, oldestFirst: true, kinds: [asset_appeared]) { total next items { position kind } }
    changeCounts { kind count }
    changers { changedBy count }
    changedAssets(first: 1, where: "os:debian") {
      total items { assetId assetName assetType total counts { kind count } fields changedBy }
    }
  }`)
  expect(errors).toBeUndefined()
  const changedBy = expect.stringMatching(/./)
  expect(data).toEqual({
    changes: {
      total: 3,
      next: expect.any(Number),
      items: [
        expect.objectContaining({
          kind: 'source_connected',
          assetId: null,
          subject: 'list',
          before: null,
          changedBy,
        }),
        expect.objectContaining({ kind: 'asset_appeared', after: null, relatedId: null }),
      ],
    },
    oldest: { total: 2, next: 1, items: [{ position: 1, kind: 'asset_appeared' }] },
    changeCounts: expect.arrayContaining([
      { kind: 'asset_appeared', count: 2 },
      { kind: 'source_connected', count: 1 },
    ]),
    changers: [{ changedBy, count: 3 }],
    changedAssets: {
      total: 1,
      items: [
        {
          assetId: id,
          assetName: 'web-1',
          assetType: expect.any(String),
          total: 1,
          counts: [{ kind: 'asset_appeared', count: 1 }],
          fields: [],
          changedBy: [changedBy],
        },
      ],
    },
  })
})
