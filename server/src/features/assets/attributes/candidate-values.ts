import {
  attributeNames,
  resolve,
  type AttributeName,
  type Attributes,
  type Statement,
} from './source-precedence.ts'
import { statementsOf, type AssetEdits } from './asset-values.ts'
import { identify, modelFor, type Identification } from '../recognition/device-identification.ts'
import { vendorKey } from '../identity/identifiers.ts'
import type { OverrideAuthor } from '../editing/edits-store.ts'
import type { ObservationRecord } from '../intake/observation-record.ts'

/** The candidate values of each attribute (from sources, people and recognition), and which of them wins. */

export interface ExplainedAttribute {
  readonly attribute: AttributeName
  /** The winner first. */
  readonly offers: readonly ExplainedOffer[]
}

export interface ExplainedOffer {
  readonly value: string
  /** Kind and name of the source; `manual` for a person, `recognition` for values derived from signals. */
  readonly source: string
  /** Undefined when a person set it, or recognition derived it from the signals of all observations. */
  readonly observationId: string | undefined
  readonly isLocked: boolean
  readonly seenAt: string
  /** Display name of the person who set it; null when it was not set by a person or the person has no name. */
  readonly setBy: string | null
  /** Why it was set. */
  readonly reason: string
}

export interface CandidateInput {
  readonly members: readonly ObservationRecord[]
  readonly edits: AssetEdits
  /** The author of each override, with the display name. */
  readonly overrideAuthors: readonly NamedOverrideAuthor[]
}

export interface NamedOverrideAuthor extends OverrideAuthor {
  readonly name: string | null
}

/** Computes the candidates in the same way as the intake does. */
export function candidateValues({ members, edits, overrideAuthors }: CandidateInput): {
  readonly identification: Identification
  readonly attributes: readonly ExplainedAttribute[]
} {
  const { offers, values } = resolve(statementsOf(members, edits))
  const identification = identify(members, values)
  const readAt = rfc3339(Math.max(...members.map(({ lastSeen }) => lastSeen)))
  const attributes = attributeNames.map((attribute): ExplainedAttribute => {
    const author = overrideAuthors.find((it) => it.attribute === attribute)
    const offered = offers[attribute].map((statement) => candidateFrom(statement, attribute, author))
    const value = recognisedValue(attribute, identification, values)
    const isNewValue = value !== '' && !offered.some((offer) => isSame(offer.value, value, attribute))
    return {
      attribute,
      offers: isNewValue ? [...offered, { ...byRecognition, value, seenAt: readAt }] : offered,
    }
  })
  return { identification, attributes: attributes.filter(({ offers: some }) => some.length > 0) }
}

function candidateFrom(
  { values, sourceKind, sourceName, seenAt, observationId, locked }: Statement,
  attribute: AttributeName,
  author: NamedOverrideAuthor | undefined,
): ExplainedOffer {
  const isManual = observationId === undefined
  return {
    value: values[attribute] ?? '',
    source: `${sourceKind} ${sourceName}`.trim(),
    observationId,
    isLocked: locked ?? false,
    seenAt: rfc3339(seenAt),
    setBy: isManual ? (author?.name ?? null) : null,
    reason: isManual ? (author?.reason ?? '') : '',
  }
}

const byRecognition = {
  source: 'recognition',
  observationId: undefined,
  isLocked: false,
  setBy: null,
  reason: '',
} as const

function recognisedValue(attribute: AttributeName, { reading }: Identification, values: Attributes): string {
  if (!reading) return ''
  const { deviceType, vendor } = reading.recognition
  if (attribute === 'deviceType') return deviceType === 'unknown' ? '' : deviceType
  if (attribute === 'vendor') return vendor
  return attribute === 'model' ? modelFor(values, reading.recognition) : ''
}

/** Recognition repeats a value that a source already gave; vendors are compared by `vendorKey`. */
const isSame = (a: string, b: string, attribute: AttributeName): boolean =>
  a.toLowerCase() === b.toLowerCase() || (attribute === 'vendor' && vendorKey(a) === vendorKey(b))

const rfc3339 = (ms: number): string => new Date(ms).toISOString()
