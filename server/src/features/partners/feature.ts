import type { Feature } from '#platform/feature.ts'
import { commands } from './cli.ts'
import { files } from './listing/files.ts'
import { partnerConditions } from './listing/partner-conditions-store.ts'
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
  files,
  rest,
  graphql,
  commands,
  every,
}
