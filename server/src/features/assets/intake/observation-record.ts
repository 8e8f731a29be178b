import { createHash } from 'node:crypto'
import { isList, type Attributes } from '../attributes/source-precedence.ts'
import { isLocalOnly, read } from '../identity/identifiers.ts'
import type { AssetType, Identifier, IdentifierType, Json, Observation } from '../observation.ts'
import { sighting, type Sighting, type Trait } from '../identity/match-record.ts'

/** Where observations come from, as `sources` knows it. */
export interface KnownSource {
  readonly id: string
  readonly kind: string
  readonly name: string
}

/** What a sighting said, as stored. */
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

/** What a sighting said that no newer one of the same source and key mentions. */
export interface Kept {
  readonly seenAt: number
  /** Of the whole sighting: it orders sightings of one moment. */
  readonly hash: string
  readonly payload: Payload
}

/** One source's view of one thing: all its sightings folded into one. Instants are in milliseconds. */
export interface Observed {
  readonly id: string
  /** Undefined until the first clustering. */
  readonly assetId: string | undefined
  readonly source: KnownSource
  readonly sourceKey: string
  readonly scope: string
  readonly firstSeen: number
  readonly lastSeen: number
  /** Of the newest sighting. */
  readonly payload: Payload
  readonly payloadHash: string
  /** What older sightings said and no newer one mentions; the newest first. */
  readonly kept: readonly Kept[]
  /** The payload, and what was kept. */
  readonly said: Payload
  readonly watched: boolean
  /** The identifiers of what is said, in its order. */
  readonly current: readonly Label[]
  /** Every identifier ever seen; `lastSeen` is absent as long as the newest sighting has it. */
  readonly identifiers: readonly Remembered[]
}

/** A normalised identifier. */
export interface Label {
  readonly type: IdentifierType
  readonly value: string
  readonly static: boolean
}

export interface Remembered extends Label {
  readonly firstSeen: number
  readonly lastSeen: number | undefined
}

/** Addresses mean something within a scope; a tenant has one until it has collectors at several sites. */
export const DEFAULT_SCOPE = 'default'

/** What is empty was not collected: it is left out. */
export function payloadOf(observation: Observation): Payload {
  const { sourceKey: _key, seenAt: _at, assetId: _asset, software: _software, ...payload } = observation
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
 * The identifiers of a payload in their one spelling, junk left out, each once. Loopback and link-local addresses
 * stay only where there are no others: every machine has them, but who scans its own machine sees nothing else.
 */
export function identifiersOf(payload: Pick<Payload, 'identifiers'>): Label[] {
  const found = new Map<string, Label>()
  for (const identifier of payload.identifiers) {
    const reading = read(identifier)
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

/** What its sightings say of each attribute. The name that the DNS has for its address is no host name yet. */
export function attributesOf(observed: Pick<Observed, 'said' | 'current' | 'source'>): Attributes {
  const { said, current } = observed
  const first = (type: IdentifierType) => current.find((identifier) => identifier.type === type)?.value
  return defined({
    name: givenName(observed),
    assetType: said.assetType,
    os: said.os,
    vendor: said.vendor,
    model: said.model,
    hostname: first('hostname'),
    ipAddress: first('ip'),
    macAddress: first('mac'),
    serial: first('serial'),
  })
}

/** Only what somebody called the thing: neither an address, nor its host name repeated by a machine. */
function givenName({
  said: { name },
  current,
  source,
}: Parameters<typeof attributesOf>[0]): string | undefined {
  if (name === undefined || readsAs('ip', name) || readsAs('mac', name)) return undefined
  if (isList(source.kind)) return name
  const hostname = read({ type: 'hostname', value: name })
  const isRepeated =
    hostname.kind === 'value' &&
    current.some(
      ({ type, value }) => value === hostname.value && (type === 'hostname' || type === 'ptr_name'),
    )
  return isRepeated ? undefined : name
}

const readsAs = (type: IdentifierType, value: string): boolean => read({ type, value }).kind !== 'malformed'

export function sightingOf(observed: Observed): Sighting {
  const { source, sourceKey, lastSeen } = observed
  return sighting({
    id: observed.id,
    key: [source.kind, source.name, sourceKey].join('\u0001'),
    scope: observed.scope,
    vendor: observed.said.vendor,
    traits: observed.identifiers.map((each): Trait => ({ ...each, lastSeen: each.lastSeen ?? lastSeen })),
  })
}

/** Without what is empty. */
function defined<T extends object>(fields: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== undefined && value !== ''),
  ) as never
}
