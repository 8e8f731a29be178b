import {
  recognize,
  signalsOf,
  type DeviceType,
  type Recognition,
  type Signals,
} from '#features/recognition/recognition.ts'
import type { Attributes } from '../attributes/source-precedence.ts'
import { vendorKey } from '../identity/identifiers.ts'
import type { AssetType, Identifier, IdentifierType, Json } from '../observation.ts'
import type { ObservationRecord } from '../intake/observation-record.ts'

/** Device type, vendor and model, from all signals. `unknown` and empty strings: not known. */
export interface Identification {
  readonly deviceType: DeviceType
  readonly vendor: string
  readonly model: string
  /** 0 to 1. */
  readonly confidence: number
  readonly decidedBy: Decider
  /** The signals and the result of recognition. Undefined: recognition was not needed. */
  readonly reading: RecognitionReading | undefined
}

/**
 * Who decided: a person who set the type, the source that manages the asset (`keeper`: hypervisor, cloud, directory),
 * or signals.
 */
export const deciders = ['person', 'keeper', 'signals'] as const
export type Decider = (typeof deciders)[number]

export interface RecognitionReading {
  readonly signals: Signals
  readonly recognition: Recognition
}

/** Vendor and model of sources, completed by recognition. Only people and recognition give a device type. */
export function identify(members: readonly ObservationRecord[], values: Attributes): Identification {
  const { assetType, deviceType, vendor = '', model = '' } = values
  const certain = deviceType !== undefined
  if (assetType !== undefined && !deviceLike.has(assetType)) {
    const combined = { deviceType: deviceType ?? 'unknown', vendor, model } as const
    return { ...combined, confidence: CERTAIN, decidedBy: certain ? 'person' : 'keeper', reading: undefined }
  }
  const signals = signalsOf({ ...values, identifiers: identifiersIn(values), facts: factsOf(members) })
  const recognition = recognize(signals)
  return {
    deviceType: deviceType ?? recognition.deviceType,
    vendor: vendor || recognition.vendor,
    model: model || modelFor(values, recognition),
    confidence: certain ? CERTAIN : recognition.confidence,
    decidedBy: certain ? 'person' : 'signals',
    reading: { signals, recognition },
  }
}

/** The recognised model is used only if vendor and type agree with the recognised ones. */
export function modelFor({ vendor = '', deviceType }: Attributes, found: Recognition): string {
  const agrees = vendor === '' || vendorKey(vendor) === vendorKey(found.vendor)
  return agrees && (deviceType === undefined || deviceType === found.deviceType) ? found.model : ''
}

/** Other types are reported by a managing source (hypervisor, cloud, directory), which knows the type. */
const deviceLike: ReadonlySet<AssetType> = new Set<AssetType>(['device', 'ot_device'])
const CERTAIN = 1

function identifiersIn({ hostname, macAddress, ipAddress }: Attributes): Identifier[] {
  const found: [IdentifierType, string | undefined][] = [
    ['hostname', hostname],
    ['mac', macAddress],
    ['ip', ipAddress],
  ]
  return found.flatMap(([type, value]) => (value === undefined ? [] : [{ type, value }]))
}

/** Merges facts in the order of source and key, so that the result does not depend on the order of the members. */
function factsOf(members: readonly ObservationRecord[]): Readonly<Record<string, Json>> {
  const [only, other] = members
  if (!other) return only?.combined.facts ?? {}
  const inOrder = members.toSorted((x, y) => (keyOf(x) < keyOf(y) ? -1 : 1))
  return Object.assign({}, ...inOrder.map(({ combined }) => combined.facts)) as Record<string, Json>
}

const keyOf = ({ source, sourceKey }: ObservationRecord): string =>
  `${source.kind} ${source.name} ${sourceKey}`
