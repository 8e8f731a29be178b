import {
  doubtsAbout,
  type Doubt,
  type Match,
  type Recognition,
  type Signals,
} from '#features/recognition/recognition.ts'
import type { Identification } from './device-identification.ts'

/** How the device type, vendor and model of an asset were decided. */
export interface RecognitionProof extends Omit<Identification, 'reading'> {
  /** The result of the signals alone, whatever people and sources set; null where recognition was not needed. */
  readonly recognised: Pick<Recognition, 'deviceType' | 'vendor' | 'model' | 'confidence' | 'source'> | null
  /** The result of each signal, highest confidence first. */
  readonly matches: readonly Match[]
  /** The input of recognition. */
  readonly signals: readonly ReadSignal[]
  readonly doubts: readonly Doubt[]
  /** Kinds of scan that would add signals. */
  readonly tellMore: readonly SuggestedScan[]
}

export interface ReadSignal {
  /** Kind of signal: `mac`, `hostname`, `ports`, `ssh`, `snmp_sysdescr` and so on. */
  readonly name: string
  /** At most 300 characters of the value. */
  readonly value: string
}

/**
 * Scan kinds by the signals they add: a sweep open ports and banners, SNMP the sysObjectID, a login the hardware's
 * own data.
 */
export const suggestedScans = ['sweep', 'snmp', 'ssh', 'wmi'] as const
export type SuggestedScan = (typeof suggestedScans)[number]

export function recognitionProof({ reading, ...identification }: Identification): RecognitionProof {
  if (!reading)
    return { ...identification, recognised: null, matches: [], signals: [], doubts: [], tellMore: [] }
  const { signals, recognition } = reading
  const { matches, ...recognised } = recognition
  return {
    ...identification,
    recognised,
    matches,
    signals: signalsIn(signals),
    doubts: doubtsAbout(recognition),
    tellMore: isKnown(identification) ? [] : scansFor(signals),
  }
}

const HIGH_CONFIDENCE = 0.8

const isKnown = ({ deviceType, confidence, decidedBy }: Omit<Identification, 'reading'>): boolean =>
  decidedBy === 'person' || (deviceType !== 'unknown' && confidence >= HIGH_CONFIDENCE)

const VALUE_LENGTH_MAX = 300

function signalsIn({ texts = [], ...others }: Signals): ReadSignal[] {
  const single = Object.entries(others).map(([name, value]) => ({
    name,
    value: Array.isArray(value) ? value.join(', ') : String(value),
  }))
  const textSignals = texts.map(({ source, text }) => ({ name: source, value: text }))
  return [...single, ...textSignals].map(({ name, value }) => ({
    name,
    value: value.slice(0, VALUE_LENGTH_MAX),
  }))
}

function scansFor({ ports, sysObjectId, texts = [] }: Signals): SuggestedScan[] {
  const has = (...sources: readonly string[]): boolean => texts.some(({ source }) => sources.includes(source))
  const isSwept = ports !== undefined || texts.some(({ source }) => source !== 'os' && source !== 'hostname')
  return [
    ...(isSwept ? [] : (['sweep'] as const)),
    ...(sysObjectId !== undefined || has('snmp_sysdescr') ? [] : (['snmp'] as const)),
    ...(has('os') ? [] : (['ssh', 'wmi'] as const)),
  ]
}
