import { createReadStream } from 'node:fs'
import { expect, test } from 'vitest'
import type { Ctx } from '#platform/context.ts'
import { sharedTestApp } from '#test/support/app/test-app.ts'
import { sharedData } from '#test/support/shared-data.ts'
import { install, createAsset, createMatches, createSoftware, sync } from '../findings.fixture.ts'
import { createOverride, listOverrides } from '../overrides/overrides.ts'
import { exportVex, importVex } from './vex.ts'
import { listFindings } from '../vulnerabilities.ts'

const home = sharedTestApp()
const PAGE = { limit: 50, offset: 0 }
const CVE = 'CVE-2024-0001'

const contentOf = (document: unknown): AsyncIterable<Buffer> =>
  (async function* () {
    yield Buffer.from(typeof document === 'string' ? document : JSON.stringify(document))
  })()

const openVex = (statements: readonly object[]) => ({
  '@context': 'https://openvex.dev/ns/v0.2.0',
  '@id': 'https://maker.example/vex/1',
  statements,
})
const about = (status: string, product: string) => ({
  vulnerability: { name: CVE },
  products: [{ '@id': product }],
  status,
  justification: 'vulnerable_code_not_present',
})

async function affected(name = 'openssl', version = '3.0.1'): Promise<Ctx> {
  const ctx = await home().newTenant()
  const assetId = await createAsset(ctx)
  const software = await createSoftware(ctx, { name, version })
  await createMatches(ctx, software, [{}])
  await install(ctx, assetId, [software])
  await sync(ctx, assetId)
  return ctx
}
const open = async (ctx: Ctx) => (await listFindings(ctx, PAGE)).total

test('what the maker calls not affected is closed, until the maker says otherwise', async () => {
  const ctx = await affected()
  const document = openVex([
    about('not_affected', 'pkg:deb/debian/openssl'),
    about('affected', 'pkg:deb/debian/bash'),
  ])
  expect(await importVex(ctx, contentOf(document))).toEqual({
    format: 'openvex',
    document: 'https://maker.example/vex/1',
    created: 1,
    ended: 0,
    unchanged: 0,
    skipped: 1,
  })
  expect(await open(ctx)).toBe(0)
  expect((await listOverrides(ctx, PAGE, {})).items).toMatchObject([
    { kind: 'not_affected', package: 'openssl', reason: 'vulnerable_code_not_present', findings: 1 },
  ])
  expect(await importVex(ctx, contentOf(document))).toMatchObject({ created: 0, unchanged: 1 })
  expect(await importVex(ctx, contentOf(openVex([])))).toMatchObject({ ended: 1 })
  expect(await open(ctx)).toBe(1)
})

test.each([
  ['pkg:deb/debian/openssl@3.0.1', 0],
  ['pkg:deb/debian/openssl@3.0.2', 1],
  ['pkg:deb/debian/libressl', 1],
])('fixed in %s leaves %i open', async (product, left) => {
  const ctx = await affected()
  await importVex(ctx, contentOf(openVex([about('fixed', product)])))
  expect(await open(ctx)).toBe(left)
  expect((await listFindings(ctx, PAGE, { isFixed: true })).total).toBe(1 - left)
})

test('CSAF says it by the ids of its products, of parts of products too', async () => {
  const ctx = await affected()
  const document = {
    document: {
      csaf_version: '2.0',
      tracking: { id: 'M-1' },
      publisher: { namespace: 'https://maker.example' },
    },
    product_tree: {
      branches: [
        {
          branches: [
            { product: { product_id: 'p', product_identification_helper: { purl: 'pkg:rpm/m/openssl' } } },
          ],
        },
      ],
      relationships: [{ product_reference: 'p', full_product_name: { product_id: 'os:p' } }],
    },
    vulnerabilities: [
      {
        cve: CVE,
        flags: [{ label: 'component_not_present', product_ids: ['os:p'] }],
        product_status: { known_not_affected: ['os:p'] },
      },
    ],
  }
  expect(await importVex(ctx, contentOf(document))).toMatchObject({ format: 'csaf', created: 1 })
  expect(await open(ctx)).toBe(0)
})

test.each([
  ['{', 'is not JSON'],
  ['[]', 'is none of openvex, csaf'],
  ['null', 'is none of'],
  [{ '@context': 'https://openvex.dev/ns/v0.2.0', statements: [{}] }, 'has no id'],
])('%j: %s', async (document, wrong) => {
  const ctx = await home().newTenant()
  await expect(importVex(ctx, contentOf(document))).rejects.toThrow(wrong)
})

test('statements that say nothing are left out', async () => {
  const ctx = await home().newTenant()
  const document = openVex([{ products: 7, status: 'fixed', vulnerability: 1 }, {}])
  expect(await importVex(ctx, contentOf(document))).toMatchObject({ created: 0 })
})

test('overrides in force are exported, and can be imported elsewhere', async () => {
  const ctx = await affected()
  await createOverride(ctx, {
    kind: 'false_positive',
    cveId: CVE,
    package: 'openssl',
    reason: 'not compiled in',
  })
  await createOverride(ctx, { kind: 'accepted_risk', cveId: 'CVE-2024-0002', reason: 'behind a proxy' })
  await createOverride(ctx, { kind: 'severity', cveId: CVE, severity: 'low', reason: 'r' })
  const document = await exportVex(ctx)
  expect(document).toMatchObject({
    statements: [
      {
        vulnerability: { name: CVE },
        status: 'not_affected',
        products: [{ '@id': 'pkg:generic/openssl' }],
        impact_statement: 'not compiled in',
      },
      { vulnerability: { name: 'CVE-2024-0002' }, status: 'affected', action_statement: 'behind a proxy' },
    ],
  })
  const other = await affected()
  expect(await importVex(other, contentOf(document))).toMatchObject({ created: 1, skipped: 1 })
  expect(await open(other)).toBe(0)
})

sharedData('feeds', 'documents of makers', (path) => {
  test.each([
    ['ubuntu-openvex-CVE-2023-38545.json', 'openvex'],
    ['redhat-csaf-rhsa-2024_0010.json', 'csaf'],
  ])('%s is taken', async (file, format) => {
    const ctx = await home().newTenant()
    const result = await importVex(ctx, createReadStream(`${path}/${file}`) as AsyncIterable<Buffer>)
    expect(result).toMatchObject({ format, ended: 0 })
    expect(result.created).toBeGreaterThan(5)
  })
})
