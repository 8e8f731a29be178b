import { expect, test } from 'vitest'
import { cyclonedx } from '../documents/cyclonedx.ts'
import { spdx } from '../documents/spdx.ts'
import type { DocumentFormat } from '../documents/document.ts'

const system = {
  debian: 'pkg:deb/debian/libc6@2.36-9?distro=debian-12',
  red: 'pkg:rpm/redhat/glibc@2.28-189.el8?distro=rhel-8.6',
  suse: 'pkg:rpm/suse/glibc@2.31-1?distro=sles-15.4',
  none: 'pkg:npm/left-pad@1.0.0',
}

const lines = async (format: DocumentFormat, text: string): Promise<(string | undefined)[]> => {
  const content = async function* () {
    yield Buffer.from(text)
  }
  return (await format.read(content)).report.items.map(({ purl }) => purl)
}

/** As Syft writes it, and as CycloneDX 1.5 has a place for it. */
const billOf = (of: keyof typeof system, purl: string, paths: readonly string[]): string =>
  JSON.stringify({
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    components: [
      { type: 'library', name: 'base', purl: system[of] },
      {
        type: 'library',
        name: 'lib',
        purl,
        properties: paths.slice(0, 1).map((value, at) => ({ name: `syft:location:${at}:path`, value })),
        evidence: { occurrences: paths.slice(1).map((location) => ({ location })) },
      },
    ],
  })

const python = 'pkg:pypi/urllib3@1.24.2'
const java = 'pkg:maven/commons-io/commons-io@2.6'

test.each<[string, keyof typeof system, string, readonly string[], boolean]>([
  [
    "Red Hat's own Python",
    'red',
    python,
    ['/usr/lib/python3.6/site-packages/urllib3-1.24.2.egg-info/PKG-INFO'],
    true,
  ],
  ['in its 64-bit folder', 'red', python, ['/usr/lib64/python3.9/site-packages/x/METADATA'], true],
  ['by pip', 'red', python, ['/usr/local/lib/python3.6/site-packages/x/METADATA'], false],
  ['in an environment', 'red', python, ['/opt/app/venv/lib/python3.6/site-packages/x/METADATA'], false],
  [
    'both',
    'red',
    python,
    ['/usr/lib/python3.6/site-packages/x', '/opt/x/lib/python3.6/site-packages/x'],
    false,
  ],
  ["Debian's own Python", 'debian', python, ['/usr/lib/python3/dist-packages/x.egg-info'], true],
  ['where pip writes on Debian', 'debian', python, ['/usr/local/lib/python3.11/dist-packages/x'], false],
  ['where pip writes on SUSE too', 'suse', python, ['/usr/lib/python3.6/site-packages/x'], false],
  ['a jar of the distribution', 'debian', java, ['/usr/share/java/commons-io-2.6.jar'], true],
  ['a jar of an application', 'debian', java, ['/opt/app/lib/commons-io-2.6.jar'], false],
  ['no distribution there', 'none', python, ['/usr/lib/python3/dist-packages/x'], false],
  ['no paths', 'red', python, [], false],
])('a library in the folders of a distribution: %s', async (...row) => {
  const [, of, purl, paths, isShipped] = row
  const [, found = ''] = await lines(cyclonedx, billOf(of, purl, paths))
  expect(found.includes('distro=')).toBe(isShipped)
  expect(found.startsWith(purl)).toBe(true)
})

test('an SPDX document of Syft says where a library lies', async () => {
  const packaged = (purl: string, sourceInfo?: string) => ({
    name: 'x',
    versionInfo: '1',
    sourceInfo,
    externalRefs: [{ referenceType: 'purl', referenceLocator: purl }],
  })
  const text = JSON.stringify({
    spdxVersion: 'SPDX-2.3',
    name: 'image',
    packages: [
      packaged(system.red),
      packaged(
        python,
        'acquired package info from installed python package manifest file: /usr/lib/python3.6/site-packages/u/PKG-INFO, /usr/lib/python3.6/site-packages/u/top_level.txt',
      ),
    ],
  })
  expect(await lines(spdx, text)).toEqual([system.red, `${python}?distro=rhel-8.6`])
})

test('the XML form says it as well', async () => {
  const text = `<bom xmlns="http://cyclonedx.org/schema/bom/1.5"><components>
    <component type="library"><name>c</name><purl>${system.debian}</purl></component>
    <component type="library"><name>u</name><version>1</version><purl>${python}</purl>
      <properties><property name="syft:location:0:path">/usr/lib/python3/dist-packages/u</property></properties>
    </component></components></bom>`
  const [, found] = await lines(cyclonedx, text)
  expect(found).toBe(`${python}?distro=debian-12`)
})
