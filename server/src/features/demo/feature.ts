import type { Feature } from '#platform/feature.ts'
import { commands } from './cli.ts'
import { graphql } from './graphql.ts'
import { every, jobs } from './own-demo.ts'
import { sessionRoutes } from './session-routes.ts'

export const demo: Feature = {
  name: 'demo',
  tables: {},
  commands,
  graphql,
  jobs,
  every,
  session: sessionRoutes,
}
