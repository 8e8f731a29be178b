import { expect, test } from 'vitest'
import { offeredBy } from '#test/support/api-coverage/committed-pages.ts'

test('commands and GraphQL of the room are what the committed pages promise', () => {
  const { now, committed } = offeredBy('demo', /demo/i)
  expect(now.graphql.length).toBeGreaterThan(0)
  expect(now).toEqual(committed)
})
