import { expect, test } from 'vitest'
import { sharedTestApp } from '#test/support/app/test-app.ts'
import { checkedCondition } from './checked-condition.ts'

const home = sharedTestApp()
const onNewAsset = { kind: 'event', eventTypes: ['NEW_ASSET'] } as const

test.each([
  ['', ''],
  [' \n', ''],
  ['  event.asset_name : print ', 'event.asset_name : print'],
  ['asset.serial = PF0AAA01', 'asset.serial = PF0AAA01'],
])('of the condition %j is kept %j', async (text, kept) => {
  expect(await checkedCondition(await home().newTenant(), 'where', text, onNewAsset)).toBe(kept)
})

test.each(['(', 'event.nothing = 1', 'nothing = 1'])(
  'the condition %j is refused by its field',
  async (text) => {
    await expect(checkedCondition(await home().newTenant(), 'where', text, onNewAsset)).rejects.toMatchObject(
      {
        status: 400,
        extras: { field: 'where' },
      },
    )
  },
)
