import { expect, test } from 'vitest'
import { listAssets } from '#features/assets/assets.ts'
import { agent, seen } from '#features/assets/observations.fixture.ts'
import { softwareOfAsset } from '#features/software/software.ts'
import { submit } from '#features/sources/sources.ts'
import type { Ctx } from '#platform/context.ts'
import { testApp } from '#test/support/app/test-app.ts'
import { importFile, type FileToImport } from '../import-file.ts'

const PAGE = { limit: 50, offset: 0 }
const RPMS = 'bash-4.4.20-4.el8_6.x86_64\nnonsense\nopenssl-1:1.1.1k-12.el8_9.x86_64\n'
const bill = (name: string | undefined, version: string) =>
  JSON.stringify({
    bomFormat: 'CycloneDX',
    ...(name && { metadata: { component: { type: 'application', name } } }),
    components: [{ type: 'library', name: 'flask', version, purl: `pkg:pypi/flask@${version}` }],
  })

async function* bytes(text: string): AsyncIterable<Uint8Array> {
  yield Buffer.from(text)
}
const file = (text: string, more: Partial<FileToImport> = {}): FileToImport => ({
  name: 'list',
  content: bytes(text),
  ...more,
})
const tenant = async () => (await testApp()).newTenant()
async function machine(ctx: Ctx, hostname: string, key = hostname): Promise<string> {
  const software = { release: { id: 'rocky', versionId: '8.9' }, complete: [], items: [] }
  await submit(ctx, agent, [seen(key, { hostname, serial: `SN-${key}` }, { software })])
  const { items } = await listAssets(ctx, PAGE, { search: hostname })
  return items[0]?.id ?? ''
}
const installed = async (ctx: Ctx, id: string) =>
  (await softwareOfAsset(ctx, id, PAGE)).items.map(
    ({ ecosystem, name, version }) => `${ecosystem} ${name} ${version}`,
  )

test('a package list goes to the asset of the name, in the ecosystem of its system', async () => {
  const ctx = await tenant()
  const id = await machine(ctx, 'web-1.example.org')
  const result = await importFile(ctx, file(RPMS, { host: 'WEB-1' }))
  expect(result).toMatchObject({ observed: 1, created: 0, rejected: [{ line: 2, field: 'package' }] })
  expect(await installed(ctx, id)).toEqual([
    'Rocky Linux:8 bash 4.4.20-4.el8_6',
    'Rocky Linux:8 openssl 1:1.1.1k-12.el8_9',
  ])
  await importFile(ctx, file('bash-4.4.20-5.el8.x86_64\n', { assetId: id, os: 'rhel:8.9' }))
  expect(await installed(ctx, id)).toEqual(['Red Hat:8 bash 4.4.20-5.el8'])
  expect((await listAssets(ctx, PAGE)).total).toBe(1)
})

test('a name that nothing has makes a new thing, one that several have is refused', async () => {
  const ctx = await tenant()
  await importFile(ctx, file(RPMS, { host: 'new-1' }))
  expect((await listAssets(ctx, PAGE)).items).toMatchObject([{ name: 'new-1', hostname: 'new-1' }])
  await machine(ctx, 'twin', 'a')
  await machine(ctx, 'twin', 'b')
  await expect(importFile(ctx, file(RPMS, { host: 'twin' }))).rejects.toThrow('several assets')
})

test('a bill of materials is of what it says, unless a person says otherwise', async () => {
  const ctx = await tenant()
  await importFile(ctx, file(bill('shop', '2.0')))
  const [shop] = (await listAssets(ctx, PAGE)).items
  expect(shop).toMatchObject({ name: 'shop', assetType: 'software' })
  await importFile(ctx, file(bill('shop', '2.1')))
  expect(await installed(ctx, shop?.id ?? '')).toEqual(['PyPI flask 2.1'])
  const id = await machine(ctx, 'web-1')
  await importFile(ctx, file(bill('one', '1.0'), { assetId: id }))
  await importFile(ctx, file(bill('two', '1.1'), { assetId: id }))
  expect(await installed(ctx, id)).toEqual(['PyPI flask 1.0', 'PyPI flask 1.1'])
})

test('what cannot be placed is refused, and nothing of it is taken', async () => {
  const ctx = await tenant()
  await expect(importFile(ctx, file(RPMS))).rejects.toMatchObject({ extras: { field: 'asset' } })
  await expect(importFile(ctx, file(bill(undefined, '1')))).rejects.toMatchObject({
    extras: { field: 'asset' },
  })
  const unknown = '00000000-0000-4000-8000-000000000000'
  await expect(importFile(ctx, file(RPMS, { assetId: unknown }))).rejects.toMatchObject({ status: 404 })
  await expect(importFile(ctx, file(RPMS, { host: 'a', os: 'debian' }))).rejects.toMatchObject({
    extras: { field: 'os' },
  })
  await expect(importFile(ctx, file('{"bomFormat":"CycloneDX"', { host: 'a' }))).rejects.toThrow(
    'not well-formed JSON',
  )
  expect((await listAssets(ctx, PAGE)).total).toBe(0)
})

test('a later bill of a host takes the place of the one that made it, whichever way the host is said', async () => {
  const ctx = await tenant()
  await importFile(ctx, file(bill('shop', '1.0'), { host: 'new-2' }))
  const id = (await listAssets(ctx, PAGE)).items[0]?.id ?? ''
  await importFile(ctx, file(bill('shop', '2.0'), { host: 'NEW-2' }))
  expect(await installed(ctx, id)).toEqual(['PyPI flask 2.0'])
  await importFile(ctx, file(bill('shop', '3.0'), { assetId: id }))
  expect(await installed(ctx, id)).toEqual(['PyPI flask 3.0'])
  await importFile(ctx, file(bill('other', '1.0'), { host: 'new-2' }))
  expect(await installed(ctx, id)).toEqual(['PyPI flask 1.0', 'PyPI flask 3.0'])
})

test('a later bill takes the place of one that said itself of what it is', async () => {
  const ctx = await tenant()
  await importFile(ctx, file(bill('shop', '1.0')))
  const id = (await listAssets(ctx, PAGE)).items[0]?.id ?? ''
  await importFile(ctx, file(bill('shop', '2.0'), { assetId: id }))
  await importFile(ctx, file(bill('shop', '3.0')))
  expect(await installed(ctx, id)).toEqual(['PyPI flask 3.0'])
  expect((await listAssets(ctx, PAGE)).total).toBe(1)
})
