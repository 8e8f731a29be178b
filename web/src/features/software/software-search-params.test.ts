import { expect, test } from 'vitest'
import { originName, readSoftwareSearch, variablesOf } from './software-search-params.ts'

test('what is not understood is left out', () => {
  expect(readSoftwareSearch({ text: 5, origin: 'floppy', other: 'x' })).toEqual({})
  expect(readSoftwareSearch({ text: 'ssl', origin: 'dpkg' })).toEqual({ text: 'ssl', origin: 'dpkg' })
})

test('nothing chosen asks for everything', () => {
  expect(variablesOf({})).toEqual({ filter: { search: null, origin: null, vendor: null } })
})

test('an origin that this page does not know keeps its own word', () => {
  expect(originName('dpkg')).toBe('Debian packages')
  expect(originName('nix')).toBe('nix')
})
