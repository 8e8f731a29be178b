import { expect, test } from 'vitest'
import { offeredBy } from '#test/support/api-coverage/committed-pages.ts'

test('commands and GraphQL of the room are what the committed pages promise', () => {
  const { now, committed } = offeredBy(
    'compliance',
    /compliance|framework|attest|check|control|statement|excepti|moved|asked|affected|implementation|TextImport/i,
  )
  expect(now.graphql.length).toBeGreaterThan(60)
  expect(now).toEqual(committed)
})
