import fc from 'fast-check'
import { expect, test } from 'vitest'
import { compareAttribute, cpeOf, formatCpe, parseCpe } from './cpe.ts'

test('formatted strings are read unescaped and written again', () => {
  const text = 'cpe:2.3:a:acme\\:co:foo\\\\bar\\&baz:1.0\\+x:*:-:en-us:pro:macos:x64:*'
  const cpe = parseCpe(text)
  expect(cpe).toEqual({
    part: 'a',
    vendor: 'acme:co',
    product: 'foo\\bar&baz',
    version: '1.0+x',
    update: '*',
    edition: '-',
    language: 'en-us',
    swEdition: 'pro',
    targetSw: 'macos',
    targetHw: 'x64',
    other: '*',
  })
  expect(cpe && formatCpe(cpe)).toBe(text)
})

/** From NIST IR 7695, section 6.1. */
test('URIs of version 2.2 are read, packed editions too', () => {
  expect(parseCpe('cpe:/a:microsoft:internet_explorer:8.0.6001:beta')).toMatchObject({
    ...cpeOf('a', 'microsoft', 'internet_explorer', '8.0.6001'),
    update: 'beta',
  })
  expect(parseCpe('cpe:/a:hp:insight_diagnostics:7.4.0.1570::~~online~win2003~x64~')).toMatchObject({
    update: '*',
    swEdition: 'online',
    targetSw: 'win2003',
    targetHw: 'x64',
  })
  expect(parseCpe('cpe:/a:foo%5cbar:big%24money')).toMatchObject({ vendor: 'foo\\bar', product: 'big$money' })
})

test.each([
  [''],
  ['cpe:2.3:a:b'],
  ['cpe:2.3:x:b:c:*:*:*:*:*:*:*:*'],
  ['cpe:/z:b'],
  ['cpe:2.3:a:b:c:*:*:*:*:*:*:*:*:*'],
  ['cpe:/a:%zz'],
])('%j is none', (text) => expect(parseCpe(text)).toBeUndefined())

/** NIST IR 7696, table 6-2. */
test.each([
  ['*', '*', 'equal'],
  ['*', '-', 'superset'],
  ['*', 'x', 'superset'],
  ['-', '*', 'subset'],
  ['-', '-', 'equal'],
  ['-', 'x', 'disjoint'],
  ['x', 'x', 'equal'],
  ['x', '*', 'subset'],
  ['x', '-', 'disjoint'],
  ['x', 'y', 'disjoint'],
  ['1.*', '1.2', 'superset'],
  ['*2', '1.2', 'superset'],
  ['1.?', '1.23', 'disjoint'],
  ['1.??', '1.23', 'superset'],
] as const)('%s to %s is %s', (pattern, name, relation) => {
  expect(compareAttribute(pattern, name)).toBe(relation)
})

test('any text is one or none, in linear time', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const cpe = parseCpe(`cpe:2.3:a:v:${text}:*:*:*:*:*:*:*:*`)
      expect(cpe === undefined || cpe.vendor === 'v').toBe(true)
    }),
  )
  expect(parseCpe(`cpe:2.3:a:${':\\'.repeat(50_000)}`)).toBeUndefined()
  expect(compareAttribute(`*${'a'.repeat(1_000)}*`, 'a'.repeat(999))).toBe('disjoint')
})
