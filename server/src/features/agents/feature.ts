import type { Feature } from '#platform/feature.ts'
import { countAgents } from './agents.ts'
import { commands } from './cli.ts'
import { graphql } from './graphql.ts'
import { protocols } from './protocols.ts'

export const agents: Feature = {
  name: 'agents',
  tables: {
    enrolment_tokens: 'directory',
    agents: 'tenant',
  },
  protocols,
  graphql,
  commands,
  gauges: [
    {
      name: 'rollcall_agents',
      help: 'Hosts that report by an agent of their own, by kind.',
      label: 'kind',
      count: countAgents,
    },
  ],
}
