import { isIP } from 'node:net'
import { normalizeText } from '#platform/conditions/normalize-text.ts'
import type { ObservationRecord } from '../intake/observation-record.ts'
import { securityFactsOf, type SecurityFacts } from './security-facts.ts'
import { factValuesOf, type FactValues } from './fact-values.ts'
import { operatingSystemOf, type OperatingSystem } from './operating-system.ts'
import { staleAfterDaysOf } from './source-precedence.ts'

/** Raised with the rules by which facets are worked out, together with the index `assets_without_facets`. */
export const FACETS_GENERATION = 3

const OS_LENGTH_MAX = 512

/** What conditions ask about, beside the attributes as they are displayed. Texts are normalized; null was not collected. */
export interface Facets {
  readonly name: string | null
  readonly hostname: string | null
  readonly os: string | null
  readonly vendor: string | null
  readonly model: string | null
  readonly serial: string | null
  readonly system: OperatingSystem
  readonly addresses: readonly string[] | null
  readonly macs: readonly string[] | null
  readonly tags: readonly string[]
  readonly sourceNames: readonly string[]
  readonly sourceKinds: readonly string[]
  /** Days without a sighting; null: never. */
  readonly staleAfterDays: number | null
  readonly facts: FactValues
  readonly security: SecurityFacts
}

/** The values that won, as they are displayed; empty texts were not collected. */
export interface Displayed {
  readonly name: string
  readonly hostname: string
  readonly os: string
  readonly vendor: string
  readonly model: string
  readonly serial: string
  readonly ipAddress: string
  readonly macAddress: string
  readonly tags: readonly string[]
}

export function facetsOf(members: readonly ObservationRecord[], displayed: Displayed): Facets {
  const { name, hostname, os, vendor, model, serial, ipAddress, macAddress, tags } = displayed
  const current = members.flatMap((member) => member.current)
  const valuesOf = (type: 'ip' | 'mac'): string[] =>
    current.filter((it) => it.type === type).map(({ value }) => value)
  const newestFirst = members.toSorted((a, b) => b.lastSeen - a.lastSeen || (a.id < b.id ? -1 : 1))
  const facts = newestFirst.flatMap(({ combined }) => (combined.facts ? [combined.facts] : []))
  return {
    name: normalized(name),
    hostname: normalized(hostname),
    os: normalized(os),
    vendor: normalized(vendor),
    model: normalized(model),
    serial: normalized(serial),
    system: operatingSystemOf(normalizeText(os).slice(0, OS_LENGTH_MAX)),
    addresses: orNull(distinct([ipAddress, ...valuesOf('ip')].filter(isAddress))),
    macs: orNull(distinct([macAddress, ...valuesOf('mac')].map(normalizeText))),
    tags: distinct(tags.map(normalizeText)),
    sourceNames: distinct(members.map(({ source }) => normalizeText(source.name))),
    sourceKinds: distinct(members.map(({ source }) => normalizeText(source.kind))),
    facts: factValuesOf(facts),
    security: securityFactsOf(facts),
    staleAfterDays: staleAfterDaysOf(members.map(({ source }) => source.kind)),
  }
}

/** As PostgreSQL takes it: without a zone. */
const isAddress = (text: string): boolean => isIP(text) !== 0 && !text.includes('%')

const normalized = (text: string): string | null => normalizeText(text) || null

const distinct = (texts: readonly string[]): string[] => [...new Set(texts)].filter((it) => it !== '').sort()

const orNull = (texts: readonly string[]): readonly string[] | null => (texts.length === 0 ? null : texts)
