/** Flows that many people want on their first day: what a new flow can begin with. */
export interface ReadyFlow {
  readonly id: string
  readonly name: string
  readonly description: string
  /** See `readDefinition`. */
  readonly definition: unknown
  /** A condition on assets: without one for which it is true, there is nothing that it could run for. Empty: none. */
  readonly facts: string
}

const onEvent = (...eventTypes: readonly string[]) => ({ kind: 'event', eventTypes })
const tag = (...tags: readonly string[]) => ({ action: 'add_tags', with: { tags } })
/** Mail to whoever publishes the flow. */
const tellMe = (subject: string) => ({ action: 'send_notice', with: { to: ['me'], subject } })

const list: readonly (Omit<ReadyFlow, 'facts'> & { readonly facts?: string })[] = [
  {
    id: 'new-device-in-network',
    name: 'New device in the server network',
    description:
      'Tags devices that appear in a network where nothing new is expected. Change the network to yours.',
    definition: {
      trigger: onEvent('NEW_ASSET'),
      condition: 'asset.ip = 10.0.0.0/24',
      steps: [tag('unexpected')],
    },
  },
  {
    id: 'exploited-on-the-internet',
    name: 'Exploited vulnerability on an internet asset',
    description:
      'Tags assets that can be reached from the internet and have a finding that is known to be exploited, and marks them as critical.',
    facts: 'exposure = internet',
    definition: {
      trigger: onEvent('VULNERABILITY_FOUND'),
      condition: 'asset.exposure = internet and any finding(exploited = yes)',
      coolDownMinutes: 1_440,
      steps: [tag('exploited'), { action: 'set_weight', with: { criticality: 'high' } }],
    },
  },
  {
    id: 'critical-finding-to-chat',
    name: 'Notice of each critical finding',
    description:
      'Mails you about each critical finding. Name a channel instead of yourself to tell a chat room.',
    definition: {
      trigger: onEvent('VULNERABILITY_FOUND'),
      condition: 'event.severity = critical',
      steps: [tellMe('{{event.cve_id}} on {{asset.name}}')],
    },
  },
  {
    id: 'unclear-device',
    name: 'Device that nobody recognised',
    description: 'Tags new assets that recognition is unsure about, so that a person looks at them.',
    definition: {
      trigger: onEvent('NEW_ASSET'),
      condition: 'asset.confidence < 0.5 or not has asset.device_type',
      steps: [tag('to identify')],
    },
  },
  {
    id: 'no-owner',
    name: 'New server without an owner',
    description: 'Waits a day, then tags servers for which nobody has recorded an owner.',
    definition: {
      trigger: onEvent('NEW_ASSET'),
      condition: 'asset.type = server',
      steps: [
        { action: 'wait', minutes: 1_440 },
        { action: 'if', condition: 'not has asset.owner', steps: [tag('without owner')] },
      ],
    },
  },
  {
    id: 'cloud-machine',
    name: 'New machine in a cloud',
    facts: 'asset_type in (cloud_resource, virtual_machine)',
    description: 'Tags assets that a cloud connection found first.',
    definition: {
      trigger: onEvent('NEW_ASSET'),
      condition: 'event.source = cloud_provider',
      steps: [tag('cloud')],
    },
  },
  {
    id: 'asset-removed',
    name: 'Asset removed',
    description: 'Mails you when an asset was deleted or merged away.',
    definition: {
      trigger: onEvent('DELETED_ASSET'),
      steps: [tellMe('{{event.asset_name}} was removed: {{event.reason | default:"deleted"}}')],
    },
  },
  {
    id: 'scan-finished',
    name: 'Scan finished',
    description: 'Mails you how many assets a scan found.',
    definition: {
      trigger: onEvent('SCAN_COMPLETED'),
      steps: [tellMe('{{event.target}}: {{event.asset_count}} assets')],
    },
  },
  {
    id: 'agent-silent',
    name: 'Agent silent for 14 days',
    description: 'Tags assets whose agent has not reported for two weeks.',
    facts: 'source_kind in (agent, glpi, fusioninventory, ocs, osquery)',
    definition: {
      trigger: {
        kind: 'query',
        condition: 'source_kind in (agent, glpi, fusioninventory, ocs, osquery) and last_seen < -14d',
        on: 'enter',
        per: 'asset',
      },
      steps: [tag('agent silent')],
    },
  },
  {
    id: 'warranty-ends',
    name: 'Warranty ends in 30 days',
    description: 'Tags the asset and mails you once, in time to replace or extend.',
    facts: 'has warranty_ends',
    definition: {
      trigger: { kind: 'query', condition: 'warranty_ends < +30d', on: 'enter', per: 'asset' },
      steps: [tag('warranty ends'), tellMe('The warranty of {{asset.name}} ends within 30 days')],
    },
  },
  {
    id: 'certificate-ends',
    name: 'Certificate ends in 30 days',
    description: 'Tags the asset and mails you when the first of its certificates ends within a month.',
    facts: 'any certificate(has expires)',
    definition: {
      trigger: { kind: 'query', condition: 'any certificate(expires < +30d)', on: 'enter', per: 'asset' },
      steps: [tag('certificate ends'), tellMe('A certificate on {{asset.name}} ends within 30 days')],
    },
  },
  {
    id: 'workstation-unseen',
    name: 'Workstation with an owner unseen for 30 days',
    description:
      'Tags workstations that somebody owns and no source has seen for a month: lost, or kept by a leaver.',
    facts: 'type = workstation and has owner',
    definition: {
      trigger: {
        kind: 'query',
        condition: 'type = workstation and has owner and last_seen < -30d',
        on: 'enter',
        per: 'asset',
      },
      steps: [tag('unseen')],
    },
  },
  {
    id: 'retire',
    name: 'Retire chosen assets',
    description: 'By hand: once somebody has approved it, records the state retired for the chosen assets.',
    definition: {
      trigger: { kind: 'manual' },
      steps: [
        { action: 'request_approval', name: 'ask', with: { question: 'Retire {{asset.name}}?' } },
        { action: 'wait_for_approval', request: 'ask', otherwise: [] },
        { action: 'set_record', with: { field: 'state', value: 'retired' } },
        tag('retired'),
      ],
    },
  },
]

export const readyFlows: readonly ReadyFlow[] = list.map((it) => ({ facts: '', ...it }))
