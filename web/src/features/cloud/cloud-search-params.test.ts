import { expect, test } from 'vitest'
import { readCloudSearch } from './cloud-search-params.ts'

test('links of earlier versions mean the same as a condition', () => {
  expect(readCloudSearch({ text: 'web', provider: 'Azure', kind: 'compute' })).toEqual({
    search: 'web',
    where: 'provider = Azure and type = compute',
  })
  expect(readCloudSearch({ where: 'region = eu-west-1' })).toEqual({ where: 'region = eu-west-1' })
})
