import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import type {
  AssetType,
  Identifier,
  IdentifierType,
  Json,
  Observation,
} from '#features/assets/observation.ts'

/** A thing that a platform of virtual machines told of. Absent: not told. All texts as the platform spells them. */
export interface Seen {
  /** Stable over scans, and not the same on two platforms. */
  readonly sourceKey: string
  readonly assetType: AssetType
  readonly name?: string | undefined
  readonly os?: string | undefined
  readonly vendor?: string | undefined
  readonly model?: string | undefined
  readonly cloudId?: string | undefined
  readonly serial?: string | undefined
  /** As the firmware tells it, in either byte order. */
  readonly uuid?: string | undefined
  readonly macs?: readonly string[] | undefined
  /** With or without domain; an address among them is no name. */
  readonly hostnames?: readonly (string | undefined)[] | undefined
  readonly addresses?: readonly string[] | undefined
  readonly tags?: readonly string[] | undefined
  readonly facts: Facts
}

/**
 * Of guests and hosts of every platform: `powerState` (`on`, `off`, `suspended`, `paused`), `cpuCount`, `memoryMb`,
 * `disks` (`name`, `sizeBytes`, `file`), `interfaces` (`mac`, `network`, `addresses`), `host`, `platform`.
 */
export type Facts = Readonly<Record<string, Json | undefined>>

const TEXT_LENGTH_MAX = 500
const LIST_LENGTH_MAX = 200
const IDENTIFIERS_MAX = 200
const KEY_LENGTH_MAX = 512
/** The intake takes 64 KiB. */
const FACTS_LENGTH_MAX = 48 * 1_024

/** In the form of the intake. What a hostile or broken platform made too long is cut, what is no value is left out. */
export function observationOf(seen: Seen, seenAt: Date): Observation {
  const texts = { name: seen.name, os: seen.os, vendor: seen.vendor, model: seen.model }
  const tags = [...new Set((seen.tags ?? []).map((it) => clean(it, 255)))]
    .filter((it) => it !== '')
    .slice(0, 100)
  return {
    sourceKey: clean(seen.sourceKey, KEY_LENGTH_MAX),
    seenAt,
    assetType: seen.assetType,
    ...defined(texts),
    identifiers: identifiersOf(seen),
    ...(tags.length > 0 && { tags }),
    facts: bounded(seen.facts),
  }
}

const MAC = /^[0-9a-f]{2}(?:[:-][0-9a-f]{2}){5}$/i
const UUID = /^[0-9a-f]{8}-?(?:[0-9a-f]{4}-?){3}[0-9a-f]{12}$/i

function identifiersOf(seen: Seen): Identifier[] {
  const of = (type: IdentifierType, values: readonly (string | undefined)[] = []): Identifier[] => {
    const given = values.flatMap((value) => (value === undefined ? [] : [clean(value, KEY_LENGTH_MAX)]))
    return [...new Set(given)].filter((it) => it !== '').map((value) => ({ type, value }))
  }
  const all = [
    ...of('cloud_id', [seen.cloudId]),
    ...of('serial', [seen.serial]),
    ...of(
      'smbios_uuid',
      [seen.uuid].filter((it) => it !== undefined && UUID.test(it)),
    ),
    ...of(
      'mac',
      seen.macs?.filter((mac) => MAC.test(mac)),
    ),
    ...of(
      'hostname',
      seen.hostnames?.filter((name) => name !== undefined && isName(name)),
    ),
    ...of('ip', seen.addresses?.filter(isReachable)),
  ]
  return all.slice(0, IDENTIFIERS_MAX)
}

/** Not of its own link or itself alone: those are the same on every machine. */
function isReachable(address: string): boolean {
  if (isIP(address) === 0) return false
  const range = ipaddr.process(address.replace(/%.*$/, '')).range()
  return !['loopback', 'linkLocal', 'unspecified'].includes(range)
}

const isName = (text: string): boolean => isIP(text) === 0 && /^[\w.-]{1,253}$/.test(text)

function defined(texts: Readonly<Record<string, string | undefined>>): Partial<Observation> {
  const kept = Object.entries(texts).flatMap(([name, text]) => {
    const shown = text === undefined ? '' : clean(text, TEXT_LENGTH_MAX)
    return shown === '' ? [] : [[name, shown]]
  })
  return Object.fromEntries(kept) as Partial<Observation>
}

function bounded(facts: Facts): Record<string, Json> {
  const kept: Record<string, Json> = {}
  let length = 0
  for (const [name, value] of Object.entries(facts)) {
    const told = value === undefined ? undefined : trimmed(value)
    if (told === undefined || isEmpty(told)) continue
    length += name.length + JSON.stringify(told).length + 4
    if (length > FACTS_LENGTH_MAX) return { ...kept, cut: true }
    kept[name] = told
  }
  return kept
}

const isEmpty = (value: Json): boolean =>
  value === '' || (typeof value === 'object' && value !== null && Object.keys(value).length === 0)

function trimmed(value: Json): Json | undefined {
  if (typeof value === 'string') return clean(value, TEXT_LENGTH_MAX)
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value))
    return (value as Json[]).slice(0, LIST_LENGTH_MAX).flatMap((each) => trimmed(each) ?? [])
  const entries = Object.entries(value).slice(0, LIST_LENGTH_MAX)
  return Object.fromEntries(
    entries.flatMap(([name, each]) => {
      const told = trimmed(each as Json)
      return told === undefined || isEmpty(told) ? [] : [[clean(name, TEXT_LENGTH_MAX), told]]
    }),
  )
}

/** What PostgreSQL stores as text and a person can read: no control characters but line breaks, whole characters. */
const clean = (text: string, lengthMax: number): string =>
  text
    .slice(0, lengthMax)
    .toWellFormed()
    // oxlint-disable-next-line no-control-regex
    .replace(/[\u0000-\u0008\u000b-\u001f\u007f]/g, ' ')
    .trim()
