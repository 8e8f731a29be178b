import { expect, test } from 'vitest'
import { submit } from '#features/sources/sources.ts'
import type { CommandInput, CommandResult } from '#platform/cli/command.ts'
import type { Ctx } from '#platform/context.ts'
import { testApp } from '#test/support/app/test-app.ts'
import { commands } from './cli.ts'
import { assetsOf, csv, later, observationIds, seen, sweep } from './observations.fixture.ts'

async function run(ctx: Ctx, path: string, args: Record<string, string>): Promise<CommandResult> {
  const command = commands.find((each) => each.path === path)
  const input: CommandInput = { args, options: { reason: 'so it is' } }
  return command?.run(ctx, input) ?? Promise.reject(new Error(`no command ${path}`))
}

test('two assets are merged, explained and separated again', async () => {
  const ctx = await (await testApp()).newTenant()
  await submit(ctx, csv, [seen('1', { serial: 'PF0ABC12' }, { name: 'one', os: 'Debian' })])
  await submit(later(ctx), sweep, [seen('2', { serial: 'PF0XYZ99' }, { name: 'two', os: 'Linux' })])
  const [a = '', b = ''] = (await assetsOf(ctx)).map(({ id }) => id)
  expect(await run(ctx, 'asset merge', { a, b })).toEqual({
    json: { id: a, name: 'two' },
    text: `Both are two (${a}) now.`,
  })
  const { json, text } = await run(ctx, 'asset explain', { id: a })
  expect(json).toMatchObject({
    asset: { id: a },
    observations: [{}, {}],
    links: [{ because: 'person', score: 1 }],
  })
  for (const part of [
    'serial PF0ABC12',
    'csv list 1',
    'is the same as',
    '(so it is)',
    'os: Linux (sweep office), not Debian',
  ]) {
    expect(text).toContain(part)
  }
  const observation = (await observationIds(ctx))['2'] ?? ''
  expect(await run(ctx, 'asset unlink', { id: a, observations: observation })).toEqual({
    json: { asset_id: a, new_assets: [{ id: b, name: 'two' }] },
    text: `Now two (${b}).`,
  })
  await expect(run(ctx, 'asset explain', { id: 'x' })).rejects.toMatchObject({ status: 404 })
})

test('a device type is corrected and the correction taken back', async () => {
  const ctx = await (await testApp()).newTenant()
  await submit(ctx, sweep, [seen('1', { mac: '00:40:8c:12:34:56' }, { name: 'door' })])
  const [{ id } = { id: '' }] = await assetsOf(ctx)
  const which = { id, attribute: 'deviceType' }
  expect(await run(ctx, 'asset set', { ...which, value: 'sensor' })).toEqual({
    json: { id, deviceType: 'sensor' },
    text: 'door: deviceType is sensor now.',
  })
  const { text } = await run(ctx, 'asset explain', { id })
  expect(text).toContain('deviceType: sensor (manual), not camera (recognition)')
  expect(text).toContain('mac_oui: camera Axis')
  expect(await run(ctx, 'asset clear', which)).toMatchObject({ json: { id, deviceType: 'camera' } })
  const wrong = run(ctx, 'asset set', { id, attribute: 'colour', value: 'red' })
  await expect(wrong).rejects.toMatchObject({ status: 400 })
})
