import { expect, test } from 'vitest'
import { listAssets } from '#features/assets/assets.ts'
import { csv, seen } from '#features/assets/observations.fixture.ts'
import { submit } from '#features/sources/sources.ts'
import type { CommandResult } from '#platform/cli/command.ts'
import type { Ctx } from '#platform/context.ts'
import { sharedTestApp } from '#test/support/app/test-app.ts'
import { commands } from '../cli.ts'

const home = sharedTestApp()

async function run<T = { id: string }>(
  ctx: Ctx,
  path: string,
  args: Readonly<Record<string, string>> = {},
  options: Readonly<Record<string, string>> = {},
) {
  const command = commands.find((it) => it.path === path)
  if (!command) throw new Error(`no command ${path}`)
  const result: CommandResult = await command.run(ctx, { args, options })
  return { ...result, json: result.json as T }
}

async function scene() {
  const ctx = await home().newTenant()
  await submit(ctx, csv, [seen('a', { serial: 'PF0AAA01', ip: '10.1.0.5' }, { name: 'a' })])
  const [asset] = (await listAssets(ctx, { limit: 1, offset: 0 })).items
  return { ctx, id: asset?.id ?? '' }
}

/** What each option sets, and what is then told. */
const values = {
  owner: ['owner', 'Facilities'],
  department: ['department', 'IT'],
  'cost-centre': ['costCentre', 'CC-1'],
  state: ['state', 'in_use'],
  purchased: ['purchasedOn', '2024-02-29'],
  price: ['price', '1299.00'],
  currency: ['currency', 'EUR'],
  supplier: ['supplier', 'Dell'],
  order: ['orderNumber', 'PO-7'],
  'warranty-ends': ['warrantyEnds', '2027-03-31'],
  'lease-ends': ['leaseEnds', '2027-04-30'],
  'replace-on': ['replaceOn', '2028-01-01'],
  'hardware-eol': ['hardwareEol', '2029-01-01'],
  approved: ['approved', 'yes'],
  'externally-scanned': ['externallyScannedOn', '2026-01-02'],
  notes: ['notes', 'below the desk'],
} as const

test('each option of a record sets its field, is told, and is cleared by its name', async () => {
  const { ctx, id } = await scene()
  expect((await run(ctx, 'asset record', { id })).text).toBe('Nothing is recorded.')
  const options = Object.fromEntries(Object.entries(values).map(([option, [, value]]) => [option, value]))
  const set = await run<Record<string, unknown>>(ctx, 'asset record', { id }, options)
  for (const [, [field, value]] of Object.entries(values)) expect(set.json[field]).toBe(value)
  expect(set.json).toMatchObject({ asset_id: id, place: null, ownerName: null })
  for (const [option, [, value]] of Object.entries(values))
    expect(set.text).toMatch(new RegExp(`^${option}: ${value} {2}\\(.+, \\S+Z\\)$`, 'm'))
  expect((await run(ctx, 'asset record', { id })).text).toBe(set.text)
  const cleared = await run<Record<string, unknown>>(ctx, 'asset record', { id }, { clear: 'owner\nnotes' })
  expect(cleared.json).toMatchObject({ owner: null, notes: null, supplier: 'Dell' })
  expect(cleared.text).not.toMatch(/^(owner|notes):/m)
  await expect(run(ctx, 'asset record', { id }, { clear: 'colour' })).rejects.toThrow(
    'clear: is none of owner, ',
  )
})

