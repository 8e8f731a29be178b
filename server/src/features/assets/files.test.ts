import { beforeAll, expect, test } from 'vitest'
import { submit } from '#features/sources/sources.ts'
import { LENGTH_MAX } from '#platform/conditions/parse.ts'
import type { Ctx } from '#platform/context.ts'
import { sharedTestApp } from '#test/support/app/test-app.ts'
import { files } from './files.ts'
import { csv, seen } from './observations.fixture.ts'

const home = sharedTestApp()
let ctx: Ctx
beforeAll(async () => {
  ctx = await home().newTenant()
  await submit(ctx, csv, [
    seen('1', { hostname: 'web-1' }, { assetType: 'device', tags: ['lab'] }),
    seen('2', { hostname: 'web-2' }, { assetType: 'hypervisor' }),
  ])
})

type Query = Readonly<Record<string, string | readonly string[]>>
async function download(query: Query) {
  const [route] = files
  if (!route) throw new Error('no route')
  const reply = await route.handle(ctx, { query } as unknown as Parameters<typeof route.handle>[1])
  const [head, ...rows] = (reply as { file: { content: string } }).file.content.trimEnd().split(/\r?\n/)
  return { head, names: rows.map((row) => row.split(',')[1]) }
}

test.each<readonly [Query, readonly string[]]>([
  [{ sort: 'name', direction: 'desc' }, ['web-2', 'web-1']],
  [{ sort: 'name', direction: 'asc', where: '', search: '', tag: '' }, ['web-1', 'web-2']],
  [{ type: 'hypervisor' }, ['web-2']],
  [{ tag: 'lab' }, ['web-1']],
  [{ where: 'name = web-2' }, ['web-2']],
  [{ search: 'x'.repeat(1_024) }, []],
  // as long as a condition may be, which is more than another text may be
  [{ where: `name = web-1${' '.repeat(LENGTH_MAX - 12)}` }, ['web-1']],
])('%j is exported', async (query, names) => {
  expect(await download({ columns: 'name', ...query })).toEqual({ head: 'id,name', names })
})

test('columns come in the order in which they are given, behind the id', async () => {
  expect((await download({ columns: 'assetType,name' })).head).toBe('id,assetType,name')
  expect((await download({})).head).toMatch(/^id,name,/)
})

test.each<readonly [Query, string]>([
  [{ colour: 'red' }, 'colour: is not a known parameter'],
  [{ type: 'ship' }, 'type: is none of '],
  [{ direction: '' }, 'direction: is none of asc, desc'],
  [{ search: ['a', 'b'] }, 'search: must be given once, with at most 1024 characters'],
  [{ search: 'x'.repeat(1_025) }, 'search: must be given once'],
  [{ where: 'x'.repeat(LENGTH_MAX + 1) }, `where: must be given once, with at most ${LENGTH_MAX} characters`],
  [{ columns: ['id', 'name'] }, 'columns: must be given once'],
  [{ columns: 'colour' }, 'columns: names one that is none of '],
])('%j is refused', async (query, message) => {
  await expect(download(query)).rejects.toThrow(message)
})
