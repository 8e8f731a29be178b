import type { ComputedAsset } from '../asset.ts'
import { facetsOf } from './asset-facets.ts'
import { resolve, type Attributes, type Statement } from './source-precedence.ts'
import { identify } from '../recognition/device-identification.ts'
import type { AssetType } from '../observation.ts'
import { attributesOf, type ObservationRecord } from '../intake/observation-record.ts'
import { searchSpelling } from '#platform/conditions/normalize-text.ts'
import { searchAttributesOf } from '../listing/search-text.ts'

/** Tags and overrides that people set on an asset. */
export interface AssetEdits {
  readonly ownTags: readonly string[]
  readonly mutedTags: readonly string[]
  readonly overrides: readonly Override[]
}

export interface Override {
  readonly attribute: keyof Attributes
  readonly value: string
  readonly isLocked: boolean
  readonly setAt: number
}

export const NO_EDITS: AssetEdits = { ownTags: [], mutedTags: [], overrides: [] }

/** If no source gives a type. */
const DEFAULT_TYPE: AssetType = 'device'

export function describe(
  id: string,
  members: readonly ObservationRecord[],
  edits: AssetEdits,
): { readonly row: ComputedAsset; readonly dependsOnTime: boolean } {
  const { values, dependsOnTime } = resolve(statementsOf(members, edits))
  const { deviceType, vendor, model, confidence } = identify(members, values)
  const tags = tagsOf(members, edits)
  const displayed = {
    name: nameOf(values) ?? members[0]?.sourceKey ?? id,
    ipAddress: values.ipAddress ?? '',
    macAddress: values.macAddress ?? '',
    os: values.os ?? '',
    hostname: values.hostname ?? '',
    serial: values.serial ?? '',
    vendor,
    model,
    tags,
  }
  const row: ComputedAsset = {
    id,
    ...displayed,
    assetType: values.assetType ?? DEFAULT_TYPE,
    deviceType,
    confidence,
    ownTags: edits.ownTags,
    mutedTags: edits.mutedTags,
    firstSeen: Math.min(...members.map((member) => member.firstSeen)),
    lastSeen: Math.max(...members.map((member) => member.lastSeen)),
    searchText: searchTextOf(id, members, values),
    searchAttributes: searchAttributesOf({ ...values, vendor, model }, tags, macsOf(members, values)),
    facets: facetsOf(members, displayed),
  }
  return { row, dependsOnTime }
}

/** A given name, else the host name, else an address or the serial. */
const nameOf = ({ name, hostname, ipAddress, macAddress, serial }: Attributes): string | undefined =>
  name ?? hostname ?? ipAddress ?? macAddress ?? serial

/** Statements of all observations and overrides. Without any host name, the PTR name is used as one. */
export function statementsOf(members: readonly ObservationRecord[], { overrides }: AssetEdits): Statement[] {
  const named = members.some(({ current }) => current.some(({ type }) => type === 'hostname'))
  const observed = members.map((member): Statement => ({
    observationId: member.id,
    sourceKind: member.source.kind,
    sourceName: member.source.name,
    sourceKey: member.sourceKey,
    seenAt: member.lastSeen,
    values: named ? attributesOf(member) : { ...hostnameInDns(member), ...attributesOf(member) },
  }))
  const set = overrides.map((override): Statement => ({
    observationId: undefined,
    sourceKind: 'manual',
    sourceName: '',
    sourceKey: '',
    seenAt: override.setAt,
    locked: override.isLocked,
    values: { [override.attribute]: override.value },
  }))
  return [...observed, ...set]
}

function hostnameInDns({ current }: ObservationRecord): Attributes {
  const hostname = current.find(({ type }) => type === 'ptr_name')?.value
  return hostname === undefined ? {} : { hostname }
}

/** Tags of sources without those that people removed, plus those that people added. */
export function tagsOf(members: readonly ObservationRecord[], { ownTags, mutedTags }: AssetEdits): string[] {
  const given = observedTags(members).filter((tag) => !mutedTags.includes(tag))
  return [...new Set([...given, ...ownTags])].sort()
}

export const observedTags = (members: readonly ObservationRecord[]): string[] => [
  ...new Set(members.flatMap((member) => member.combined.tags ?? [])),
]

/**
 * The name is searchable if there is no host name. Names and serials are so as they were reported too: in identity a name
 * is without the suffix of a small network, and a serial that many machines have is none.
 */
function searchTextOf(
  id: string,
  members: readonly ObservationRecord[],
  { name, hostname, ...values }: Attributes,
): string {
  const current = members.flatMap((member) => member.current)
  const found = current.filter(({ type }) => searchable.has(type)).map(({ value }) => value)
  const own = [hostname ?? name, values.ipAddress, values.serial].filter((value) => value !== undefined)
  const reported = members
    .flatMap((member) => member.combined.identifiers)
    .flatMap(({ type, value }) => (searchableAsReported.has(type) ? [value.trim()] : []))
  return [...new Set([id, ...own, ...found, ...reported].map(searchSpelling))].join('\n')
}

/** Of every interface. */
const macsOf = (members: readonly ObservationRecord[], { macAddress }: Attributes): string[] => [
  ...(macAddress === undefined ? [] : [macAddress]),
  ...members.flatMap(({ current }) => current.filter(({ type }) => type === 'mac').map(({ value }) => value)),
]

const searchable: ReadonlySet<string> = new Set(['hostname', 'ptr_name', 'ip', 'serial'])
const searchableAsReported: ReadonlySet<string> = new Set(['hostname', 'ptr_name', 'serial'])
