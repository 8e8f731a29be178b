import { beforeEach, expect, test } from 'vitest'
import { assetsOf, csv, seen } from '#features/assets/observations.fixture.ts'
import { submit } from '#features/sources/sources.ts'
import type { Ctx } from '#platform/context.ts'
import { sharedTestApp } from '#test/support/app/test-app.ts'
import { asker, believed, headersOf, type Ask } from '#test/support/http/graphql-client.ts'
import { commands } from './cli.ts'

const home = sharedTestApp({ contextOf: believed })
let ctx: Ctx
let ask: Ask
let ids: readonly string[]
beforeEach(async () => {
  ctx = await home().newTenant()
  ask = asker(home().as(), headersOf(ctx))
  await submit(
    ctx,
    csv,
    ['app', 'db', 'web'].map((name) => seen(name, {}, { name })),
  )
  ids = (await assetsOf(ctx)).map(({ id }) => id)
})

async function data<T = Readonly<Record<string, unknown>>>(query: string): Promise<T> {
  const { data: found, errors } = await ask<T>(query)
  expect(errors).toBeUndefined()
  return found as T
}

test('relations are recorded, read, of one other alone too, and taken away', async () => {
  const [app = '', db = '', web = ''] = ids
  const { addAssetRelation } = await data<{ addAssetRelation: { id: string } }>(`mutation {
    addAssetRelation(fromId: "${app}", kind: depends_on, toId: "${db}", note: "since May") {
      id kind direction other otherId note
    }
  }`)
  expect(addAssetRelation).toMatchObject({
    kind: 'depends_on',
    direction: 'out',
    other: 'db',
    otherId: db,
    note: 'since May',
  })
  await data(`mutation { addAssetRelation(fromId: "${web}", kind: depends_on, toId: "${app}") { id } }`)
  const others = async (args = '') =>
    (
      await data<{ assetRelations: { other: string; direction: string }[] }>(
        `{ assetRelations(assetId: "${app}"${args}) { other direction } }`,
      )
    ).assetRelations
      .map((it) => `${it.direction} ${it.other}`)
      .toSorted()
  expect(await others()).toEqual(['in web', 'out db'])
  expect(await others(`, otherId: "${web}"`)).toEqual(['in web'])
  const { id } = addAssetRelation
  expect(await data(`mutation { removeAssetRelation(id: "${id}") }`)).toEqual({ removeAssetRelation: id })
  expect(await others()).toEqual(['in web'])
})

test('commands record relations, list and take them away, and find the tenant by the asset', async () => {
  const run = async (path: string, args: Record<string, string>, options: Record<string, string> = {}) => {
    const command = commands.find((it) => it.path === path)
    return { ...(await command?.run(ctx, { args, options })), tenantOf: command?.tenantOf }
  }
  const [app = '', db = ''] = ids
  expect((await run('asset relations', { id: app })).text).toBe('None is known.')
  const { json, text, tenantOf } = await run(
    'asset relate',
    { id: app, kind: 'depends-on', other: db },
    { note: 'n' },
  )
  const { id } = json as { readonly id: string }
  expect(text).toMatch(new RegExp(`^Recorded: ${id}  depends on  db  by `))
  expect((await run('asset relations', { id: db })).text).toMatch(
    new RegExp(`^${id}  <- depends on  app  by `),
  )
  const { system } = home().runtime
  expect(await tenantOf?.(system, { args: { id: app }, options: {} })).toBe(ctx.tenantId)
  expect((await run('asset unrelate', { relation: id })).text).toBe('Taken away.')
  expect((await run('asset relations', { id: app })).text).toBe('None is known.')
  expect((await run('topology derive', {})).text).toBe('0 links.')
})
