import { expect, test } from 'vitest'
import type { InstalledSoftware } from '#features/assets/observation.ts'
import { entryOf } from './software-entry.ts'

const library: InstalledSoftware = {
  origin: 'library',
  name: 'Django',
  version: '1.11.29',
  purl: 'pkg:pypi/django@1.11.29',
  source: { name: 'py3-django' },
}

const { source: _, ...nobodys } = library

test.each([
  ['Alpine', { id: 'alpine', versionId: '3.18.4' }, library, '?distro=alpine-3.18.4'],
  ['Wolfi', { id: 'wolfi', versionId: '20230201' }, library, '?distro=wolfi-20230201'],
  ['Debian, which lists what is open', { id: 'debian', versionId: '12' }, library, ''],
  ['a library of nobody', { id: 'alpine', versionId: '3.18.4' }, nobodys, ''],
  ['a package', { id: 'alpine', versionId: '3.18.4' }, { ...library, origin: 'apk' as const }, ''],
])(
  'a library says which distribution brought it where its registry is asked as well: %s',
  (_, release, item, told) => {
    expect(entryOf(item, release)?.purl).toBe(`pkg:pypi/django@1.11.29${told}`)
  },
)
