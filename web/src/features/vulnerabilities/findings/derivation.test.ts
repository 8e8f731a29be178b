import { expect, test } from 'vitest'
import { derivationSteps } from './derivation.ts'

const read = (derivation: unknown) =>
  Object.fromEntries(derivationSteps(derivation).map((it) => [it.name, it.texts]))

test('what a distribution says of its package, in the order in which it is checked', () => {
  const derivation = {
    by: 'distribution',
    feed: 'debian',
    record: 'CVE-2024-6387',
    ecosystem: 'Debian:12',
    package: 'openssh',
    rule: 'before 1:9.2p1-2+deb12u3',
    algorithm: 'dpkg',
    installedVersion: '1:9.2p1-2',
    fixedVersion: '1:9.2p1-2+deb12u3',
    fixedBy: 'DSA-5724-1',
    notes: ['source package openssh of Debian:12; the distribution’s word is final', ''],
  }
  expect(derivationSteps(derivation)).toEqual([
    { name: 'Installed', texts: ['1:9.2p1-2'] },
    { name: 'Affected', texts: ['before 1:9.2p1-2+deb12u3'] },
    { name: 'Fixed in', texts: ['1:9.2p1-2+deb12u3'] },
    { name: 'Fixed by', texts: ['DSA-5724-1'] },
    { name: 'Looked up as', texts: ['openssh in Debian:12'] },
    { name: 'Matched by', texts: ['what the distribution says of its own package'] },
    { name: 'Compared as', texts: ['Debian versions'] },
    { name: 'Notes', texts: ['source package openssh of Debian:12; the distribution’s word is final'] },
  ])
})

test('of a registry and of the CPE dictionary; a fix that nobody knows is not shown', () => {
  expect(read({ by: 'package', ecosystem: 'PyPI', package: 'jinja2', algorithm: 'pep440' })).toEqual({
    'Looked up as': ['jinja2 in PyPI'],
    'Matched by': ['what the registry says of the package that its URL names'],
    'Compared as': ['Python versions (PEP 440)'],
  })
  const notes = ['the product was found by its name', 'the version is what the service says of itself']
  expect(
    read({
      by: 'cpe',
      ecosystem: 'cpe',
      package: 'a:f5:nginx',
      algorithm: 'generic',
      fixedVersion: '',
      notes,
    }),
  ).toEqual({
    'Looked up as': ['a:f5:nginx in the CPE dictionary'],
    'Matched by': ['the product’s name in the CPE dictionary'],
    'Compared as': ['numbers, part by part'],
    Notes: notes,
  })
})

test('a way and an order that this page does not know keep their own words', () => {
  expect(read({ by: 'moon', algorithm: 'hackage' })).toEqual({
    'Matched by': ['moon'],
    'Compared as': ['hackage'],
  })
})

test.each([null, 'text', 5, undefined, [], { rule: { a: 1 } }])('%j has no lines', (derivation) => {
  expect(derivationSteps(derivation)).toEqual([])
})
