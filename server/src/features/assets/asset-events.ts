import type { NewEvent } from '#features/events/events.ts'
import type { ComputedAsset } from './asset.ts'
import type { ObservationRecord } from './intake/observation-record.ts'

/** Events about assets; payloads as in the event catalogue. */

type Named = Pick<ComputedAsset, 'id' | 'name'>

const about = ({ id, name }: Named) => ({ asset_id: id, asset_name: name })

export function newAsset(row: ComputedAsset, members: readonly ObservationRecord[]): NewEvent {
  return {
    type: 'NEW_ASSET',
    payload: {
      ...about(row),
      asset_type: row.assetType,
      source: discoveryOf(members),
      confidence: row.confidence,
      first_seen: new Date(row.firstSeen).toISOString(),
    },
  }
}

export function updatedAsset(
  row: ComputedAsset,
  members: readonly ObservationRecord[],
  {
    fields,
    at,
    source,
  }: { readonly fields: readonly string[]; readonly at: Date; readonly source?: 'manual' },
): NewEvent {
  return {
    type: 'UPDATED_ASSET',
    payload: {
      ...about(row),
      changed_fields: fields,
      source: source ?? discoveryOf(members.toSorted((x, y) => y.lastSeen - x.lastSeen)),
      updated_at: at.toISOString(),
    },
  }
}

export interface FieldChange {
  readonly id: string
  readonly name: string
  readonly value: unknown
  readonly operation: 'set' | 'clear'
}

export function customFieldChanged(asset: Named, field: FieldChange, at: Date): NewEvent {
  return {
    type: 'UPDATED_ASSET',
    payload: {
      ...about(asset),
      changed_fields: [`custom_field:${field.name}`],
      custom_field: field,
      updated_at: at.toISOString(),
    },
  }
}

/** A deletion by a person has no reason. */
export function deletedAsset(
  asset: Named,
  merged?: { readonly reason: 'merged'; readonly at: Date },
): NewEvent {
  const why = merged && { reason: merged.reason, deleted_at: merged.at.toISOString() }
  return { type: 'DELETED_ASSET', payload: { ...about(asset), ...why } }
}

interface Separation {
  readonly from: string
  readonly to: string
  readonly reason: string
  readonly at: Date
}

export function unlinked({ from, to, reason, at }: Separation): NewEvent {
  return {
    type: 'UNLINK',
    payload: { asset_id_a: from, asset_id_b: to, reason, unlinked_at: at.toISOString() },
  }
}

const SURER_BY = 0.05
const HIGH_CONFIDENCE = 0.8

/** Whether a rise of confidence is worth an UPDATED_ASSET: by 0.05, or to 0.8 and above. */
export function confidenceChanged(before: number, after: number): boolean {
  return after - before >= SURER_BY || (before < HIGH_CONFIDENCE && after >= HIGH_CONFIDENCE)
}

const discoveries: Readonly<Record<string, string>> = {
  agent: 'agent_scan',
  glpi: 'agent_scan',
  fusioninventory: 'agent_scan',
  ocs: 'agent_scan',
  osquery: 'agent_scan',
  cloud: 'cloud_provider',
  passive: 'passive',
  sweep: 'discovery',
  ssh: 'discovery',
  snmp: 'discovery',
  wmi: 'discovery',
  vmware: 'discovery',
  hypervisor: 'discovery',
}

/** The event's `source`, from the first observation; imported files count as manual. */
function discoveryOf(members: readonly ObservationRecord[]): string {
  return discoveries[members[0]?.source.kind ?? ''] ?? 'manual'
}
