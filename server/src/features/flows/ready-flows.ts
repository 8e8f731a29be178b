/** Flows that many people want on their first day: what a new flow can begin with. */
export interface ReadyFlow {
  readonly id: string
  readonly name: string
  readonly description: string
  /** See `readDefinition`. */
  readonly definition: unknown
}

const onEvent = (...eventTypes: readonly string[]) => ({ kind: 'event', eventTypes })
const tag = (...tags: readonly string[]) => ({ action: 'add_tags', with: { tags } })
const post = (body: string) => ({ action: 'http_request', with: { url: 'https://example.org/hook', body } })

export const readyFlows: readonly ReadyFlow[] = [
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
    id: 'exploited-vulnerability',
    name: 'Exploited vulnerability found',
    description: 'Tags assets with a finding that is known to be exploited, and marks them as critical.',
    definition: {
      trigger: onEvent('VULNERABILITY_FOUND'),
      condition: 'any finding(kev = yes)',
      coolDownMinutes: 1_440,
      steps: [tag('exploited'), { action: 'set_weight', with: { criticality: 'high' } }],
    },
  },
  {
    id: 'critical-finding-to-chat',
    name: 'Critical finding to another system',
    description:
      'Sends an HTTP POST for each critical finding. Change the address to that of your chat or ticket system.',
    definition: {
      trigger: onEvent('VULNERABILITY_FOUND'),
      condition: 'event.severity = critical',
      steps: [post('{"text": "{{event.cve_id}} on {{asset.name}}"}')],
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
    description: 'Tells another system that an asset was deleted or merged away.',
    definition: {
      trigger: onEvent('DELETED_ASSET'),
      steps: [post('{"removed": "{{event.asset_name}}", "reason": "{{event.reason | default:"deleted"}}"}')],
    },
  },
  {
    id: 'scan-finished',
    name: 'Scan finished',
    description: 'Tells another system how many assets a scan found.',
    definition: {
      trigger: onEvent('SCAN_COMPLETED'),
      steps: [post('{"text": "{{event.target}}: {{event.asset_count}} assets"}')],
    },
  },
  {
    id: 'monday-morning',
    name: 'Monday morning',
    description: 'Sends an HTTP POST at the beginning of the week.',
    definition: {
      trigger: { kind: 'schedule', cron: '0 8 * * 1', zone: 'UTC' },
      steps: [post('{"text": "A new week"}')],
    },
  },
  {
    id: 'retire',
    name: 'Retire chosen assets',
    description: 'By hand: records the state retired for the assets that it is started for, and tags them.',
    definition: {
      trigger: { kind: 'manual' },
      steps: [{ action: 'set_record', with: { field: 'state', value: 'retired' } }, tag('retired')],
    },
  },
]
