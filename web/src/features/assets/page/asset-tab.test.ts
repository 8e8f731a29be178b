import { expect, test } from 'vitest'
import { readAssetTab } from './asset-tab.ts'

test('a tab has an address; what is none is the overview', () => {
  expect(readAssetTab({ tab: 'identity' })).toEqual({ tab: 'identity' })
  for (const tab of ['overview', 'toString', 7, undefined]) expect(readAssetTab({ tab })).toEqual({})
})