test('places are added, changed, told with their networks and for what these are, and deleted', async () => {
  const { ctx, id: assetId } = await scene()
  const site = await run(ctx, 'place create', { name: 'Oslo' }, { network: '10.1.0.0/16\n10.2.0.0/16' })
  const { id } = site.json
  expect(site.text).toBe(`Added ${id}  site  Oslo  10.1.0.0/16, 10.2.0.0/16.`)
  const room = await run(ctx, 'place create', { name: 'Lab' }, { kind: 'room', in: id })
  expect(room.text).toBe(`Added ${room.json.id}  room  Oslo / Lab.`)
  const network = await run(ctx, 'place network', { cidr: '10.1.0.0/16' }, { for: 'server\nprinter' })
  expect(network.text).toBe(`Now ${id}  site  Oslo  10.1.0.0/16 (printer, server), 10.2.0.0/16.`)
  const any = await run(ctx, 'place network', { cidr: '10.1.0.0/16' })
  expect(any.text).toBe(`Now ${id}  site  Oslo  10.1.0.0/16, 10.2.0.0/16.`)
  const named = await run(ctx, 'place set', { id }, { name: 'Bergen', network: '10.1.0.0/16' })
  expect(named.text).toBe(`Now ${id}  site  Bergen  10.1.0.0/16.`)
  expect((await run(ctx, 'place set', { id }, {})).text).toBe(named.text)
  const { text } = await run(ctx, 'place list')
  expect(text.split('\n').toSorted()).toEqual(
    [`${id}  site  Bergen  10.1.0.0/16`, `${room.json.id}  room  Bergen / Lab`].toSorted(),
  )
  const placed = await run(ctx, 'asset record', { id: assetId }, { place: room.json.id })
  expect(placed).toMatchObject({ json: { place: 'Bergen / Lab', placeFrom: 'person' } })
  expect(placed.text).toMatch(/^place: Bergen \/ Lab$/m)
  await run(ctx, 'asset record', { id: assetId }, { clear: 'place' })
  await expect(run(ctx, 'place delete', { id })).rejects.toMatchObject({ status: 409 })
  expect(await run(ctx, 'place delete', { id: room.json.id })).toEqual({
    json: { id: room.json.id },
    text: 'Deleted.',
  })
})

test('contracts and entitlements are told in lines', async () => {
  const { ctx, id: asset } = await scene()
  expect((await run(ctx, 'contract list')).text).toBe('None.')
  const contract = await run(
    ctx,
    'contract save',
    { name: 'Frame' },
    { supplier: 'Bechtle', ends: '2027-12-31' },
  )
  const line = `${contract.json.id}  Frame  Bechtle  until 2027-12-31`
  expect(contract.text).toBe(`Saved ${line}.`)
  expect((await run(ctx, 'contract list')).text).toBe(line)
  const { id } = (await run(ctx, 'entitlement save', { product: 'Office' }, { contract: contract.json.id }))
    .json
  expect((await run(ctx, 'entitlement list')).text).toBe(`${id}  Office  0 of any number by device  Frame`)
  const counted = { id, count: '5', metric: 'user', ends: '2027-01-31', contract: '' }
  const saved = await run(ctx, 'entitlement save', { product: 'Office' }, counted)
  expect(saved.text).toBe(`${id}  Office  0 of 5 by user`)
  expect((await run(ctx, 'entitlement list')).text).toBe(`${id}  Office  0 of 5 by user  until 2027-01-31`)
  const free = await run(ctx, 'entitlement save', { product: 'Office' }, { id, count: '' })
  expect(free.text).toBe(`${id}  Office  0 of any number by user`)
  expect((await run(ctx, 'entitlement uses', { id })).text).toBe('None.')
  const assigned = await run(ctx, 'entitlement assign', { id }, { asset, person: 'Ada\n \nBob' })
  expect(assigned.text).toBe(`${id}  Office  3 of any number by user`)
  const uses = await run<{ id: string; person: string | null }[]>(ctx, 'entitlement uses', { id })
  expect(uses.text.split('\n').map((it) => it.split('  ')[1])).toEqual(
    expect.arrayContaining(['a', 'Ada', 'Bob']),
  )
  const some = uses.json
    .slice(0, 2)
    .map((it) => it.id)
    .join(', ')
  expect((await run(ctx, 'entitlement unassign', { id, uses: some })).text).toBe(
    `${id}  Office  1 of any number by user`,
  )
  for (const path of ['contract save', 'entitlement save'])
    await expect(run(ctx, path, { name: 'x', product: 'x' }, { id: asset })).rejects.toMatchObject({
      status: 404,
    })
})

test('whoever knows the id of an asset need not say the tenant', async () => {
  const { ctx, id } = await scene()
  const command = commands.find((it) => it.path === 'asset record')
  const input = { args: { id }, options: {} }
  expect(await command?.tenantOf?.(home().runtime.system, input)).toBe(ctx.tenantId)
})
