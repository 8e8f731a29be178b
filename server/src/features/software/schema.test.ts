import { expect, test } from 'vitest'
import { offeredAndPromised } from '#test/support/api-coverage/promised-schema.ts'
import { graphql } from './graphql.ts'

test('types, arguments and defaults are those that schema.graphql promises', () => {
  const { offered, promised } = offeredAndPromised(graphql)
  expect(offered).toEqual(promised)
})
