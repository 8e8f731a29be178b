import { beforeEach, expect, test } from 'vitest'
import { submit } from '#features/sources/sources.ts'
import type { CommandInput } from '#platform/cli/command.ts'
import type { Ctx } from '#platform/context.ts'
import { sharedTestApp } from '#test/support/app/test-app.ts'
import { commands } from '../cli.ts'
import { assetsOf, csv, seen, sweep } from '../observations.fixture.ts'
import { mergeByName } from '../remembered-names/remembered-names.ts'

const home = sharedTestApp()
let ctx: Ctx
beforeEach(async () => {
  ctx = await home().newTenant()
})

const run = async (path: string, args: CommandInput['args'] = {}, options: CommandInput['options'] = {}) => {
  const command = commands.find((it) => it.path === path)
  if (!command) throw new Error(`no ${path}`)
  return command.run(ctx, { args, options })
}
const text = async (...of: Parameters<typeof run>) => (await run(...of)).text
async function oneAsset(name = 'web-1'): Promise<string> {
  await submit(ctx, csv, [seen(name, { hostname: name })])
  return (await assetsOf(ctx)).find((it) => it.name === name)?.id ?? ''
}

test('groups are made, changed and deleted by their name', async () => {
  expect(await text('group list')).toBe('None.')
  const made = await run('group create', { name: 'Web', condition: 'name:web' }, { description: 'in front' })
  expect(made.text).toBe('Made Web  name:web  in front.')
  const { id } = made.json as { readonly id: string }
  expect(await text('group set', { name: 'Web' }, { name: 'Front' })).toBe('Now Front  name:web  in front.')
  expect(await text('group set', { name: 'Front' }, { where: 'name:w' })).toBe('Now Front  name:w  in front.')
  expect(await text('group set', { name: id }, { description: '' })).toBe('Now Front  name:w.')
  await run('group create', { name: 'Other', condition: 'name:o' })
  expect(await text('group list')).toMatch(
    /^(Front {2}name:w\nOther {2}name:o|Other {2}name:o\nFront {2}name:w)$/,
  )
  expect(await run('group delete', { name: 'Front' })).toEqual({ json: { id }, text: 'Deleted Front.' })
  expect(await text('group list')).toBe('Other  name:o')
  await expect(run('group delete', { name: 'Front' })).rejects.toMatchObject({ status: 404 })
})

test('custom fields are defined, changed, put in order and deleted by their key', async () => {
  expect(await text('custom-field list')).toBe('None.')
  expect(await text('custom-field create', { name: 'Cost centre' })).toBe(
    'Defined cost_centre  text  Cost centre.',
  )
  expect(await text('custom-field create', { name: 'Floor' }, { kind: 'number' })).toBe(
    'Defined floor  number  Floor.',
  )
  expect(await text('custom-field create', { name: 'Site' }, { choice: 'Bonn\nKiel' })).toBe(
    'Defined site  text  Site  Bonn | Kiel.',
  )
  const steps = [
    [{ key: 'site' }, { name: 'Town' }, 'Town  Bonn | Kiel'],
    [{ key: 'Town' }, { choice: 'Bonn\nKiel\nUlm' }, 'Town  Bonn | Kiel | Ulm'],
    [{ key: 'Town' }, { 'any-value': true }, 'Town'],
  ] as const
  for (const [args, options, said] of steps)
    expect(await text('custom-field set', args, options)).toMatch(
      new RegExp(`^Now \\w+  text  ${said.replaceAll('|', '\\|')}\\.$`),
    )
  const keysIn = (listed: string) => listed.split('\n').map((line) => line.split('  ')[2])
  expect(keysIn(await text('custom-field list'))).toEqual(['Cost centre', 'Floor', 'Town'])
  const { json } = await run('custom-field list')
  const [a, b, c] = json as { readonly key: string; readonly id: string }[]
  expect(keysIn(await text('custom-field order', { keys: `${c?.key}, ${a?.key}  ${b?.key}` }))).toEqual([
    'Town',
    'Cost centre',
    'Floor',
  ])
  await expect(run('custom-field order', { keys: `${a?.key} none` })).rejects.toMatchObject({ status: 404 })
  expect(await run('custom-field delete', { key: 'floor' })).toEqual({
    json: { id: b?.id },
    text: 'Deleted Floor.',
  })
  expect(keysIn(await text('custom-field list'))).toEqual(['Town', 'Cost centre'])
  await expect(run('custom-field delete', { key: 'floor' })).rejects.toMatchObject({ status: 404 })
})

