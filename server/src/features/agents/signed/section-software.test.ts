import { expect, test } from 'vitest'
import { softwareIn } from './section-software.ts'

test('the day of last use is taken as the agent tells it', () => {
  const row = { origin: 'macos', name: 'Sketch', version: '99', last_used_on: '2026-11-01' }
  expect(softwareIn({ complete: ['macos'], items: [row] }, []).items).toEqual([
    { origin: 'macos', name: 'Sketch', version: '99', lastUsedOn: '2026-11-01' },
  ])
})

test('a library comes with its package URL, its places and the package that it belongs to', () => {
  const row = {
    origin: 'library',
    name: 'idna',
    version: '3.3',
    purl: 'pkg:pypi/idna@3.3',
    paths: ['/usr/lib/python3/dist-packages/idna-3.3.dist-info/METADATA'],
    source: { name: 'python3-idna' },
  }
  expect(softwareIn({ complete: ['library'], items: [row] }, []).items).toEqual([row])
})

test('libraries that were not all looked for stay, packages of a manager that went do not', () => {
  expect(softwareIn({ complete: ['dpkg'], items: [] }, ['snap', 'library']).complete).toEqual([
    'dpkg',
    'snap',
  ])
  expect(softwareIn({ complete: ['library'], items: [] }, ['library']).complete).toEqual(['library'])
})
