import type { AgentRow } from '#api/generated/agents.ts'

const programs: Readonly<Record<AgentRow['kind'], string>> = {
  agent: 'Rollcall agent',
  glpi: 'GLPI agent',
  fusioninventory: 'FusionInventory agent',
  ocs: 'OCS agent',
  osquery: 'osquery',
}

export const programName = (kind: AgentRow['kind']): string => programs[kind]

/** Of its host; what the agent calls itself until it has reported. */
export const agentName = ({ name, deviceId }: Pick<AgentRow, 'name' | 'deviceId'>): string => name || deviceId

/** Programs of others are told nothing by us. */
export const isOurs = ({ kind, state }: Pick<AgentRow, 'kind' | 'state'>): boolean =>
  kind === 'agent' && state !== 'revoked'
