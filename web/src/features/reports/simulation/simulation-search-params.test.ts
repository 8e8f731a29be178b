import { expect, test } from 'vitest'
import { readSimulationSearch } from './simulation-search-params.ts'

test.each([
  [{}, {}],
  [{ kind: 'guess', name: 'Firefox' }, {}],
  [
    { kind: 'update_software', name: 'Firefox', version: 128, by: '2027-06-30' },
    { kind: 'update_software', name: 'Firefox', version: '128' },
  ],
  [
    { kind: 'replace_assets', by: '2027-06-30', name: 'x', where: 'type = laptop' },
    { kind: 'replace_assets', by: '2027-06-30', where: 'type = laptop' },
  ],
  [
    { kind: 'retire_system', name: ' Windows 10 ', where: ' ' },
    { kind: 'retire_system', name: 'Windows 10' },
  ],
])('%j is read as %j', (raw, search) => {
  expect(readSimulationSearch(raw)).toEqual(search)
})
