import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { expect, onTestFinished, test } from 'vitest'
import { loadFeedFile } from '#features/advisories/advisories.ts'
import { listAssets } from '#features/assets/assets.ts'
import { softwareOfAsset } from '#features/software/software.ts'
import {
  enqueueMatching,
  listFindings,
  processMatchingQueue,
} from '#features/vulnerabilities/vulnerabilities.ts'
import { testApp } from '#test/support/app/test-app.ts'
import { billOfMaterials } from '../../../../scripts/package/bill-of-materials.mjs'
import { shippedPackages } from '../../../../scripts/package/shipped-packages.mjs'
import { addOwnSoftware } from './own-software.ts'

const PAGE = { limit: 500, offset: 0 }

/** About a package that we ship, in the form of OSV. */
const advisory = (name: string, fixed: string) => ({
  id: 'GHSA-rrrr-cccc-xxxx',
  aliases: ['CVE-2026-9999'],
  modified: '2026-11-01T00:00:00Z',
  summary: 'Made up for this test.',
  affected: [
    {
      package: { ecosystem: 'npm', name, purl: `pkg:npm/${name}` },
      ranges: [{ type: 'SEMVER', events: [{ introduced: '0' }, { fixed }] }],
    },
  ],
})

test('what a package ships is an asset of the demo, and our own matcher says what is known against it', async () => {
  const { newTenant, runtime } = await testApp()
  const ctx = await newTenant()
  const packages = shippedPackages({ platform: 'linux-x64' })
  const bill = billOfMaterials({
    version: '0.0.0',
    platform: 'linux-x64',
    packages,
    builtAt: '2026-11-24T00:00:00Z',
  })
  const folder = await mkdtemp(join(tmpdir(), 'rollcall-bill-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const path = join(folder, 'sbom.cdx.json')
  expect(await addOwnSoftware(ctx, path)).toBe(false)
  await writeFile(path, JSON.stringify(bill))
  expect(await addOwnSoftware(ctx, path)).toBe(true)
  const { items } = await listAssets(ctx, PAGE)
  expect(items).toMatchObject([{ name: 'rollcall-itself' }])
  const id = items[0]?.id ?? ''
  const installed = (await softwareOfAsset(ctx, id, PAGE)).items.map(({ name }) => name)
  for (const name of ['fastify', 'undici', 'node', 'postgresql']) expect(installed).toContain(name)

  const load = (name: string, fixed: string) =>
    loadFeedFile(runtime.system, {
      feed: 'osv',
      name: `${name}.json`,
      content: Readable.from([Buffer.from(JSON.stringify(advisory(name, fixed)))]),
    })
  await load('undici', '9999.0.0')
  await enqueueMatching(ctx, [id])
  await processMatchingQueue(ctx)
  expect((await listFindings(ctx, PAGE)).items).toMatchObject([{ cveId: 'CVE-2026-9999' }])
})
