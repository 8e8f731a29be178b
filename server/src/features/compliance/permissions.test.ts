import { expect, test } from 'vitest'
import { guardedIn, toldWithoutPermission } from '#test/support/api-coverage/refused-without-permission.ts'
import { sharedTestApp } from '#test/support/app/test-app.ts'
import { believed } from '#test/support/http/graphql-client.ts'
import { graphql } from './graphql.ts'

const home = sharedTestApp({ contextOf: believed })

test.each(guardedIn(graphql))('%s is refused to who has every other permission', async (name) => {
  const { told, promised } = await toldWithoutPermission(home(), name)
  expect(told).toEqual(promised)
})
