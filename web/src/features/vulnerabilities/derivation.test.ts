import { expect, test } from 'vitest'
import { linesOf } from './derivation.ts'

test('a derivation is read in the order in which it is checked; nothing empty is shown', () => {
  const derivation = {
    by: 'distribution',
    rule: '< 1:9.2p1-2+deb12u3',
    installedVersion: '1:9.2p1-2',
    fixedBy: '',
    notes: ['the release is known', ''],
  }
  expect(linesOf(derivation)).toEqual([
    { name: 'Installed', text: '1:9.2p1-2' },
    { name: 'Rule', text: '< 1:9.2p1-2+deb12u3' },
    { name: 'Matched by', text: 'distribution' },
    { name: 'Notes', text: 'the release is known' },
  ])
})

test.each([null, 'text', 5, undefined, []])('%j has no lines', (derivation) => {
  expect(linesOf(derivation)).toEqual([])
})
