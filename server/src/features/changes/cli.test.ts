import { beforeAll, expect, test } from 'vitest'
import { assetsOf, csv, seen } from '#features/assets/observations.fixture.ts'
import { submit } from '#features/sources/sources.ts'
import type { CommandInput } from '#platform/cli/command.ts'
import { atomically, type Ctx } from '#platform/context.ts'
import { sharedTestApp } from '#test/support/app/test-app.ts'
import { addChanges } from './changes.ts'
import { commands } from './cli.ts'

const home = sharedTestApp()
let ctx: Ctx
beforeAll(async () => {
  ctx = await home().newTenant()
  const old = { ...ctx, now: () => new Date(Date.now() - 3 * 86_400_000) }
  await submit(old, csv, [seen('1', { hostname: 'web-1' }, { os: 'Debian 11' })])
  await submit(ctx, csv, [seen('1', { hostname: 'web-1' }, { os: 'Debian 12', tags: ['a'], minute: 1 })])
  // the changes are written by the clock of the database
  await atomically(ctx, async (inner) =>
    addChanges(inner, [{ kind: 'field_changed', subject: 'ports', before: 22, after: null }]),
  )
})

const run = (options: CommandInput['options'] = {}) => {
  const [command] = commands
  if (!command) throw new Error('no command')
  return command.run(ctx, { args: {}, options })
}
const linesFor = async (options?: CommandInput['options']) =>
  (await run(options)).text.split('\n').map((line) => line.replace(/^\S+Z? {2}/, ''))

test('changes are lines with what was before and after, and who did it', async () => {
  const by = (await run()).text.split('  ').at(-1) ?? ''
  expect(by).not.toBe('')
  expect(await linesFor()).toEqual([
    `asset_appeared      web-1  ${by}`,
    `source_connected    list  - → csv  ${by}`,
    `field_changed       web-1  os  Debian 11 → Debian 12  ${by}`,
    `field_changed       web-1  tag  [] → ["a"]  ${by}`,
    `field_changed       ports  22 → -  ${by}`,
  ])
})

test('one page says how many more there are, and where they begin', async () => {
  const first = await run({ limit: '2' })
  expect(first.text.split('\n').at(-1)).toBe('3 more: --after 2')
  expect(first.json).toMatchObject({ total: 5, next: 2, changes: [{}, {}] })
  const rest = await run({ limit: '3', after: '2' })
  expect(rest.json).toMatchObject({ total: 3, changes: [{}, {}, {}] })
  expect(rest.text).not.toContain('more:')
  expect((await run({ limit: '1000' })).json).toMatchObject({ total: 5 })
})

test('options choose among the changes', async () => {
  const [asset] = await assetsOf(ctx)
  const counts = [
    [{ kind: 'field_changed' }, 3],
    [{ kind: 'field_changed\nasset_appeared' }, 4],
    [{ asset: asset?.id }, 3],
    [{ where: 'os:debian' }, 3],
    [{ by: 'nobody@example.org' }, 0],
    [{ until: '2020-01-01' }, 0],
    [{ since: '2999-01-01T00:00:00Z' }, 0],
  ] as const
  for (const [options, total] of counts)
    expect([options, (await run(options)).json]).toMatchObject([options, { total }])
  expect((await run({ by: 'nobody@example.org' })).text).toBe('Nothing.')
})

test('without --since they are of the last day, and behind a position however old', async () => {
  await atomically(ctx, async (inner) => addChanges(inner, [{ kind: 'asset_appeared', assetName: 'old' }]))
  const { json } = await run()
  const { total } = json as { readonly total: number }
  const later = { ...ctx, now: () => new Date(Date.now() + 2 * 86_400_000) }
  const [command] = commands
  const dayLater = (options: CommandInput['options']) => command?.run(later, { args: {}, options })
  expect(await dayLater({})).toMatchObject({ json: { total: 0 } })
  expect(await dayLater({ after: '0' })).toMatchObject({ json: { total } })
  expect(await dayLater({ since: '-3d' })).toMatchObject({ json: { total } })
})

test('a hundred are listed unless more are asked for, or as few as one', async () => {
  await atomically(ctx, async (inner) =>
    addChanges(
      inner,
      Array.from({ length: 101 }, () => ({ kind: 'asset_appeared', assetName: 'one of many' })),
    ),
  )
  for (const [limit, count] of [
    [undefined, 100],
    ['101', 101],
    ['1', 1],
  ] as const)
    expect((await run({ limit, kind: 'asset_appeared' })).json).toHaveProperty('changes.length', count)
})

test.each(['0', '1001', '1.5', 'x', '-1'])('a limit of %s is refused', async (limit) => {
  await expect(run({ limit })).rejects.toThrow('limit: must be a whole number from 1 to 1000')
})
