import { Type, type TObject } from 'typebox'

/** One event type: when it is sent, the JSON Schema of its payload, and an example. */
export interface EventKind {
  readonly sentWhen: string
  /** Receivers ignore unknown fields, so every payload may get additional ones. */
  readonly payload: TObject
  readonly sample: Readonly<Record<string, unknown>>
  /** What it tells of its asset before the change: fields of conditions on assets; `custom` are all custom fields. */
  readonly before?: readonly string[]
}

const uuid = Type.String({ format: 'uuid' })
const instant = Type.String({ format: 'date-time' })
const text = Type.String()
const oneOf = (...values: string[]) => Type.Union(values.map((value) => Type.Literal(value)))
const optional = Type.Optional

const aboutAsset = { asset_id: uuid, asset_name: text, tenant_id: uuid }
const controlStatus = oneOf('pass', 'fail', 'warning', 'not_applicable', 'not_assessed')
const assetSource = oneOf('discovery', 'agent_scan', 'cloud_provider', 'passive', 'manual')

const attributes = [
  'name',
  'hostname',
  'serial',
  'vendor',
  'model',
  'os',
  'type',
  'asset_type',
  'device_type',
  'confidence',
  'tag',
]

const TENANT = '5c0e2f0a-3f0a-4a53-9d0f-0d1d7a5f8a10'
const ASSET = '0b8f0f6e-6c39-4f3c-8d59-2f6a1f0b7c21'
const OTHER = '7d1c9a44-90b5-4a52-b0c6-51d6f2f3e832'
const AT = '2026-03-14T09:26:53.589Z'
const sampleAsset = { asset_id: ASSET, asset_name: 'berlin-print-2', tenant_id: TENANT }

/** Every event type that a receiver can subscribe to. */
export const catalogue = {
  NEW_ASSET: {
    sentWhen: 'a new asset is discovered by a scan, an agent, a cloud connector or an import',
    payload: Type.Object({
      ...aboutAsset,
      asset_type: optional(text),
      source: optional(assetSource),
      confidence: optional(Type.Number()),
      first_seen: optional(instant),
    }),
    sample: { ...sampleAsset, asset_type: 'device', source: 'discovery', confidence: 0.9, first_seen: AT },
  },
  UPDATED_ASSET: {
    sentWhen:
      'an asset is identified better, duplicates are merged into it, or a custom field is set or cleared',
    payload: Type.Object({
      ...aboutAsset,
      changed_fields: optional(
        Type.Array(Type.String({ pattern: '^(confidence|merged|custom_field:[\\s\\S]+)$' })),
      ),
      custom_field: optional(Type.Object({ id: text, name: text, value: Type.Unknown(), operation: text })),
      source: optional(text),
      updated_at: optional(instant),
    }),
    sample: {
      ...sampleAsset,
      changed_fields: ['custom_field:cost centre'],
      custom_field: { id: OTHER, name: 'cost centre', value: '4711', operation: 'set' },
      updated_at: AT,
    },
    before: [...attributes, 'custom'],
  },
  DELETED_ASSET: {
    sentWhen: 'an asset is deleted, or removed because it was merged into another',
    payload: Type.Object({ ...aboutAsset, reason: optional(text), deleted_at: optional(instant) }),
    sample: { ...sampleAsset, reason: 'merged', deleted_at: AT },
    before: attributes,
  },
  NEW_SOURCE: {
    sentWhen: 'a data source sends its first observations',
    payload: Type.Object({
      source_id: uuid,
      tenant_id: uuid,
      source_type: text,
      name: text,
      connected_at: instant,
    }),
    sample: { source_id: OTHER, tenant_id: TENANT, source_type: 'csv', name: 'stock list', connected_at: AT },
  },
  EXPORT_COMPLETED: {
    sentWhen:
      'an export of assets, of a report, of a compliance report or of a statement of applicability finishes',
    payload: Type.Object({
      export_id: uuid,
      tenant_id: uuid,
      kind: oneOf('assets', 'report', 'compliance_report', 'statement_of_applicability'),
      format: text,
      completed_at: instant,
      row_count: optional(Type.Integer()),
      filename: optional(text),
      resource_id: optional(text),
      framework: optional(text),
    }),
    sample: {
      export_id: OTHER,
      tenant_id: TENANT,
      kind: 'assets',
      format: 'csv',
      completed_at: AT,
      row_count: 1830,
      filename: 'assets.csv',
    },
  },
  UNLINK: {
    sentWhen: 'two assets that were identified as one are separated; one event for each new asset',
    payload: Type.Object({
      asset_id_a: uuid,
      asset_id_b: uuid,
      tenant_id: uuid,
      reason: text,
      unlinked_at: instant,
    }),
    sample: { asset_id_a: ASSET, asset_id_b: OTHER, tenant_id: TENANT, reason: 'manual', unlinked_at: AT },
  },
  SCAN_COMPLETED: {
    sentWhen: 'a scan job finishes',
    payload: Type.Object({
      scan_id: uuid,
      tenant_id: uuid,
      scan_type: text,
      target: text,
      asset_count: Type.Integer(),
      duration_ms: Type.Integer(),
      completed_at: instant,
    }),
    sample: {
      scan_id: OTHER,
      tenant_id: TENANT,
      scan_type: 'sweep',
      target: '192.0.2.0/24',
      asset_count: 118,
      duration_ms: 9412,
      completed_at: AT,
    },
  },
  VULNERABILITY_FOUND: {
    sentWhen: 'a new finding is matched to an asset',
    payload: Type.Object({
      vulnerability_id: uuid,
      asset_id: uuid,
      tenant_id: uuid,
      cve_id: text,
      severity: oneOf('critical', 'high', 'medium', 'low', 'informational'),
      match_type: oneOf('exact', 'fuzzy', 'heuristic'),
      confidence: Type.Number(),
      found_at: instant,
    }),
    sample: {
      vulnerability_id: OTHER,
      asset_id: ASSET,
      tenant_id: TENANT,
      cve_id: 'CVE-2024-3094',
      severity: 'critical',
      match_type: 'exact',
      confidence: 0.98,
      found_at: AT,
    },
  },
  COMPLIANCE_UPDATED: {
    sentWhen: "a compliance control's evaluated status changes",
    payload: Type.Object({
      compliance_id: text,
      asset_id: Type.Literal(''),
      asset_ids: Type.Array(uuid),
      tenant_id: uuid,
      framework: text,
      control_id: text,
      status: controlStatus,
      previous_status: controlStatus,
      updated_at: instant,
    }),
    sample: {
      compliance_id: OTHER,
      asset_id: '',
      asset_ids: [ASSET],
      tenant_id: TENANT,
      framework: 'iso-27001',
      control_id: 'A.8.8',
      status: 'fail',
      previous_status: 'pass',
      updated_at: AT,
    },
  },
  FLOW_TRIGGERED: {
    sentWhen: 'an automation flow starts running, unless a FLOW_TRIGGERED event started it',
    payload: Type.Object({
      flow_id: uuid,
      execution_id: uuid,
      tenant_id: uuid,
      event_type: text,
      triggered_at: instant,
    }),
    sample: {
      flow_id: OTHER,
      execution_id: ASSET,
      tenant_id: TENANT,
      event_type: 'NEW_ASSET',
      triggered_at: AT,
    },
  },
} as const satisfies Record<string, EventKind>

export type EventType = keyof typeof catalogue

export const eventTypes = Object.keys(catalogue) as EventType[]

export const isEventType = (text: string): text is EventType => Object.hasOwn(catalogue, text)
