import { beforeEach, expect, test } from 'vitest'
import { completions, countWhere, facets } from '#features/conditions/conditions.ts'
import { submit } from '#features/sources/sources.ts'
import type { Ctx } from '#platform/context.ts'
import { sharedTestApp } from '#test/support/app/test-app.ts'
import { listAssets } from '../assets.ts'
import { csv, seen } from '../observations.fixture.ts'
import { createGroup, deleteGroup, listGroups, updateGroup } from './groups.ts'

const shared = sharedTestApp()
let ctx: Ctx
beforeEach(async () => {
  ctx = await shared().newTenant()
  await submit(ctx, csv, [
    seen('a', { serial: 'PF0AAA01' }, { name: 'srv-a', os: 'Debian 12' }),
    seen('b', { serial: 'PF0AAA02' }, { name: 'srv-b', os: 'Windows 11' }),
    seen('c', {}, { name: 'pc-c' }),
  ])
})

const names = async (where: string): Promise<string[]> =>
  (await listAssets(ctx, { limit: 50, offset: 0 }, { where })).items.map(({ name }) => name).toSorted()

test('members are whoever matches now; unknown is no member, so the rest is everyone else', async () => {
  await createGroup(ctx, { name: 'Linux Servers', condition: 'os:debian and name:srv' })
  expect(await names('group = "linux servers"')).toEqual(['srv-a'])
  expect(await names('group != "Linux Servers"')).toEqual(['pc-c', 'srv-b'])
  expect(await names('not group = "Linux Servers" and has serial')).toEqual(['srv-b'])
  await submit(ctx, csv, [seen('d', { serial: 'PF0AAA04' }, { name: 'srv-d', os: 'Debian 13' })])
  expect(await names('group in ("Linux servers")')).toEqual(['srv-a', 'srv-d'])
  expect(await countWhere(ctx, 'asset', 'group = "Linux Servers"')).toEqual({ matching: 2, unknown: 0 })
})

test('groups of groups; a condition that leads back to itself is refused', async () => {
  const servers = await createGroup(ctx, { name: 'Servers', condition: 'srv' })
  const windows = await createGroup(ctx, { name: 'Windows', condition: 'group = servers os:windows' })
  expect(await names('group = windows')).toEqual(['srv-b'])
  await expect(updateGroup(ctx, servers.id, { condition: 'group = windows' })).rejects.toThrow(
    /condition: .*asks about itself/,
  )
  await expect(createGroup(ctx, { name: 'Self', condition: 'not group = self' })).rejects.toThrow(
    /condition: .*asks about itself/,
  )
  await expect(deleteGroup(ctx, servers.id)).rejects.toThrow('the group Windows asks about it')
  await deleteGroup(ctx, windows.id)
  await deleteGroup(ctx, servers.id)
  expect(await listGroups(ctx)).toEqual([])
})

test('conditions go on finding a group by the name that it had', async () => {
  const { id } = await createGroup(ctx, { name: 'Old name', condition: 'srv' })
  await createGroup(ctx, { name: 'Uses it', condition: 'group = "old name"' })
  await updateGroup(ctx, id, { name: 'New name' })
  expect(await names('group = "uses it"')).toEqual(['srv-a', 'srv-b'])
  expect(await names('group = "NEW name"')).toEqual(['srv-a', 'srv-b'])
  await expect(createGroup(ctx, { name: 'old NAME', condition: 'srv' })).rejects.toThrow('there is a group')
})

test('many terms by way of groups are refused, not worked on', async () => {
  const twice = (name: string) => Array.from({ length: 50 }, () => `group = ${name}`).join(' or ')
  await createGroup(ctx, { name: 'g0', condition: 'srv' })
  await createGroup(ctx, { name: 'g1', condition: twice('g0') })
  await expect(createGroup(ctx, { name: 'g2', condition: twice('g1') })).rejects.toThrow('at most 500 terms')
})

test.each([
  ['group = nothing', 'there is no group "nothing"'],
  ['has group', 'group takes = != or "in"'],
  ['group : x', 'group takes = !=, not :'],
  ['group =', 'expected the name of a group'],
])('%s is refused', async (where, message) => {
  await expect(names(where)).rejects.toThrow(message)
})

test('completion offers the names; values of it are not counted', async () => {
  await createGroup(ctx, { name: 'Linux Servers', condition: 'srv' })
  const { suggestions } = await completions(ctx, 'asset', { text: 'group = ', cursor: 8 })
  expect(suggestions.map(({ text }) => text)).toEqual(['"Linux Servers"'])
  await expect(facets(ctx, { subject: 'asset', where: '', fields: ['group'], first: 5 })).rejects.toThrow(
    'cannot be counted',
  )
})

test('findings are asked about groups of their assets', async () => {
  await createGroup(ctx, { name: 'Linux Servers', condition: 'os:debian and srv' })
  expect(await countWhere(ctx, 'finding', 'asset.group = "linux servers"')).toEqual({
    matching: 0,
    unknown: 0,
  })
})

test('another tenant has none of them', async () => {
  await createGroup(ctx, { name: 'Linux Servers', condition: 'srv' })
  const other = await shared().newTenant()
  expect(await listGroups(other)).toEqual([])
  await expect(countWhere(other, 'asset', 'group = "linux servers"')).rejects.toThrow('there is no group')
})
