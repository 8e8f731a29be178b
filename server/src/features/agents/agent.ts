/** The programs whose protocols are taken; `agent` is our own. A source of observations has the same kind. */
export const agentKinds = ['agent', 'glpi', 'fusioninventory', 'ocs', 'osquery'] as const
export type AgentKind = (typeof agentKinds)[number]

export const agentNames: Readonly<Record<AgentKind, string>> = {
  agent: 'Rollcall agent',
  glpi: 'GLPI agent',
  fusioninventory: 'FusionInventory agent',
  ocs: 'OCS Inventory agent',
  osquery: 'osquery',
}

const HOUR_MS = 3_600_000
/** How often agents of a kind are told to report, in hours. */
export const reportEveryHours: Readonly<Record<AgentKind, number>> = {
  agent: 0.25,
  glpi: 24,
  fusioninventory: 24,
  ocs: 24,
  osquery: 1,
}

/** A host that reports by an agent of its own. Times are RFC 3339. */
export interface Agent {
  readonly id: string
  readonly kind: AgentKind
  /** What the agent calls itself. */
  readonly deviceId: string
  /** The key of its observation; not the device id where several hosts share that. */
  readonly sourceKey: string
  /** Of the host; empty until it has reported. */
  readonly name: string
  /** Of the agent; empty when it does not tell. */
  readonly version: string
  readonly address: string
  readonly tokenId: string
  /** Of the token; empty when it is gone. */
  readonly tokenName: string
  readonly tokenEndedAt: string | null
  /** The asset that it reports; null until it has reported, and for actors who do not read assets. */
  readonly assetId: string | null
  /** Of our own agent: since when its key is refused. */
  readonly revokedAt: string | null
  /** Of our own agent: what it reports is not taken until somebody approves it. */
  readonly isPending: boolean
  readonly firstSeenAt: string
  readonly lastContactAt: string
  readonly lastReportAt: string | null
  /** Why the latest report was refused; empty when it was taken. */
  readonly problem: string
}

export const agentStates = ['pending', 'reporting', 'waiting', 'silent', 'revoked'] as const
export type AgentState = (typeof agentStates)[number]

/** Reports may be late by one interval: hosts are switched off at night. */
const INTERVALS_UNTIL_SILENT = 2

/** After so long without a report an agent is silent. */
export const patienceMs = (kind: AgentKind): number =>
  INTERVALS_UNTIL_SILENT * reportEveryHours[kind] * HOUR_MS

/** `pending`: nobody has approved the host. `reporting`: a report came within two intervals. `waiting`: the first has not come yet. */
export function stateOf(agent: Agent, now: Date): AgentState {
  if (agent.revokedAt !== null) return 'revoked'
  if (agent.isPending) return 'pending'
  const since = Date.parse(agent.lastReportAt ?? agent.firstSeenAt)
  if (now.getTime() - since > patienceMs(agent.kind)) return 'silent'
  return agent.lastReportAt === null ? 'waiting' : 'reporting'
}

/** Why no report came, as far as the server can tell; empty for an agent that reports. */
export function silenceOf(agent: Agent, now: Date): string {
  if (stateOf(agent, now) === 'reporting') return agent.problem
  const { kind, problem, tokenEndedAt, lastReportAt, lastContactAt, revokedAt } = agent
  if (revokedAt !== null) return `revoked at ${revokedAt}`
  if (agent.isPending) return 'enrolled, and waits for somebody to approve it'
  if (problem !== '') return `its report was refused: ${problem}`
  // our own agent shows its token once, when it enrols
  if (kind !== 'agent' && tokenEndedAt !== null && Date.parse(tokenEndedAt) <= now.getTime())
    return `its token ${agent.tokenName} ended at ${tokenEndedAt}`
  if (lastReportAt !== null && lastContactAt <= lastReportAt) return `not heard of since ${lastContactAt}`
  return `connected at ${lastContactAt} and sent no inventory since`
}
