import { beforeEach, expect, test } from 'vitest'
import { defineCustomField } from '#features/assets/editing/custom-fields.ts'
import { customValuesOf } from '#features/assets/editing/custom-values.ts'
import { getAsset } from '#features/assets/assets.ts'
import { assetsOf, csv, seen } from '#features/assets/observations.fixture.ts'
import { recordsOf } from '#features/records/records.ts'
import { submit } from '#features/sources/sources.ts'
import { createFindings } from '#features/vulnerabilities/findings.fixture.ts'
import { listFindings } from '#features/vulnerabilities/vulnerabilities.ts'
import type { CommandInput } from '#platform/cli/command.ts'
import { dryRun, type Ctx } from '#platform/context.ts'
import { sharedTestApp } from '#test/support/app/test-app.ts'
import type { BulkChange } from './bulk-change.ts'
import { startBulkChange } from './bulk-changes.ts'
import { commands } from './cli.ts'

const home = sharedTestApp()
let ctx: Ctx
let ids: readonly string[]
beforeEach(async () => {
  ctx = await home().newTenant()
  await submit(
    ctx,
    csv,
    ['a', 'b', 'c'].map((name) => seen(name, { hostname: name, serial: `serial-${name}` })),
  )
  ids = (await assetsOf(ctx)).filter(({ keys }) => keys.some((it) => 'abc'.includes(it))).map(({ id }) => id)
})

const commandAt = (path: string) => {
  const command = commands.find((it) => it.path === path)
  if (!command) throw new Error(`no ${path}`)
  return command
}
const run = (
  path: string,
  args: CommandInput['args'] = {},
  options: CommandInput['options'] = {},
  of = ctx,
) => commandAt(path).run(of, { args, options })
const bulk = async (verb: string, options: CommandInput['options']) => {
  const { json, text } = await run('asset bulk', { verb }, { where: 'name:a or name:b', ...options })
  expect(text).toMatch(new RegExp(` {2}${verb} {2}completed {2}2 of 2, \\d changed$`))
  return json as BulkChange
}

test('assets are changed by each option, until that is undone', async () => {
  const [a = ''] = ids
  await bulk('add_tags', { tag: 'x\ny' })
  expect((await getAsset(ctx, a)).tags).toEqual(['x', 'y'])
  const weight = await bulk('set_weight', { criticality: 'critical', exposure: 'internet' })
  expect(weight.changed).toBe(2)
  await bulk('set_record', { set: 'owner=Ada\nnotes=a=b' })
  expect(await recordsOf(ctx, [a])).toMatchObject([{ values: { owner: 'Ada', notes: 'a=b' } }])
  const { id } = await bulk('archive', {})
  const undone = await run('bulk undo', { id })
  expect(undone.text).toMatch(/ {2}undoing archive {2}completed {2}2 of 2, 2 changed$/)
  expect((await getAsset(ctx, a)).archivedAt).toBeNull()
  const { text, json } = await run('bulk list')
  const verbs = (json as BulkChange[]).map(({ verb }) => verb)
  expect(verbs).toEqual(['archive', 'archive', 'set_record', 'set_weight', 'add_tags'])
  expect(text.split('\n')).toHaveLength(5)
  expect((await run('bulk show', { id })).json).toMatchObject({ id, verb: 'archive', undoOf: null })
})

test.each([
  ['number', '12', 12],
  ['boolean', 'yes', true],
  ['boolean', 'true', true],
  ['boolean', 'no', false],
  ['text', 'Berlin', 'Berlin'],
] as const)('a custom field of kind %s takes %s, and empty clears it', async (kind, value, expected) => {
  const [a = ''] = ids
  await defineCustomField(ctx, { name: 'Extra', kind, choices: null })
  await bulk('set_field', { field: 'Extra', value })
  expect((await customValuesOf(ctx, a)).map((it) => it.value)).toEqual([expected])
  await bulk('set_field', { field: 'Extra' })
  expect((await customValuesOf(ctx, a)).filter((it) => it.value !== null)).toEqual([])
})

