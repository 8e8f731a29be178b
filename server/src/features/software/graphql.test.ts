import { expect, test } from 'vitest'
import { listAssets } from '#features/assets/assets.ts'
import { agent, seen } from '#features/assets/observations.fixture.ts'
import { submit } from '#features/sources/sources.ts'
import { sharedHouse } from '#test/house.ts'
import { asker, believed, headersOf } from '#test/person.ts'

const shared = sharedHouse({ contextOf: believed })

test('people see what is installed, on which asset, for whom, and what changed', async () => {
  const ctx = await shared().newTenant()
  const ask = asker(shared().as(), headersOf(ctx))
  const chrome = { origin: 'windows' as const, name: 'Google Chrome', vendor: 'Google LLC', user: 'ada' }
  for (const [minute, version] of ['126.0.1', '127.0.2'].entries()) {
    const items = [{ ...chrome, version, installedAt: new Date('2026-01-02T00:00:00Z') }]
    await submit(ctx, agent, [
      seen('a', { serial: 'SN' }, { minute, software: { complete: ['windows'], items } }),
    ])
  }
  const list = await ask(
    '{ software(filter: { search: "chrome" }) { total items { name version assets vendorKey productKey } } }',
  )
  expect(list.data).toEqual({
    software: {
      total: 1,
      items: [
        { name: 'Google Chrome', version: '127.0.2', assets: 1, vendorKey: 'google', productKey: 'chrome' },
      ],
    },
  })
  const id = (await listAssets(ctx, { limit: 1, offset: 0 })).items[0]?.id
  const one = await ask(
    `query ($id: ID!) {
      assetSoftware(assetId: $id) { total items { version users installedAt } }
      assetSoftwareChanges(assetId: $id) { total items { kind name formerVersion version } }
    }`,
    { id },
  )
  expect(one.data).toEqual({
    assetSoftware: {
      total: 1,
      items: [{ version: '127.0.2', users: ['ada'], installedAt: '2026-01-02T00:00:00.000Z' }],
    },
    assetSoftwareChanges: {
      total: 1,
      items: [{ kind: 'changed', name: 'Google Chrome', formerVersion: '126.0.1', version: '127.0.2' }],
    },
  })
})
