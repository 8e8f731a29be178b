import type { Feature } from '#platform/feature.ts'
import { commands } from './cli.ts'
import { graphql } from './graphql.ts'
import { protocols } from './protocols.ts'

export const agents: Feature = {
  name: 'agents',
  tables: {
    enrolment_tokens: 'directory',
    agents: 'tenant',
    agent_keys: 'directory',
  },
  protocols,
  graphql,
  commands,
}
