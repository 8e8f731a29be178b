import type { Feature } from '#platform/feature.ts'
import { commands } from './cli.ts'
import { graphql } from './graphql.ts'
import { every } from './jobs.ts'
import { rest } from './rest.ts'

export const partners: Feature = {
  name: 'partners',
  tables: {
    partners: 'directory',
    partner_keys: 'directory',
    partner_requests: 'directory',
  },
  rest,
  graphql,
  commands,
  every,
}
