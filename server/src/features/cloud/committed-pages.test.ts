import { expect, test } from 'vitest'
import { offeredBy } from '#test/support/api-coverage/committed-pages.ts'

test('commands and GraphQL of the room are what the committed pages promise', () => {
  const { now, committed } = offeredBy('cloud', /cloud|RegionCarbon/i)
  expect(now.graphql.length).toBeGreaterThan(20)
  expect(now).toEqual(committed)
})
