import { createHash } from 'node:crypto'
import { isList, type Attributes } from '../attributes/source-precedence.ts'
import { bareName, isLocalOnly, normaliseIdentifier } from '../identity/identifiers.ts'
import { isAnywhere } from './observation-scope.ts'
import type { AssetType, Identifier, IdentifierType, Json, Observation } from '../observation.ts'
import {
  KEY_SEPARATOR,
  matchRecord,
  valueKey,
  type IdentifierPeriod,
  type MatchRecord,
} from '../identity/match-record.ts'

/** The source of observations, as the sources feature stores it. */
export interface KnownSource {
  readonly id: string
  readonly kind: string
  readonly name: string
}

/** The content of one report, as stored. */
export interface Payload {
  readonly assetType?: AssetType
  readonly name?: string
  readonly os?: string
  readonly vendor?: string
  readonly model?: string
  readonly identifiers: readonly Identifier[]
  readonly tags?: readonly string[]
  readonly facts?: Readonly<Record<string, Json>>
}

/** The part of an older report that no newer one of the same source and key mentions. */
export interface HistoryEntry {
  readonly seenAt: number
  /** Of the whole report; orders reports with the same time. */
  readonly hash: string
  readonly payload: Payload
}

/** A row of asset_observations: all reports of one source about one key, merged. Instants in milliseconds since 1970. */
export interface ObservationRecord {
  readonly id: string
  /** Undefined until the first clustering. */
  readonly assetId: string | undefined
  readonly source: KnownSource
  readonly sourceKey: string
  readonly scope: string
  readonly firstSeen: number
  readonly lastSeen: number
  /** Of the newest report. */
  readonly payload: Payload
  readonly payloadHash: string
  /** Parts of older reports that no newer one mentions; newest first. */
  readonly history: readonly HistoryEntry[]
  /** The payload completed by the history. */
  readonly combined: Payload
  /** An unchanged repeat may change the clustering, so it must not take the fast path of `moveLastSeen`. */
  readonly watched: boolean
  /** The identifiers of `combined`, in its order. */
  readonly current: readonly NormalisedIdentifier[]
  /** Every identifier ever reported; `lastSeen` is undefined while it is current. */
  readonly identifiers: readonly StoredIdentifier[]
}

/** A normalised identifier. */
export interface NormalisedIdentifier {
  readonly type: IdentifierType
  readonly value: string
  readonly static: boolean
}

export interface StoredIdentifier extends NormalisedIdentifier {
  readonly firstSeen: number
  readonly lastSeen: number | undefined
}

/** Empty values were not collected and are left out. */
export function payloadOf(observation: Observation): Payload {
  const {
    sourceKey: _key,
    seenAt: _at,
    assetId: _asset,
    software: _software,
    scope: _scope,
    ...payload
  } = observation
  const isFull = Object.values(payload).every((value) => value !== '' && value !== undefined)
  return isFull ? payload : (defined(payload) as Payload)
}

/** The same for the same content, whatever the order of keys. Base64. */
export function hashOf(payload: unknown): string {
  return createHash('sha1').update(JSON.stringify(payload, sorted)).digest('base64')
}

function sorted(_: string, value: unknown): unknown {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
}

/**
 * The normalised identifiers of a payload without junk, each once. Loopback and link-local addresses are used only
 * where there are no others: every machine has them, but a scan of the scanner's own machine reports nothing else.
 */
export function identifiersOf(payload: Pick<Payload, 'identifiers'>): NormalisedIdentifier[] {
  const found = new Map<string, NormalisedIdentifier>()
  for (const identifier of payload.identifiers) {
    const reading = normaliseIdentifier(identifier)
    if (reading.kind !== 'value') continue
    const { type } = identifier
    const key = `${type} ${reading.value}`
    const fixed = identifier.static === true || found.get(key)?.static === true
    found.set(key, { type, value: reading.value, static: fixed })
  }
  const all = [...found.values()]
  const routable = all.some(({ type, value }) => type === 'ip' && !isLocalOnly(value))
  return routable ? all.filter(({ type, value }) => type !== 'ip' || !isLocalOnly(value)) : all
}

/** The attributes that the record gives. A PTR name is no host name. */
export function attributesOf(
  observed: Pick<ObservationRecord, 'combined' | 'current' | 'source'>,
): Attributes {
  const { combined, current } = observed
  const first = (type: IdentifierType) => current.find((identifier) => identifier.type === type)?.value
  return defined({
    name: givenName(observed),
    assetType: combined.assetType,
    os: combined.os,
    vendor: combined.vendor,
    model: combined.model,
    hostname: first('hostname'),
    ipAddress: first('ip'),
    macAddress: first('mac'),
    serial: first('serial'),
  })
}

/** A name that the source was given; an address, or a host name that a probe repeats, does not count. */
function givenName({
  combined: { name },
  current,
  source,
}: Parameters<typeof attributesOf>[0]): string | undefined {
  if (name === undefined || readsAs('ip', name) || readsAs('mac', name)) return undefined
  if (isList(source.kind)) return name
  const hostname = normaliseIdentifier({ type: 'hostname', value: name })
  const isRepeated =
    hostname.kind === 'value' &&
    current.some(
      ({ type, value }) => value === hostname.value && (type === 'hostname' || type === 'ptr_name'),
    )
  return isRepeated ? undefined : name
}

const readsAs = (type: IdentifierType, value: string): boolean =>
  normaliseIdentifier({ type, value }).kind !== 'malformed'

/** Keys (`rememberedKey`) of names of which people said that the phones that have them are one. */
export type RememberedNames = ReadonlySet<string>

export const rememberedKey = (scope: string, name: string): string => `${scope} ${bareName(name)}`

export function matchRecordOf(
  observed: ObservationRecord,
  remembered: RememberedNames = NOTHING_REMEMBERED,
): MatchRecord {
  const { source, sourceKey, lastSeen } = observed
  const current = new Set(observed.current.map(({ type, value }) => valueKey(type, value)))
  return matchRecord({
    id: observed.id,
    key: [source.kind, source.name, sourceKey].join(KEY_SEPARATOR),
    scope: observed.scope,
    isAnywhere: isAnywhere(observed),
    vendor: observed.combined.vendor,
    identifierPeriods: observed.identifiers.map((each): IdentifierPeriod => ({
      ...each,
      lastSeen: each.lastSeen ?? lastSeen,
      ended: !current.has(valueKey(each.type, each.value)),
      ...(each.type === 'hostname' &&
        remembered.has(rememberedKey(observed.scope, each.value)) && { isRemembered: true }),
    })),
  })
}

const NOTHING_REMEMBERED: RememberedNames = new Set()

/** Omits empty values. */
function defined<T extends object>(fields: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== undefined && value !== ''),
  ) as never
}