test('assets named one by one are those, and no others; deleting asks for their number', async () => {
  const [a = '', b = '', c = ''] = ids
  await expect(
    run('asset bulk', { verb: 'delete' }, { id: `${a}\n${b}`, confirm: '3' }),
  ).rejects.toMatchObject({
    status: 400,
    message: expect.stringContaining('confirm'),
  })
  const { json } = await run('asset bulk', { verb: 'delete' }, { id: `${a}\n${b}`, confirm: '2' })
  expect(json).toMatchObject({ status: 'completed', total: 2, changed: 2 })
  expect((await assetsOf(ctx)).map(({ id }) => id)).not.toContain(a)
  expect((await getAsset(ctx, c)).id).toBe(c)
})

test('what is wrong is named', async () => {
  const wrong = [
    ['asset bulk', { verb: 'accept_risk' }, {}, 'verb: must be one of '],
    ['asset bulk', {}, {}, 'verb: must be one of '],
    [
      'asset bulk',
      { verb: 'set_record' },
      { where: 'name:a', set: 'owner' },
      'set: owner: must be like owner=Ada',
    ],
    [
      'asset bulk',
      { verb: 'set_field' },
      { where: 'name:a', field: 'None' },
      'field: there is no custom field None',
    ],
    ['findings bulk', { verb: 'archive' }, {}, 'verb: must be one of '],
  ] as const
  for (const [path, args, options, message] of wrong)
    await expect(run(path, args, options)).rejects.toThrow(message)
})

test('a change that is only tried is told of and not begun', async () => {
  const { json } = await dryRun(ctx, (inner) =>
    run('asset bulk', { verb: 'add_tags' }, { where: 'name:a', tag: 'x' }, inner),
  )
  expect(json).toMatchObject({ verb: 'add_tags', total: 1 })
  expect((await run('bulk list')).text).toBe('There are none.')
})

test('a change that was cancelled stays as far as it came', async () => {
  const { id } = await startBulkChange(ctx, { verb: 'archive', assetIds: ids })
  const { json, isBad } = await run('bulk cancel', { id })
  expect(json).toMatchObject({ id, status: 'cancelled', done: 0 })
  expect(isBad).toBeUndefined()
})

test('findings are decided about, by a condition or one by one', async () => {
  await createFindings(ctx, [{ score: 2 }, { cveId: 'CVE-2024-0002', score: 9 }])
  const { items } = await listFindings(ctx, { limit: 2, offset: 0 }, { where: 'severity = low' })
  const [{ id } = { id: '' }] = items
  const until = new Date(Date.now() + 86_400_000).toISOString()
  const some = await run(
    'findings bulk',
    { verb: 'accept_risk' },
    { where: 'severity = critical', reason: 'r', until },
  )
  expect(some.text).toMatch(/ {2}accept_risk {2}completed {2}1 of 1, 1 changed$/)
  const one = await run('findings bulk', { verb: 'mark_false_positive' }, { id, reason: 'r' })
  expect(one.json).toMatchObject({ status: 'completed', total: 1, values: { reason: 'r' } })
  const { json } = await dryRun(ctx, (inner) =>
    run('findings bulk', { verb: 'reopen' }, { where: 'severity = critical' }, inner),
  )
  expect(json).toMatchObject({ verb: 'reopen' })
  expect((await run('bulk list')).json).toHaveLength(2)
  const { system } = home().runtime
  const tenantOf = (path: string, of?: string) =>
    commandAt(path).tenantOf?.(system, { args: {}, options: of === undefined ? {} : { id: of } })
  expect(await tenantOf('findings bulk', id)).toBe(ctx.tenantId)
  expect(await tenantOf('findings bulk')).toBeUndefined()
  expect(await tenantOf('asset bulk', `${ids[0]}\n${ids[1]}`)).toBe(ctx.tenantId)
  expect(await tenantOf('asset bulk')).toBeUndefined()
})
