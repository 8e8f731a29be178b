import type { Feature } from '#platform/feature.ts'
import { commands } from './cli.ts'
import { partnerConditions } from './partner-conditions-store.ts'
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
  subjects: { partner: 'partners:read' },
  conditions: (ctx) => [partnerConditions(ctx)],
  rest,
  graphql,
  commands,
  every,
}
