import { parse } from 'csv-parse/sync'
import { expect, test } from 'vitest'
import { agent, seen } from '#features/assets/observations.fixture.ts'
import { saveEntitlement } from '#features/records/records.ts'
import { addSoftwareEntry } from '#features/software/software.ts'
import { submit } from '#features/sources/sources.ts'
import { sharedTestApp } from '#test/support/app/test-app.ts'
import { generated } from '../reports.fixture.ts'

const app = sharedTestApp()

test('licences count what was used within 90 days, what was not is reclaimable, and silence is neither', async () => {
  const ctx = await app().newTenant()
  const daysAgo = (days: number) =>
    new Date(ctx.now().getTime() - days * 86_400_000).toISOString().slice(0, 10)
  const host = (key: string, lastUsedOn?: string) =>
    seen(
      key,
      { serial: `SN-${key}`, hostname: `${key}.example` },
      {
        assetType: 'device',
        software: {
          complete: ['windows'],
          items: ['Visio 2021', 'Gimp'].map((name) => ({
            origin: 'windows' as const,
            name,
            version: '1',
            ...(lastUsedOn !== undefined && name !== 'Gimp' && { lastUsedOn }),
          })),
        },
      },
    )
  await submit(ctx, agent, [
    host('today', daysAgo(0)),
    host('edge', daysAgo(90)),
    host('long-ago', daysAgo(91)),
    host('silent'),
    host('nonsense', '2026-99-99'),
  ])
  await saveEntitlement(ctx, { product: 'Visio', metric: 'device', count: 3 } as never)
  const rowsOf = async (): Promise<Record<string, string>[]> =>
    parse((await generated(ctx, { name: 'n', type: 'software_license' })).file, { columns: true })
  expect(await rowsOf()).toMatchObject([
    { product: 'Visio', installed: '5', used_90d: '2', balance: "'-2", reclaimable: '1' },
    { product: 'Gimp', installed: '5', used_90d: '', reclaimable: '' },
  ])
  // a later report of the same software on another day is written
  await submit(ctx, agent, [
    { ...host('long-ago', daysAgo(1)), seenAt: new Date(ctx.now().getTime() + 60_000) },
  ])
  expect((await rowsOf())[0]).toMatchObject({ used_90d: '3', reclaimable: '0' })
})

test('a report on licences tells which forbidden software is installed, where, and why it is forbidden', async () => {
  const ctx = await app().newTenant()
  const items = ['TeamViewer', 'Zoom'].map((name) => ({ origin: 'windows' as const, name, version: '15' }))
  await submit(ctx, agent, [
    seen('a', { serial: 'SN-a' }, { software: { complete: ['windows'], items } }),
    seen('b', { serial: 'SN-b' }, { software: { complete: ['windows'], items: items.slice(0, 1) } }),
  ])
  const told = async (): Promise<string[]> => {
    const xml = (await generated(ctx, { name: 'n', type: 'software_license', format: 'xml' })).file.toString()
    const [, section = ''] = /<section name="forbidden"(.*?)<\/section>/s.exec(xml) ?? []
    return [...section.matchAll(/<cell of="\w+">([^<]*)/g)].map(([, text]) => text ?? '')
  }
  expect(await told()).toEqual([])
  await addSoftwareEntry(ctx, { list: 'forbidden', name: 'teamviewer', vendor: '', reason: 'Remote control' })
  expect(await told()).toEqual(['TeamViewer', '15', 'Remote control', '2'])
})
