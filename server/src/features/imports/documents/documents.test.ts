import { execFileSync } from 'node:child_process'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Refusal } from '#platform/errors.ts'
import { needs } from '#test/support/needs.ts'
import { formats } from '../formats/all.ts'
import { documentFormats } from './all.ts'
import { ENTRIES_MAX, type DocumentFormat } from './document.ts'

const cyclonedxJson = JSON.stringify({
  bomFormat: 'CycloneDX',
  specVersion: '1.5',
  metadata: { component: { type: 'container', name: 'shop', version: '7' } },
  components: [
    {
      type: 'library',
      name: 'libssl3',
      version: '3.0.11-1~deb12u2',
      purl: 'pkg:deb/debian/libssl3@3.0.11-1~deb12u2?arch=amd64&distro=debian-12&upstream=openssl',
      cpe: 'cpe:2.3:a:openssl:openssl:3.0.11:*:*:*:*:*:*:*',
      components: [
        {
          type: 'library',
          name: 'core',
          group: '@angular',
          version: '17.0.1',
          purl: 'pkg:npm/%40angular/core@17.0.1',
        },
      ],
    },
    { type: 'operating-system', name: 'debian', version: '12', description: 'Debian GNU/Linux 12' },
    { type: 'file', name: '/etc/passwd' },
    { type: 'library', version: '1' },
    { type: 'library', name: 'odd', purl: 'nonsense' },
  ],
})

const cyclonedxXml = `<?xml version="1.0" encoding="UTF-8"?>
<bom xmlns="http://cyclonedx.org/schema/bom/1.4" version="1">
  <metadata><component type="application"><name>shop</name></component></metadata>
  <components>
    <component type="library"><publisher>Apache</publisher><group>org.apache.logging.log4j</group><name>log4j-core</name>
      <version>2.14.1</version><purl>pkg:maven/org.apache.logging.log4j/log4j-core@2.14.1?type=jar&amp;x=1</purl></component>
  </components>
</bom>`

const spdxJson = JSON.stringify({
  spdxVersion: 'SPDX-2.3',
  name: 'shop',
  documentDescribes: ['SPDXRef-root'],
  packages: [
    { SPDXID: 'SPDXRef-root', name: 'shop-image', versionInfo: '7' },
    {
      SPDXID: 'SPDXRef-1',
      name: 'requests',
      versionInfo: '2.25.0',
      supplier: 'Organization: Python (x@example.org)',
      externalRefs: [{ referenceType: 'purl', referenceLocator: 'pkg:pypi/Requests@2.25.0' }],
    },
  ],
})

const spdxTags = `SPDXVersion: SPDX-2.2
DocumentName: shop
PackageName: requests
PackageVersion: 2.25.0
PackageComment: <text>two
PackageName: not one
lines</text>
ExternalRef: PACKAGE-MANAGER purl pkg:pypi/requests@2.25.0
`

const dpkgL = `Desired=Unknown/Install/Remove/Purge/Hold
| Status=Not/Inst/Conf-files/Unpacked/halF-conf/Half-inst/trig-aWait/Trig-pend
|/ Err?=(none)/Reinst-required (Status,Err: uppercase=bad)
||/ Name           Version          Architecture Description
+++-==============-================-============-=================================
ii  adduser        3.134            all          add and remove users and groups
hi  libc6:amd64    2.36-9+deb12u4   amd64        GNU C Library: Shared libraries
rc  nano           7.2-1            amd64        small, friendly text editor
`
const rpmQa = `bash-4.4.20-4.el8_6.x86_64
openssl-libs-1:1.1.1k-12.el8_9.x86_64
gpg-pubkey-8483c65d-5ccc5b19.(none)
java-1.8.0-openjdk-headless-1.8.0.402.b06-2.el8.x86_64
`
const apkList = `musl-1.2.4_git20230717-r4 x86_64 {musl} (MIT) [installed]
libcrypto3-3.1.4-r5 x86_64 {openssl} (Apache-2.0) [installed]
nano-7.2-r1 x86_64 {nano} (GPL-3.0-or-later) [upgradable from: x]
`

