import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { searchAudit } from '#features/audit/audit.ts'
import { agent, seen } from '#features/assets/observations.fixture.ts'
import { countWhere } from '#features/conditions/conditions.ts'
import { submit } from '#features/sources/sources.ts'
import { sharedTestApp } from '#test/support/app/test-app.ts'
import { listCommands } from './cli.ts'
import { addSoftwareEntry, listSoftwareEntries, removeSoftwareEntry } from './forbidden-and-allowed.ts'
import { likeOf } from './list-entry.ts'

const PAGE = { limit: 50, offset: 0 }
const shared = sharedTestApp()

async function estate() {
  const ctx = await shared().newTenant()
  const asset = (key: string, items?: readonly (readonly [string, string?])[]) =>
    seen(
      key,
      { serial: `SN-${key}`, hostname: `${key}.example` },
      items && {
        software: {
          complete: ['windows'],
          items: items.map(([name, vendor]) => ({
            origin: 'windows' as const,
            name,
            version: '1',
            ...(vendor && { vendor }),
          })),
        },
      },
    )
  await submit(ctx, agent, [
    asset('remote', [['TeamViewer  15', 'TeamViewer Germany GmbH'], ['7-Zip 100% _free_']]),
    asset('guarded', [['Endpoint Security', 'KASPERSKY Lab ÄÖ']]),
    asset('plain', [['Firefox', 'Mozilla']]),
    asset('silent'),
  ])
  return ctx
}

test('conditions ask what is forbidden and allowed; an empty list leaves it unknown', async () => {
  const ctx = await estate()
  const [anyForbidden, noForbidden] = [
    'any software(forbidden = yes)',
    'forbidden_entries > 0 and no software(forbidden = yes)',
  ]
  expect(await countWhere(ctx, 'asset', anyForbidden)).toEqual({ matching: 0, unknown: 4 })
  expect(await countWhere(ctx, 'asset', noForbidden)).toEqual({ matching: 0, unknown: 4 })
  const entry = { list: 'forbidden', name: '', vendor: '', reason: '' } as const
  await addSoftwareEntry(ctx, { ...entry, name: 'TEAMVIEWER 1*' })
  expect(await countWhere(ctx, 'asset', anyForbidden)).toEqual({ matching: 1, unknown: 1 })
  expect(await countWhere(ctx, 'asset', noForbidden)).toEqual({ matching: 2, unknown: 1 })
  await addSoftwareEntry(ctx, { ...entry, vendor: 'kaspersky*äö', reason: 'first' })
  await addSoftwareEntry(ctx, { ...entry, vendor: 'Kaspersky*ÄÖ', reason: 'Not with us' })
  expect(await countWhere(ctx, 'asset', anyForbidden)).toEqual({ matching: 2, unknown: 1 })
  await addSoftwareEntry(ctx, { ...entry, list: 'allowed', vendor: 'Mozilla' })
  const onlyAllowed = 'allowed_entries > 0 and no software(allowed = no)'
  expect(await countWhere(ctx, 'asset', onlyAllowed)).toEqual({ matching: 1, unknown: 1 })
  expect(await countWhere(ctx, 'asset', 'any software(allowed = no)')).toEqual({ matching: 2, unknown: 1 })

  expect(await listSoftwareEntries(ctx, PAGE)).toEqual({
    total: 3,
    items: [
      { ...entry, vendor: 'Kaspersky*ÄÖ', reason: 'Not with us', software: 1 },
      { ...entry, name: 'TEAMVIEWER 1*', software: 1 },
      { ...entry, list: 'allowed', vendor: 'Mozilla', software: 1 },
    ],
  })
  expect((await listSoftwareEntries(await shared().newTenant(), PAGE)).total).toBe(0)
  await removeSoftwareEntry(ctx, { ...entry, name: 'teamviewer 1*' })
  await expect(removeSoftwareEntry(ctx, { ...entry, name: 'teamviewer 1*' })).rejects.toThrow('not found')
  expect(await countWhere(ctx, 'asset', anyForbidden)).toEqual({ matching: 1, unknown: 1 })
  const { items } = await searchAudit(ctx, { ...PAGE, action: 'software_list.removed' })
  expect(items).toHaveLength(1)
})

test('only * is a wildcard: signs of LIKE mean themselves', () => {
  expect(likeOf({ name: '100%_Free\\*', vendor: '' })).toBe('100\\%\\_free\\\\%\u001f%')
})

test('what cannot mean software is refused with the name of the field', async () => {
  const ctx = await shared().newTenant()
  const add = (change: object) =>
    addSoftwareEntry(ctx, { list: 'forbidden', name: 'x', vendor: '', reason: '', ...change })
  await expect(add({ name: ' ', vendor: '**' })).rejects.toThrow(/^name/)
  await expect(add({ name: 'x'.repeat(201) })).rejects.toThrow(/^name: must have at most 200/)
  await expect(add({ vendor: 'a\u001fb' })).rejects.toThrow(/^vendor: must have no control/)
  await expect(add({ list: 'else' })).rejects.toThrow(/^list/)
  await ctx.db.run(sql`
    insert into software_list_entries (tenant_id, list, pattern, name, vendor, reason, created_at)
    select ${ctx.tenantId}, 'forbidden', n::text, n::text, '', '', now() from generate_series(1, 500) n`)
  await expect(add({ name: 'one more' })).rejects.toThrow('500 entries already')
})

test('a list that changes has the checks of compliance judged again', async () => {
  const ctx = await shared().newTenant()
  const queued = () =>
    ctx.db.all(sql`select 1 from jobs where tenant_id = ${ctx.tenantId} and name = 'compliance.evaluate'`)
  expect(await queued()).toHaveLength(0)
  for (const name of ['x', 'y'])
    await addSoftwareEntry(ctx, { list: 'forbidden', name, vendor: '', reason: '' })
  expect(await queued()).toHaveLength(1)
})

test('the command line forbids, allows, lists and takes off', async () => {
  const ctx = await estate()
  const run = (path: string, options = {}, args = {}) =>
    listCommands.find((it) => it.path === path)?.run(ctx, { options, args })
  expect((await run('software forbid', { name: 'TeamViewer*', reason: 'Remote control' }))?.text).toBe(
    'forbidden: TeamViewer*; Remote control',
  )
  await run('software allow', { vendor: 'Mozilla' })
  expect((await run('software listed'))?.text).toBe(
    'forbidden: TeamViewer*; Remote control; installed: 1\n' + 'allowed: of Mozilla; installed: 1',
  )
  expect((await run('software listed', { list: 'allowed' }))?.json).toMatchObject({ total: 1 })
  await expect(run('software listed', { list: 'x' })).rejects.toThrow(/^list/)
  await run('software unlist', { name: 'TeamViewer*' }, { list: 'forbidden' })
  expect((await run('software listed', { list: 'forbidden' }))?.text).toBe('')
})
