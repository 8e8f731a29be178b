import { readXlsx } from 'hucre/xlsx'
import { expect, test } from 'vitest'
import { setRecords } from '#features/records/records.ts'
import { submit } from '#features/sources/sources.ts'
import { sharedTestApp } from '#test/support/app/test-app.ts'
import { addDevices, assetNamed, generated } from '../../reports.fixture.ts'

const app = sharedTestApp()

test('asset_audit has the software, hardware, addresses and record of each asset, in the order of its rows', async () => {
  const ctx = await app().newTenant()
  await submit(
    ctx,
    { kind: 'agent', name: 'Agents' },
    ['b', 'a'].map((name) => ({
      sourceKey: name,
      seenAt: ctx.now(),
      assetType: 'device' as const,
      name,
      identifiers: [
        { type: 'serial' as const, value: `SERIAL-${name}` },
        { type: 'mac' as const, value: name === 'a' ? '00:16:3e:00:00:01' : '00:16:3e:00:00:02' },
      ],
      facts: { cpuModel: 'Xeon', cpuCount: 4, memoryGb: 16 },
      software: {
        complete: ['windows' as const],
        items: [{ origin: 'windows' as const, name: 'Firefox', version: '125.0', vendor: 'Mozilla' }],
      },
    })),
  )
  await addDevices(ctx, 'c')
  await setRecords(ctx, { assetIds: [await assetNamed(ctx, 'a')], values: { department: 'IT' } })
  const { file } = await generated(ctx, { name: 'n', type: 'asset_audit', format: 'excel' })
  const { sheets } = await readXlsx(file)
  const rowsOf = (name: string) => sheets.find((it) => it.name === name)?.rows.slice(1) ?? []
  const [a, b] = [await assetNamed(ctx, 'a'), await assetNamed(ctx, 'b')]
  expect(rowsOf('Assets').map(([id]) => id)).toEqual([a, b, await assetNamed(ctx, 'c')])
  expect(rowsOf('Software').map((row) => row.slice(0, 5))).toEqual([
    [a, 'a', 'Firefox', '125.0', 'Mozilla'],
    [b, 'b', 'Firefox', '125.0', 'Mozilla'],
  ])
  expect(rowsOf('Recorded by people')[0]?.slice(0, 4)).toEqual([a, 'a', 'Department', 'IT'])
  expect(rowsOf('Hardware').slice(0, 2)).toEqual([
    [a, 'a', 'Processor', 'Xeon, 4 processors'],
    [a, 'a', 'Memory', '16 GiB'],
  ])
  expect(rowsOf('Interfaces')[0]?.slice(0, 4)).toEqual([a, 'a', null, '00:16:3e:00:00:01'])
  expect(rowsOf('Why it is this asset')).toHaveLength(3)
})
