import { beforeAll, expect, test } from 'vitest'
import { seen, sweep } from '#features/assets/observations.fixture.ts'
import type { CommandInput } from '#platform/cli/command.ts'
import type { Ctx } from '#platform/context.ts'
import { sharedTestApp } from '#test/support/app/test-app.ts'
import { commands } from './cli.ts'
import { compareWithSource } from './comparison.ts'
import { submit } from './sources.ts'

const home = sharedTestApp()
let ctx: Ctx
const glpi = { kind: 'glpi', name: 'main' }

/** Twelve that GLPI alone knows, one that both know and eleven that GLPI misses. */
beforeAll(async () => {
  ctx = await home().newTenant()
  const machines = (word: string, count: number) =>
    Array.from({ length: count }, (_, at) =>
      seen(`${word} ${at}`, { serial: `SN-${word}-${at}` }, { name: `${word}-${at}`, assetType: 'device' }),
    )
  const shared = (os: string) =>
    seen('both', { serial: 'PF0ABC99' }, { name: 'both', os, assetType: 'device' })
  await submit(ctx, glpi, [...machines('there', 12), shared('Debian 11')])
  await submit(ctx, sweep, [...machines('here', 11), shared('Fedora 40')])
})

const compare = (options: CommandInput['options'] = {}, kind = 'glpi') => {
  const command = commands.find(({ path }) => path === 'source compare')
  if (!command) throw new Error('no command')
  return command.run(ctx, { args: { kind }, options })
}

test('a comparison counts what each side misses, and names the first ten', async () => {
  const lines = (await compare()).text.split('\n')
  expect(lines.filter((it) => !it.startsWith('  ') || it.includes('more'))).toEqual([
    '1 known to both, 1 of them with values that differ',
    '12 known to this source alone',
    '  and 2 more; --csv lists them',
    '11 of the same types that it misses',
    '  and 1 more; --csv lists them',
  ])
  expect(lines[1]).toBe('  both: os Debian 11 there, Fedora 40 here')
  expect(lines.filter((it) => /^ {2}(there|here)-\d+$/.test(it))).toHaveLength(20)
})

test('as CSV it has a line for each of them', async () => {
  const { text, json } = await compare({ csv: true, name: 'main' })
  const [head, ...rows] = text.split(/\r?\n/).map((line) => line.split(','))
  expect(head).toEqual(['found', 'id', 'name', 'attribute', 'there', 'here'])
  const found = (word: string) => rows.filter(([first]) => first === word)
  expect([found('only there').length, found('only here').length]).toEqual([12, 11])
  expect(found('different').map((row) => row.slice(2))).toEqual([['both', 'os', 'Debian 11', 'Fedora 40']])
  expect(json).toMatchObject({ shared: 1, onlyThere: { total: 12 }, onlyHere: { total: 11 } })
})

test('at most so many are listed as are asked for, and all are counted', async () => {
  const { onlyThere, onlyHere } = await compareWithSource(ctx, glpi, { listedMax: 3 })
  expect([onlyThere.total, onlyThere.assets.length]).toEqual([12, 3])
  expect([onlyHere.total, onlyHere.assets.length]).toEqual([11, 3])
  await expect(
    compareWithSource(ctx, glpi, { listedMax: 3, signal: AbortSignal.abort(new Error('enough')) }),
  ).rejects.toThrow('enough')
})

test('a source is named where there are several of its kind', async () => {
  await submit(ctx, { kind: 'csv', name: 'one' }, [seen('a', {}, { name: 'a' })])
  await submit(ctx, { kind: 'csv', name: 'two' }, [seen('b', {}, { name: 'b' })])
  await expect(compare({}, 'csv')).rejects.toThrow('name: is needed: there are "one", "two"')
  expect((await compare({ name: 'two' }, 'csv')).json).toMatchObject({ onlyThere: { total: 1 } })
  await expect(compare({}, 'netbox')).rejects.toMatchObject({ status: 404 })
  await expect(compare({ name: 'three' }, 'csv')).rejects.toMatchObject({ status: 404 })
})

test('an asset is added by hand with what is given of it', async () => {
  const command = commands.find(({ path }) => path === 'asset create')
  const create = (name: string, options: CommandInput['options'] = {}) =>
    command?.run(ctx, { args: { name }, options })
  const made = await create('Projector', {
    type: 'device',
    vendor: 'Epson',
    serial: 'X7K90001',
    tag: 'hall\nloan',
  })
  expect(made?.text).toMatch(/^Added Projector \(/)
  const again = await create('Projector', { serial: 'X7K90001' })
  expect(again?.text).toMatch(/^It was known already: Projector \(/)
  await expect(create('Ship', { type: 'ship' })).rejects.toMatchObject({ status: 400 })
})
