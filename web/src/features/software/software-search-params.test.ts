import { expect, test } from 'vitest'
import { readSoftwareSearch } from './software-search-params.ts'

test('links of earlier versions mean the same as a condition', () => {
  expect(readSoftwareSearch({ text: 'ssl', origin: 'dpkg' })).toEqual({
    search: 'ssl',
    where: 'origin = dpkg',
  })
  expect(readSoftwareSearch({ where: 'installs > 3', sort: 'installs' })).toEqual({
    where: 'installs > 3',
    sort: 'installs',
  })
})
