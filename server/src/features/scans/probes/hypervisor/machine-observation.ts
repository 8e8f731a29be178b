import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import type {
  AssetType,
  Identifier,
  IdentifierType,
  Json,
  Observation,
} from '#features/assets/observation.ts'
import { cleanText, truncatedFacts } from '../bounded-facts.ts'

/** An object of a virtualization platform: guest, host, cluster, datastore. Absent: not reported. Texts as spelt there. */
export interface PlatformObject {
  /** Stable over scans, and not the same on two platforms. */
  readonly sourceKey: string
  readonly assetType: AssetType
  readonly name?: string | undefined
  readonly os?: string | undefined
  readonly vendor?: string | undefined
  readonly model?: string | undefined
  readonly cloudId?: string | undefined
  readonly serial?: string | undefined
  /** As the firmware reports it, in either byte order. */
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
const IDENTIFIERS_MAX = 200
const KEY_LENGTH_MAX = 512

/** In the form of the intake. What a hostile or broken platform made too long is cut, what is no value is left out. */
export function observationOf(seen: PlatformObject, seenAt: Date): Observation {
  const texts = { name: seen.name, os: seen.os, vendor: seen.vendor, model: seen.model }
  const tags = [...new Set((seen.tags ?? []).map((it) => cleanText(it, 255)))]
    .filter((it) => it !== '')
    .slice(0, 100)
  return {
    sourceKey: cleanText(seen.sourceKey, KEY_LENGTH_MAX),
    seenAt,
    assetType: seen.assetType,
    ...defined(texts),
    identifiers: identifiersOf(seen),
    ...(tags.length > 0 && { tags }),
    facts: truncatedFacts(seen.facts),
  }
}

const MAC = /^[0-9a-f]{2}(?:[:-][0-9a-f]{2}){5}$/i
const UUID = /^[0-9a-f]{8}-?(?:[0-9a-f]{4}-?){3}[0-9a-f]{12}$/i

function identifiersOf(seen: PlatformObject): Identifier[] {
  const of = (type: IdentifierType, values: readonly (string | undefined)[] = []): Identifier[] => {
    const given = values.flatMap((value) => (value === undefined ? [] : [cleanText(value, KEY_LENGTH_MAX)]))
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
    const cleaned = text === undefined ? '' : cleanText(text, TEXT_LENGTH_MAX)
    return cleaned === '' ? [] : [[name, cleaned]]
  })
  return Object.fromEntries(kept) as Partial<Observation>
}