const samples: readonly (readonly [kind: DocumentFormat['kind'], title: string, text: string])[] = [
  ['cyclonedx', 'CycloneDX JSON', cyclonedxJson],
  ['cyclonedx', 'CycloneDX XML', cyclonedxXml],
  ['spdx', 'SPDX JSON', spdxJson],
  ['spdx', 'SPDX tags', spdxTags],
  ['dpkg-list', 'dpkg -l', dpkgL],
  ['dpkg-list', 'dpkg-query -W', 'adduser\t3.134\nlibc6:amd64\t2.36-9+deb12u4\nold\t\n'],
  ['rpm-list', 'rpm -qa', rpmQa],
  ['apk-list', 'apk list -I', apkList],
  ['apk-list', 'apk info -v', 'musl-1.2.4_git20230717-r4\nlibcrypto3-3.1.4-r5\n'],
]

const formatOf = (kind: string): DocumentFormat => {
  const found = documentFormats.find((each) => each.kind === kind)
  if (!found) throw new Error(kind)
  return found
}
async function* bytesOf(text: string): AsyncIterable<Buffer> {
  const bytes = Buffer.from(text)
  for (let at = 0; at < bytes.length; at += 1_000) yield bytes.subarray(at, at + 1_000)
}
const read = async (kind: DocumentFormat['kind'], text: string) => {
  const { rejections, ...document } = await formatOf(kind).read(() => bytesOf(text))
  return { ...document, ...rejections }
}

test('CycloneDX: packages with their source, nested ones, the system, and what cannot be taken', async () => {
  const { subject, report, rejected } = await read('cyclonedx', cyclonedxJson)
  expect(subject).toEqual({ name: 'shop', isMachine: false })
  expect(report.release).toMatchObject({ id: 'debian', versionId: '12' })
  expect(report.complete).toEqual(['sbom'])
  expect(report.items).toMatchObject([
    {
      origin: 'sbom',
      name: 'libssl3',
      version: '3.0.11-1~deb12u2',
      arch: 'amd64',
      source: { name: 'openssl' },
    },
    { name: '@angular/core', version: '17.0.1' },
  ])
  expect(rejected).toEqual([
    { line: 1, field: 'components[3].name', message: 'is missing' },
    { line: 1, field: 'components[4].purl', message: 'is no package URL: "nonsense"' },
  ])
})

test('CycloneDX as XML says the same', async () => {
  const { subject, report, rejected } = await read('cyclonedx', cyclonedxXml)
  expect([subject?.name, rejected]).toEqual(['shop', []])
  expect(report.items).toMatchObject([
    { name: 'org.apache.logging.log4j:log4j-core', version: '2.14.1', vendor: 'Apache' },
  ])
})

test('SPDX: all packages but the one that the document is about', async () => {
  const { subject, report } = await read('spdx', spdxJson)
  expect(subject?.name).toBe('shop-image')
  expect(report.items).toMatchObject([{ name: 'requests', version: '2.25.0', vendor: 'Python' }])
})

test('SPDX as tags and values says the same', async () => {
  const { subject, report } = await read('spdx', spdxTags)
  expect(subject?.name).toBe('shop')
  expect(report.items).toMatchObject([
    { name: 'requests', version: '2.25.0', purl: 'pkg:pypi/requests@2.25.0' },
  ])
  expect((await read('spdx', `SPDXVersion: SPDX-2.2\nPackageName: a\u0007\n`)).rejected).toEqual([
    { line: 2, field: 'package 1.name', message: 'holds a control character' },
  ])
})

test('dpkg lists what is installed, not what was removed', async () => {
  expect((await read('dpkg-list', dpkgL)).report).toEqual({
    complete: ['dpkg'],
    items: [
      { origin: 'dpkg', name: 'adduser', version: '3.134', arch: 'all' },
      { origin: 'dpkg', name: 'libc6', version: '2.36-9+deb12u4', arch: 'amd64' },
    ],
  })
  expect((await read('dpkg-list', 'libc6:amd64\t2.36-9\nnonsense\n')).rejected).toEqual([
    { line: 2, field: 'package', message: 'is no line of the list: "nonsense"' },
  ])
})

test('rpm: names with dashes, epochs, keys without architecture', async () => {
  expect(
    (await read('rpm-list', rpmQa)).report.items.map(({ name, version, arch }) => [name, version, arch]),
  ).toEqual([
    ['bash', '4.4.20-4.el8_6', 'x86_64'],
    ['openssl-libs', '1:1.1.1k-12.el8_9', 'x86_64'],
    ['gpg-pubkey', '8483c65d-5ccc5b19', undefined],
    ['java-1.8.0-openjdk-headless', '1.8.0.402.b06-2.el8', 'x86_64'],
  ])
})

