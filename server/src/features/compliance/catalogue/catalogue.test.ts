import { expect, test } from 'vitest'
import { frameworks, textOf } from './catalogue.ts'

test.each([
  ['nist-sp-800-53-r5', 1_189],
  ['nist-csf-2.0', 106],
  ['nis2-article-21', 16],
  ['cis-8.1', 153],
  ['iso-27001-2022', 93],
  ['pci-dss-4.0.1', 280],
  ['soc-2', 61],
])('%s has %i controls', (slug, count) => {
  const { controls = [] } = frameworks.find((it) => it.slug === slug) ?? {}
  expect(controls.filter(({ isHeading }) => !isHeading)).toHaveLength(count)
})

test('texts come with the product where the licence allows it', async () => {
  expect(await textOf('nist-sp-800-53-r5', 'CM-8(3)')).toContain(
    '[Assignment: organization-defined automated mechanisms]',
  )
  expect(await textOf('nis2-article-21', '21.4')).toContain('without undue delay')
  expect(await textOf('nist-sp-800-53-r5', '__proto__')).toBeUndefined()
  expect(await textOf('iso-27001-2022', 'A.5.7')).toBeUndefined()
})
