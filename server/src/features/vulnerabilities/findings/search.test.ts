import { expect, test } from 'vitest'
import { submit } from '#features/sources/sources.ts'
import { testApp } from '#test/support/app/test-app.ts'
import { install, createAsset, createMatches, createSoftware, sync } from '../findings.fixture.ts'
import { searchFindings } from './search.ts'

test('findings are found by the host name and the IP address of the asset, punctuation included', async () => {
  const { newTenant } = await testApp()
  const ctx = await newTenant()
  const softwareId = await createSoftware(ctx, { name: 'lib_ssl' })
  await createMatches(ctx, softwareId, [{ cveId: 'CVE-2024-0001' }])
  const [web, other] = [await createAsset(ctx, 'web-1'), await createAsset(ctx, 'db_2')]
  await submit(ctx, { kind: 'csv', name: 'test' }, [
    {
      sourceKey: 'web-1',
      seenAt: ctx.now(),
      assetType: 'device',
      name: 'web-1',
      identifiers: [
        { type: 'serial', value: 'web-1' },
        { type: 'ip', value: '10.20.30.40' },
      ],
    },
  ])
  for (const id of [web, other]) {
    await install(ctx, id, [softwareId])
    await sync(ctx, id)
  }
  const found = async (search: string) => {
    const { items } = await searchFindings(ctx, { limit: 10, offset: 0 }, { search })
    return items.map(({ assetId }) => assetId).toSorted()
  }

  for (const search of ['web-1', 'WEB-', '10.20.30.40', '.30.4'])
    expect([search, await found(search)]).toEqual([search, [web]])
  expect(await found('db_2')).toEqual([other])
  expect(await found('cve-2024-0001')).toEqual([web, other].toSorted())
  expect(await found('lib_ssl')).toEqual([web, other].toSorted())
  expect(await found('webZ1')).toEqual([])
})
