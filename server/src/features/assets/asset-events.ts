import type { NewEvent } from '#features/events/events.ts'
import type { AssetAttributes, ComputedAsset } from './asset.ts'
import type { ObservationRecord } from './intake/observation-record.ts'

/** Events about assets; payloads as in the event catalogue. */

type Named = Pick<ComputedAsset, 'id' | 'name'>

const about = ({ id, name }: Named) => ({ asset_id: id, asset_name: name })

type Values = Readonly<Record<string, unknown>>
type AsItWas = AssetAttributes & { readonly confidence: number }

/** By the names of fields of conditions. */
function asItWas(asset: AsItWas): Values {
  const { name, hostname, serial, vendor, model, os, assetType, deviceType, confidence, tags } = asset
  return {
    name,
    hostname,
    serial,
    vendor,
    model,
    os,
    confidence,
    asset_type: assetType,
    device_type: deviceType === 'unknown' ? null : deviceType,
    type: [assetType, deviceType],
    tag: tags,
  }
}

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

interface Update {
  readonly fields: readonly string[]
  readonly at: Date
  readonly source?: 'manual'
  readonly before: AsItWas | undefined
}

export function updatedAsset(
  row: ComputedAsset,
  members: readonly ObservationRecord[],
  { fields, at, source, before }: Update,
): NewEvent {
  return {
    type: 'UPDATED_ASSET',
    payload: {
      ...about(row),
      changed_fields: fields,
      source: source ?? discoveryOf(members.toSorted((x, y) => y.lastSeen - x.lastSeen)),
      updated_at: at.toISOString(),
    },
    ...(before && { before: asItWas(before) }),
  }
}

export interface FieldChange {
  readonly id: string
  readonly name: string
  readonly value: unknown
  readonly operation: 'set' | 'clear'
}

/** `before` is `custom` with the value under the key of the field. */
export function customFieldChanged(
  asset: Named,
  field: FieldChange,
  ...[at, before]: [Date, Values]
): NewEvent {
  return {
    type: 'UPDATED_ASSET',
    payload: {
      ...about(asset),
      changed_fields: [`custom_field:${field.name}`],
      custom_field: field,
      updated_at: at.toISOString(),
    },
    before,
  }
}

/** A deletion by a person has no reason. */
export function deletedAsset(
  asset: Named | (Named & AsItWas),
  merged?: { readonly reason: 'merged'; readonly at: Date },
): NewEvent {
  const why = merged && { reason: merged.reason, deleted_at: merged.at.toISOString() }
  return {
    type: 'DELETED_ASSET',
    payload: { ...about(asset), ...why },
    ...('assetType' in asset && { before: asItWas(asset) }),
  }
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