test('apk: with and without the origin of the package', async () => {
  expect((await read('apk-list', apkList)).report.items).toEqual([
    {
      origin: 'apk',
      name: 'musl',
      version: '1.2.4_git20230717-r4',
      arch: 'x86_64',
      source: { name: 'musl' },
    },
    { origin: 'apk', name: 'libcrypto3', version: '3.1.4-r5', arch: 'x86_64', source: { name: 'openssl' } },
  ])
  expect((await read('apk-list', 'musl-1.2.4-r4\n')).report.items).toEqual([
    { origin: 'apk', name: 'musl', version: '1.2.4-r4' },
  ])
})

describe.each(samples)('%s: %s', (kind, _, text) => {
  test('is told by its beginning, from all others', () => {
    const head = text.slice(0, 4096)
    expect(documentFormats.filter((each) => each.recognises(head)).map((each) => each.kind)).toEqual([kind])
    const shorter = head.slice(0, head.lastIndexOf('\n', head.length - 2) + 8)
    expect(documentFormats.some((each) => each.recognises(shorter) && each.kind !== kind)).toBe(false)
  })

  test('cut off or spoilt anywhere it is read or refused, and never anything else', async () => {
    const outcome = async (file: string): Promise<unknown> => {
      try {
        return (await read(kind, file)).report.items
      } catch (error) {
        return error
      }
    }
    const spoilt = fc.tuple(fc.nat(text.length), fc.string({ unit: 'binary' }), fc.nat(20))
    await fc.assert(
      fc.asyncProperty(spoilt, async ([at, junk, less]) => {
        for (const file of [text.slice(0, at), text.slice(0, at) + junk + text.slice(at + less)]) {
          const found = await outcome(file)
          expect(Array.isArray(found) || found instanceof Refusal).toBe(true)
        }
      }),
    )
  })
})

test('more entries than any machine has, and deeper ones, are left out and said', async () => {
  const components = Array.from({ length: ENTRIES_MAX + 2 }, (_, n) => ({
    type: 'library',
    name: `p${n}`,
    version: '1',
  }))
  const { report, rejected } = await read('cyclonedx', JSON.stringify({ bomFormat: 'CycloneDX', components }))
  expect([report.items.length, rejected.length]).toEqual([ENTRIES_MAX, 2])
  const deep = `${'{"name":"a","components":['.repeat(5_000)}${']}'.repeat(5_000)}`
  expect(
    (await read('cyclonedx', `{"bomFormat":"CycloneDX","components":[${deep}]}`)).report.items.length,
  ).toBeLessThan(50)
  const xml = `<bom><components>${'<component><name>a</name><components>'.repeat(2_000)}`
  await expect(read('cyclonedx', xml)).rejects.toThrow(Refusal)
  await expect(read('cyclonedx', '<!DOCTYPE bom [<!ENTITY a "b">]><bom/>')).rejects.toThrow('document type')
  expect((await read('rpm-list', 'a-'.repeat(100_000))).rejected).toHaveLength(1)
})

test('tables and lists of things are none of these', () => {
  for (const head of [
    'name,ipAddress\na,10.0.0.1\n',
    '<nmaprun scanner="nmap">',
    '{"a":1}',
    'hostname\nweb-1\n',
  ])
    expect(documentFormats.filter((each) => each.recognises(head))).toEqual([])
  expect(formats.length).toBeGreaterThan(0)
})

needs('dpkg-query')('what this machine has installed', () => {
  test.each([
    ['dpkg', ['-l']],
    ['dpkg-query', ['-W']],
  ])('%s %s', async (program, args) => {
    const text = execFileSync(program, args, { encoding: 'utf8', maxBuffer: 67_108_864 })
    const format = documentFormats.find((each) => each.recognises(text.slice(0, 4096)))
    const { report, rejected } = await read(format?.kind ?? 'spdx', text)
    expect(rejected).toEqual([])
    expect(report.items.find(({ name }) => name === 'dpkg')?.version).toMatch(/^\d/)
  })
})
