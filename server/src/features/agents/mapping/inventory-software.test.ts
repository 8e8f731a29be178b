import { expect, test } from 'vitest'
import { softwareIn } from './inventory-software.ts'

test('software of an origin that is a word of JavaScript is of the origin of the system', () => {
  const softwares = ['constructor', '__proto__', 'deb'].map(
    (from) => new Map(Object.entries({ name: 'a', from })),
  )
  const origins = (id: string) =>
    softwareIn(new Map([['softwares', softwares]]), { id, versionId: '1' }, []).items.map(
      ({ origin }) => origin,
    )
  expect(origins('windows')).toEqual(['windows', 'windows', 'dpkg'])
  expect(origins('constructor')).toEqual(['dpkg'])
})
