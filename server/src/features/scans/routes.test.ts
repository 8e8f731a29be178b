import { expect, test } from 'vitest'
import { servedAndPromised } from '#test/support/api-coverage/promised-routes.ts'
import { rest } from './rest.ts'

test('endpoints take and answer what openapi.json promises', () => {
  const { served, promised } = servedAndPromised(rest)
  expect(served).toEqual(promised)
})
