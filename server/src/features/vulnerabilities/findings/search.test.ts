import { expect, test } from 'vitest'
import { submit } from '#features/sources/sources.ts'
import { testApp } from '#test/support/app/test-app.ts'
import { install, createAsset, createMatches, createSoftware, sync } from '../findings.fixture.ts'
import { findingSorts } from './finding-query.ts'
import { searchFindings } from './search.ts'

test('findings are found by the host name and the IP address of the asset, punctuation included', async () => {
  const { newTenant } = await testApp()
  const ctx = await newTenant()
  const softwareId = await createSoftware(ctx, { name: 'lib_ssl' })
  await createMatches(ctx, softwareId, [{ cveId: 'CVE-2024-0001' }])
  const [web, other] = [await createAsset(ctx, 'web-1'), await createAsset(ctx, 'db_2_b\u00fcro')]
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
  for (const search of ['db_2', 'bu\u0308RO'])
    expect([search, await found(search)]).toEqual([search, [other]])
  expect(await found('cve-2024-0001')).toEqual([web, other].toSorted())
  expect(await found('lib_ssl')).toEqual([web, other].toSorted())
  expect(await found('webZ1')).toEqual([])
})

test('the search is ordered by every column, both ways', async () => {
  const { newTenant } = await testApp()
  const ctx = await newTenant()
  const [lib, zlib] = [
    await createSoftware(ctx, { name: 'alib' }),
    await createSoftware(ctx, { name: 'Zlib' }),
  ]
  await createMatches(ctx, lib, [{ cveId: 'CVE-2024-0001' }])
  await createMatches(ctx, zlib, [{ cveId: 'CVE-2024-0002' }])
  const names = ['Beta', 'alpha']
  for (const name of names) {
    const id = await createAsset(ctx, name)
    await install(ctx, id, name === 'Beta' ? [lib] : [lib, zlib])
    await sync(ctx, id)
  }
  const page = { limit: 10, offset: 0 }
  const listed = async (query: Parameters<typeof searchFindings>[2]) =>
    (await searchFindings(ctx, page, query)).items
  for (const sort of findingSorts) {
    const up = await listed({ sort, direction: 'asc' })
    const down = await listed({ sort, direction: 'desc', where: 'has status' })
    expect([sort, down.map(({ id }) => id)]).toEqual([sort, up.map(({ id }) => id).toReversed()])
  }
  const last = async (sort: 'assetName' | 'software' | 'affectedAssets') =>
    (await listed({ sort, direction: 'asc' })).at(-1)
  expect((await last('assetName'))?.assetName).toBe('Beta')
  expect((await last('software'))?.cveId).toBe('CVE-2024-0002')
  expect((await last('affectedAssets'))?.cveId).toBe('CVE-2024-0001')
})
