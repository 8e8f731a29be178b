import fc from 'fast-check'
import { expect, test } from 'vitest'
import { packageOfPurl } from './purl-package.ts'
import { formatPurl, parsePurl } from './purl.ts'

/** After the examples of the specification's README. */
test.each([
  ['pkg:deb/debian/curl@7.50.3-1?arch=i386&distro=jessie', 'deb', 'debian', 'curl', '7.50.3-1'],
  [
    'pkg:golang/google.golang.org/genproto#googleapis/api/annotations',
    'golang',
    'google.golang.org',
    'genproto',
    '',
  ],
  ['pkg:npm/%40angular/animation@12.3.1', 'npm', '@angular', 'animation', '12.3.1'],
  ['pkg:npm/@angular/animation@12.3.1', 'npm', '@angular', 'animation', '12.3.1'],
  ['pkg:PyPI/Django_allauth@12.23', 'pypi', '', 'django-allauth', '12.23'],
  [
    'pkg://maven/org.apache.xmlgraphics/batik-anim@1.9.1?packaging=sources',
    'maven',
    'org.apache.xmlgraphics',
    'batik-anim',
    '1.9.1',
  ],
  ['pkg:rpm/fedora/curl@7.50.3-1.fc25?arch=i386', 'rpm', 'fedora', 'curl', '7.50.3-1.fc25'],
  ['pkg:generic/a%2Fb@1%40x', 'generic', '', 'a/b', '1@x'],
])('%s', (text, ...wanted) => {
  const purl = parsePurl(text)
  expect([purl?.type, purl?.namespace, purl?.name, purl?.version]).toEqual(wanted)
  expect(purl && parsePurl(formatPurl(purl))).toEqual(purl)
})

test.each([
  [''],
  ['pkg:'],
  ['pkg:npm'],
  ['pkg:npm/'],
  ['npm/a@1'],
  ['pkg:n!/a'],
  ['pkg:npm/%zz'],
  ['pkg:npm/a?=b'],
])('%j is none', (text) => expect(parsePurl(text)).toBeUndefined())

test('a package is called as its ecosystem calls it, with its source', () => {
  const of = (text: string) => {
    const purl = parsePurl(text)
    return purl && packageOfPurl(purl)
  }
  expect(of('pkg:maven/org.apache/commons@1')).toMatchObject({ name: 'org.apache:commons', version: '1' })
  expect(of('pkg:golang/github.com/x/y@v1.2.3')).toMatchObject({ name: 'github.com/x/y' })
  expect(
    of('pkg:rpm/redhat/openssl-libs@1.1.1k-12.el8?epoch=1&upstream=openssl-1.1.1k-12.el8.src.rpm'),
  ).toEqual({
    name: 'openssl-libs',
    version: '1:1.1.1k-12.el8',
    source: { name: 'openssl' },
  })
  expect(of('pkg:deb/debian/libc6@2.36?upstream=glibc%402.36-9')).toMatchObject({
    source: { name: 'glibc', version: '2.36-9' },
  })
})

test('any text is one or none', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const purl = parsePurl(`pkg:npm/${text}`)
      expect(purl === undefined || purl.type === 'npm').toBe(true)
      expect(purl && parsePurl(formatPurl(purl))).toEqual(purl)
    }),
  )
})
