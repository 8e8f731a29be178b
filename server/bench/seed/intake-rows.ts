import { newAsset } from '#features/assets/asset-events.ts'
import type { ComputedAsset } from '#features/assets/asset.ts'
import { facetRow } from '#features/assets/attributes/facet-columns.ts'
import { describe, NO_EDITS } from '#features/assets/attributes/asset-values.ts'
import { validObservation, newRecord } from '#features/assets/intake/merge-observations.ts'
import type { Observation } from '#features/assets/observation.ts'
import type { KnownSource, ObservationRecord } from '#features/assets/intake/observation-record.ts'
import { newUuid } from '#platform/uuid.ts'
import { arrayOf, type Row, type Rows } from './copy-rows.ts'

export interface Owner {
  readonly tenantId: string
  readonly source: KnownSource
}

/**
 * The rows that the intake writes for things seen for the first time, by one source, none of which shares a value
 * with another. The intake's own functions work them out; only who belongs together needs no asking.
 */
export function intakeRows(owner: Owner, observations: readonly Observation[], now: Date): Rows[] {
  const things = observations.map((observation) => thingOf(owner, observation, now))
  return [
    { table: 'assets', rows: things.map(assetRow) },
    { table: 'asset_search', rows: things.map(searchRow) },
    { table: 'asset_observations', rows: things.map(observationRow) },
    { table: 'asset_identifiers', rows: things.flatMap(identifierRows) },
    { table: 'events', rows: things.map((thing) => eventRow(thing, now)) },
  ]
}

interface Thing {
  readonly tenantId: string
  readonly observed: ObservationRecord
  readonly asset: ComputedAsset
}

function thingOf({ tenantId, source }: Owner, observation: Observation, now: Date): Thing {
  const assetId = newUuid(now)
  const observed = { ...newRecord(validObservation(observation, 0), source, newUuid(now)), assetId }
  return { tenantId, observed, asset: describe(assetId, [observed], NO_EDITS).row }
}

const assetRow = ({ tenantId, asset }: Thing): Row => ({
  id: asset.id,
  tenant_id: tenantId,
  name: asset.name,
  asset_type: asset.assetType,
  device_type: asset.deviceType,
  ip_address: asset.ipAddress,
  mac_address: asset.macAddress,
  os: asset.os,
  hostname: asset.hostname,
  serial: asset.serial,
  vendor: asset.vendor,
  model: asset.model,
  confidence: String(asset.confidence),
  tags: arrayOf(asset.tags),
  first_seen: instant(asset.firstSeen),
  last_seen: instant(asset.lastSeen),
  ...Object.fromEntries(Object.entries(facetRow(asset.facets)).map(([name, value]) => [name, copied(value)])),
})

/** A value of a facet as COPY takes it. */
function copied(value: unknown): string | null {
  if (value === null || value === undefined) return null
  if (Array.isArray(value)) return arrayOf(value.map(String))
  return value instanceof Date ? value.toISOString() : String(value as string | number)
}

const searchRow = ({ tenantId, asset }: Thing): Row => ({
  asset_id: asset.id,
  tenant_id: tenantId,
  text: asset.searchText,
  attributes: asset.searchAttributes,
})

const observationRow = ({ tenantId, observed, asset }: Thing): Row => ({
  id: observed.id,
  tenant_id: tenantId,
  source_id: observed.source.id,
  source_kind: observed.source.kind,
  source_name: observed.source.name,
  source_key: observed.sourceKey,
  scope: observed.scope,
  asset_id: asset.id,
  first_seen: instant(observed.firstSeen),
  last_seen: instant(observed.lastSeen),
  payload: JSON.stringify(observed.payload),
  payload_hash: bytes(Buffer.from(observed.payloadHash, 'base64')),
  watched: String(observed.watched),
})

const identifierRows = ({ tenantId, observed }: Thing): Row[] =>
  observed.identifiers.map((identifier, place) => ({
    tenant_id: tenantId,
    observation_id: observed.id,
    place: String(place),
    type: identifier.type,
    value: identifier.value,
    first_seen: instant(identifier.firstSeen),
    last_seen: null,
    is_static: String(identifier.static),
  }))

function eventRow({ tenantId, observed, asset }: Thing, now: Date): Row {
  const { type, payload } = newAsset(asset, [observed])
  const body = JSON.stringify({ ...payload, tenant_id: tenantId })
  return {
    id: newUuid(now),
    tenant_id: tenantId,
    type,
    body: bytes(Buffer.from(body)),
    created_at: now.toISOString(),
  }
}

const instant = (ms: number): string => new Date(ms).toISOString()

const bytes = (value: Buffer): string => `\\x${value.toString('hex')}`