test('a custom field of an asset takes what is of its kind, and is cleared', async () => {
  const id = await oneAsset()
  for (const kind of ['number', 'boolean', 'text'])
    await run('custom-field create', { name: `a ${kind}` }, { kind })
  expect(await text('asset field', { id })).toBe('None is set.')
  const taken = [
    ['a_number', '12.5', 12.5],
    ['a_boolean', 'yes', true],
    ['a_boolean', 'no', false],
    ['a_boolean', 'true', true],
    ['a_boolean', 'false', false],
    ['a_text', 'no', 'no'],
  ] as const
  for (const [key, value, stored] of taken) {
    const { json, text: said } = await run('asset field', { id, key, value })
    expect(json).toContainEqual({ key, name: key.replace('_', ' '), value: stored })
    expect(said.split('\n')).toContain(`${key}: ${stored}`)
  }
  for (const [key, value] of [
    ['a_number', ' '],
    ['a_number', 'x'],
    ['a_boolean', 'perhaps'],
    ['a_text', undefined],
  ] as const)
    await expect(
      run('asset field', { id, key, ...(value !== undefined && { value }) }),
    ).rejects.toMatchObject({
      status: 400,
    })
  expect(await text('asset field', { id, key: 'a_number' }, { clear: true })).not.toContain('a_number')
  await expect(run('asset field', { id, key: 'none', value: '1' })).rejects.toMatchObject({ status: 404 })
})

test('an asset is archived and revived', async () => {
  const id = await oneAsset()
  expect(await text('asset archive', { id })).toBe('web-1 is archived.')
  const { text: said, json } = await run('asset revive', { id })
  expect(said).toBe('web-1 is not archived.')
  expect(json).toEqual({ id, name: 'web-1', archived_at: null, archived_by: null })
})

test('archive rules are listed, replaced and removed', async () => {
  expect(await text('asset archive-rules')).toBe('There are no rules.')
  const lines = ['sweep: after 30 days without a sighting', 'other sources: after 90 days without a sighting']
  const set = await text('asset archive-rules', {}, { rule: 'sweep=30\n*=90' })
  expect(set.split('\n').toSorted()).toEqual(lines.toSorted())
  expect((await run('asset archive-rules')).text).toBe(set)
  for (const rule of ['sweep', 'sweep=', '=3', 'sweep=x', 'sweep=12345'])
    await expect(run('asset archive-rules', {}, { rule })).rejects.toThrow(
      `rule: ${rule}: must be like sweep=30`,
    )
  expect(await run('asset archive-rules', {}, { none: true })).toEqual({
    json: { rules: [] },
    text: 'There are no rules.',
  })
  expect(await text('asset archive-rules')).toBe('There are no rules.')
})

test('a remembered name is listed with why, and forgotten', async () => {
  expect(await text('asset name list')).toBe('Nothing.')
  for (const n of [1, 2])
    await submit(ctx, sweep, [
      seen(
        `${n}`,
        { mac: `da:a1:1a:00:00:0${n}`, hostname: 'jans-phone', ip: `10.0.0.${n}` },
        { minute: n * 10_080 },
      ),
    ])
  const [a = '', b = ''] = (await assetsOf(ctx)).map(({ id }) => id)
  await mergeByName(ctx, { assetIdA: a, assetIdB: b, reason: 'Jan says so' })
  const { text: listed, json } = await run('asset name list')
  const [{ id } = { id: '' }] = json as { readonly id: string }[]
  expect(listed).toMatch(new RegExp(`^${id}  jans-phone  .*Jan says so$`))
  expect(await run('asset name forget', { id })).toEqual({ json: { id }, text: 'Forgotten.' })
  expect(await text('asset name list')).toBe('Nothing.')
})

test('assets are listed by a condition, and how many more there are', async () => {
  for (const name of ['web-1', 'web-2', 'db-1']) await oneAsset(name)
  const all = await text('asset list')
  expect(all.split('\n')).toHaveLength(3)
  expect(all).not.toContain('more')
  const some = await run('asset list', {}, { where: 'name:web', limit: '1' })
  expect(some.json).toMatchObject({ total: 2 })
  expect(some.text).toMatch(/\n1 more/)
  expect(await text('asset list', {}, { where: 'name:nothing' })).toBe('Nothing.')
  for (const limit of ['0', '1.5', '1000000'])
    await expect(run('asset list', {}, { limit })).rejects.toThrow(/^limit: must be a whole number/)
})
