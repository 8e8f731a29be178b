import { beforeAll, expect, test } from 'vitest'
import { csv, seen } from '#features/assets/observations.fixture.ts'
import { submit } from '#features/sources/sources.ts'
import type { Ctx } from '#platform/context.ts'
import { sharedTestApp } from '#test/support/app/test-app.ts'
import { asker, believed, headersOf, type Ask } from '#test/support/http/graphql-client.ts'

const home = sharedTestApp({ contextOf: believed })
let ctx: Ctx
let ask: Ask
beforeAll(async () => {
  ctx = await home().newTenant()
  ask = asker(home().as(), headersOf(ctx))
  const assets = Array.from({ length: 21 }, (_, at) => seen(`${at}`, {}, { name: `n-${at}`, os: `os ${at}` }))
  await submit(ctx, csv, [
    ...assets,
    seen('twice', {}, { name: 'twice', os: 'os 7' }),
    seen('silent', {}, { name: 'silent' }),
  ])
})

async function data<T = Readonly<Record<string, unknown>>>(query: string): Promise<T> {
  const { data: found, errors } = await ask<T>(query)
  expect(errors).toBeUndefined()
  return found as T
}

test('it is told what conditions may ask about', async () => {
  const field = 'name aliases type isList unit sentence source comparisons values'
  const { conditionFields } = await data<{
    conditionFields: { fields: { name: string }[]; collections: { name: string; fields: unknown[] }[] }
  }>(`{ conditionFields { fields { ${field} } collections { name sentence usual fields { ${field} } } } }`)
  expect(conditionFields.fields).toContainEqual(
    expect.objectContaining({
      name: 'os',
      type: 'text',
      isList: false,
      comparisons: expect.arrayContaining(['=']),
    }),
  )
  const software = conditionFields.collections.find(({ name }) => name === 'software')
  expect(software?.fields).toContainEqual(expect.objectContaining({ name: 'version', type: 'version' }))
})

test('what may stand at the cursor, which is at the end unless it is said', async () => {
  const completed = async (args: string) => {
    const { conditionCompletions } = await data<{
      conditionCompletions: {
        from: number
        to: number
        suggestions: { kind: string; text: string; detail: string }[]
      }
    }>(`{ conditionCompletions(${args}) { from to suggestions { kind text detail } } }`)
    return conditionCompletions
  }
  const atEnd = await completed('text: "os = debian and na"')
  expect(atEnd).toMatchObject({ from: 16, to: 18 })
  expect(atEnd.suggestions.map(({ text }) => text)).toContain('name')
  expect(await completed('text: "os = debian and na", cursor: 1')).toMatchObject({ from: 0, to: 1 })
  const values = await completed('text: "os = \\"os 7"')
  expect(values.suggestions).toContainEqual(expect.objectContaining({ detail: expect.stringContaining('2') }))
})

test('matches are counted, and the values of fields', async () => {
  expect(await data('{ conditionCount(where: "os = \\"os 7\\"") { matching unknown } }')).toEqual({
    conditionCount: { matching: 2, unknown: 1 },
  })
  const { facets } = await data<{ facets: { field: string; values: unknown[]; without: number }[] }>(
    '{ facets(fields: ["os"]) { field values { value count } without } }',
  )
  expect(facets).toMatchObject([{ field: 'os', without: 1 }])
  expect(facets[0]?.values).toHaveLength(20)
  expect(facets[0]?.values[0]).toEqual({ value: 'os 7', count: 2 })
  expect(
    await data(
      '{ facets(fields: ["os"], where: "name = n-3", first: 1) { values { value count } without } }',
    ),
  ).toEqual({
    facets: [{ values: [{ value: 'os 3', count: 1 }], without: 0 }],
  })
})
