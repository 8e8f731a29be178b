import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { sharedData } from '#test/support/shared-data.ts'
import { endOfLife, endOfSystem, lifecyclesOf, type ProductLifecycle } from './end-of-life.ts'

const list: readonly ProductLifecycle[] = [
  {
    product: 'ubuntu',
    label: 'Ubuntu',
    identifiers: [],
    releases: [
      { cycle: '22.04', label: '22.04', endsOn: '2027-04-01', extendedUntil: '2032-04-09' },
      { cycle: '18.04', label: '18.04', endsOn: '2023-05-31' },
    ],
  },
  {
    product: 'windows',
    label: 'Windows',
    identifiers: [],
    releases: [
      { cycle: '11-23h2-e', label: '', endsOn: '2026-11-10' },
      { cycle: '11-23h2-w', label: '', endsOn: '2025-11-11' },
    ],
  },
  {
    product: 'firefox',
    label: 'Firefox',
    identifiers: [{ kind: 'cpe', id: 'cpe:2.3:a:mozilla:firefox' }],
    releases: [
      { cycle: '11', label: '11', isEnded: true },
      { cycle: '115', label: '115', isEnded: false, latest: '115.9' },
    ],
  },
  {
    product: 'django',
    label: 'Django',
    identifiers: [{ kind: 'purl', id: 'pkg:pypi/Django' }],
    releases: [{ cycle: '3.2', label: '3.2 LTS', endsOn: '2024-04-01' }],
  },
]
const lifecycles = lifecyclesOf(list)
const ON = '2026-01-15'
const nothing = {
  origin: 'windows' as const,
  name: '',
  version: '',
  purl: '',
  cpe: '',
  vendorKey: '',
  productKey: '',
}

test('a system ends with its release', () => {
  const of = (id: string, versionId: string, prettyName = '') =>
    endOfSystem(lifecycles, { id, versionId, prettyName }, ON)
  expect(of('ubuntu', '22.04.3')).toMatchObject({
    cycle: '22.04',
    isEnded: false,
    extendedUntil: '2032-04-09',
  })
  expect(of('ubuntu', '18.04')).toMatchObject({ cycle: '18.04', isEnded: true })
  expect(of('windows', '10.0.22631.3447', 'Windows 11 Pro')).toMatchObject({
    cycle: '11-23h2-w',
    isEnded: true,
  })
  expect(of('windows', '10.0.22631.3447', 'Windows 11 Enterprise')).toMatchObject({ isEnded: false })
  expect(of('ubuntu', '22')).toBeUndefined()
  expect(of('plan9', '4')).toBeUndefined()
})

test('the day of the end is still maintained, the next is not', () => {
  const release = { id: 'ubuntu', versionId: '18.04' }
  expect(endOfSystem(lifecycles, release, '2023-05-31')?.isEnded).toBe(false)
  expect(endOfSystem(lifecycles, release, '2023-06-01')?.isEnded).toBe(true)
})

test('a product is found by its CPE name, its package URL, or its normalised name', () => {
  const firefox = { ...nothing, vendorKey: 'mozilla', productKey: 'firefox' }
  expect(endOfLife(lifecycles, { ...firefox, version: '115.3.1' }, ON)).toMatchObject({
    cycle: '115',
    isEnded: false,
  })
  expect(endOfLife(lifecycles, { ...firefox, version: '11.0' }, ON)).toMatchObject({
    cycle: '11',
    isEnded: true,
  })
  expect(endOfLife(lifecycles, { ...firefox, version: '1150' }, ON)).toBeUndefined()
  const cpe = 'cpe:2.3:a:mozilla:firefox:11.0:*:*:*:*:*:*:*'
  expect(endOfLife(lifecycles, { ...nothing, cpe, version: '11.0' }, ON)).toMatchObject({
    product: 'firefox',
  })
  const django = { ...nothing, origin: 'sbom' as const, purl: 'pkg:pypi/django@3.2.1', version: '3.2.1' }
  expect(endOfLife(lifecycles, django, ON)).toMatchObject({ product: 'django', isEnded: true })
})

test('what a distribution maintains does not end with its makers', () => {
  const firefox = {
    ...nothing,
    origin: 'dpkg' as const,
    vendorKey: 'mozilla',
    productKey: 'firefox',
    version: '11.0',
  }
  expect(endOfLife(lifecycles, firefox, ON)).toBeUndefined()
})

interface Product {
  readonly name: string
  readonly label: string
  readonly identifiers: readonly Readonly<Record<string, string>>[] | null
  readonly releases: readonly { readonly releaseCycle: string; readonly eol?: string | boolean }[]
}

sharedData('endoflife/products.json.gz', 'the life cycles of endoflife.date', (path) => {
  const { products }: { products: readonly Product[] } = JSON.parse(
    gunzipSync(readFileSync(path)).toString('utf8'),
  )
  const all = lifecyclesOf(
    products.map(({ name, label, identifiers, releases }) => ({
      product: name,
      label,
      identifiers: (identifiers ?? []).flatMap((each) =>
        Object.entries(each).map(([kind, id]) => ({ kind, id })),
      ),
      releases: releases.map(({ releaseCycle, eol }) => ({
        cycle: releaseCycle,
        label: releaseCycle,
        ...(typeof eol === 'string' ? { endsOn: eol } : { isEnded: eol === true }),
      })),
    })),
  )

  test.each([
    ['debian', '11', 'Debian GNU/Linux 11', true],
    ['debian', '13', 'Debian GNU/Linux 13', false],
    ['centos', '7', 'CentOS Linux 7', true],
    ['rhel', '8.9', 'Red Hat Enterprise Linux 8.9', false],
    ['rocky', '9.3', 'Rocky Linux 9.3', false],
    ['alpine', '3.16.9', 'Alpine Linux v3.16', true],
    ['amzn', '2023', 'Amazon Linux 2023', false],
    ['sles', '15.5', 'SUSE Linux Enterprise Server 15 SP5', true],
    ['macos', '12.7.1', 'macOS 12.7.1', true],
    ['windows', '10.0.19045.4170', 'Windows 10 Pro', true],
    ['windows', '10.0.20348.2340', 'Windows Server 2022 Standard', false],
    ['windows', '6.3.9600', 'Windows Server 2012 R2', true],
  ])('%s %s', (...[id, versionId, prettyName, isEnded]) => {
    expect(endOfSystem(all, { id, versionId, prettyName }, ON)?.isEnded).toBe(isEnded)
  })

  test.each([
    ['python', 'python', '3.8.10', true],
    ['apache', 'tomcat', '8.5.99', true],
    ['openssl', 'openssl', '3.5.1', false],
    ['microsoft', 'sql_server', '16.0.1000', false],
  ])('%s %s %s', (...[vendorKey, productKey, version, isEnded]) => {
    expect(endOfLife(all, { ...nothing, vendorKey, productKey, version }, ON)?.isEnded).toBe(isEnded)
  })
})
