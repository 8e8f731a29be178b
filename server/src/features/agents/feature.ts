import type { Feature } from '#platform/feature.ts'
import { commands } from './cli.ts'
import { conditionParts } from './agent-conditions.ts'
import { countAgentKeys, countAgents, newestReports } from './agents.ts'
import { files } from './files.ts'
import { graphql } from './graphql.ts'
import { releaseCommands } from './updates/cli.ts'
import { protocols, protocolsApart } from './protocols.ts'

export const agents: Feature = {
  name: 'agents',
  tables: {
    enrolment_tokens: 'directory',
    agents: 'tenant',
    agent_keys: 'directory',
    agent_releases: 'engine',
    agent_release_parts: 'engine',
  },
  protocols,
  protocolsApart,
  subjects: { agent: 'agents:read' },
  conditions: conditionParts,
  graphql,
  files,
  gauges: [
    {
      name: 'rollcall_agent_keys',
      help: 'Keys of our own agents, by whether they are valid, must be changed with the next report, or were revoked.',
      label: 'state',
      count: countAgentKeys,
    },
    {
      name: 'rollcall_agents',
      help: 'Agents by state; refused: whose latest report was not taken, whatever their state.',
      label: 'state',
      count: countAgents,
    },
    {
      name: 'rollcall_agent_newest_report_age_seconds',
      help: 'Time since the newest report of each kind of agent; absent until one has reported.',
      label: 'kind',
      count: newestReports,
    },
  ],
  commands: [...commands, ...releaseCommands],
}
