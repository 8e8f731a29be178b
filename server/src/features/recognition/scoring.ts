import type { DeviceType } from './device-types.ts'
import { familyOf, isTelling, type Evidence, type Source } from './signals.ts'
import { vendorKey } from './vendors/vendors.ts'

/** What a device is, how sure that is, and what each signal said. */
export interface Recognition {
  readonly deviceType: DeviceType
  readonly vendor: string
  readonly model: string
  /** 0 to 1; from 0.8 on it is high. */
  readonly confidence: number
  /** The source that weighs most; `fallback` when nothing was said. */
  readonly source: Source
  /** What single signals said, the strongest first; at most five. */
  readonly matches: readonly Match[]
}

export interface Match {
  readonly deviceType: DeviceType
  readonly vendor: string
  readonly model: string
  readonly confidence: number
  readonly source: Source
}

const MATCHES_MAX = 5
/** Nothing that a device says of itself is certain. */
const CONFIDENCE_MAX = 0.99
/** The highest confidence from addresses and names alone: high confidence needs a signal of the device itself. */
const NAME_ONLY_MAX = 0.79
/** How far a rival of another type pulls the winner down, times the rival's own confidence. */
const RIVALRY = 0.5

/** Weighs all that was said. Signals of one family repeat one another; those of different families add up. */
export function weigh(given: readonly Evidence[]): Recognition {
  const evidence = withoutBarred(given)
  const claims = evidence
    .map((claim) => ({ claim, confidence: together(supportersOf(claim, evidence)) }))
    .toSorted((a, b) => byStatement(a, b) || b.confidence - a.confidence)
  const best = claims[0]
  if (!best) return { ...nothing, source: 'fallback', matches: [] }
  const supporters = supportersOf(best.claim, evidence).toSorted(byConfidence)
  const rival = claims.find(({ claim }) => isRival(claim, best.claim))
  const confidence = best.confidence * (1 - RIVALRY * (rival?.confidence ?? 0))
  const vendor = supporters.find((each) => each.vendor !== '')?.vendor ?? vendorBeside(evidence)
  const highest = supporters.some(({ source }) => isTelling(source)) ? CONFIDENCE_MAX : NAME_ONLY_MAX
  return {
    deviceType: best.claim.deviceType ?? 'unknown',
    vendor,
    model: modelAmong(supporters, vendor),
    confidence: rounded(Math.min(confidence, highest)),
    source: best.confidence === 0 ? 'fallback' : supporters[0]!.source,
    matches: evidence.toSorted(byConfidence).slice(0, MATCHES_MAX).map(asMatch),
  }
}

/** Who speaks a protocol of printers is one: what other signals take it for is another's word, or a service's. */
function withoutBarred(evidence: readonly Evidence[]): readonly Evidence[] {
  const bars = evidence.find(({ basis }) => basis === 'spoken')
  if (!bars) return evidence
  return evidence.map(({ deviceType, ...said }) =>
    deviceType === undefined || deviceType === bars.deviceType
      ? { ...said, ...(deviceType && { deviceType }) }
      : { ...said, confidence: Math.min(said.confidence, BARRED_MAX) },
  )
}

/** What is left of a statement whose type was barred: that somebody named a maker. */
const BARRED_MAX = 0.35

const nothing = { deviceType: 'unknown', vendor: '', model: '', confidence: 0 } as const

/** Below this, a type is a habit rather than a statement: whoever names the maker is heard first. */
const STATED_MIN = 0.2

interface Claim {
  readonly claim: Evidence
  readonly confidence: number
}

/** Types come before makers alone, and what a device says of itself before what names and addresses suggest. */
const byStatement = (a: Claim, b: Claim): number =>
  Number(isStated(b)) - Number(isStated(a)) || Number(isItsOwn(b)) - Number(isItsOwn(a))

const isItsOwn = ({ claim }: Claim): boolean =>
  saysType(claim) && isTelling(claim.source) && claim.confidence > NAME_WORTH

/** What a name or an address can be worth at most. */
const NAME_WORTH = 0.6

const isStated = ({ claim, confidence }: Claim): boolean => saysType(claim) && confidence >= STATED_MIN

const saysType = ({ deviceType }: Evidence): boolean => deviceType !== undefined

const byConfidence = (a: Evidence, b: Evidence): number => b.confidence - a.confidence

const supportersOf = (claim: Evidence, evidence: readonly Evidence[]): Evidence[] =>
  evidence.filter((other) => other === claim || supports(other, claim))

/** The same type, and nothing said that contradicts. */
const supports = (other: Evidence, claim: Evidence): boolean =>
  other.deviceType === claim.deviceType &&
  agree(vendorKey(other.vendor), vendorKey(claim.vendor)) &&
  agree(other.model.toLowerCase(), claim.model.toLowerCase())

/** One name is often the longer form of the other: `C9300` and `C9300-48P`. */
const agree = (a: string, b: string): boolean => a.startsWith(b) || b.startsWith(a)

const isRival = (claim: Evidence, best: Evidence): boolean =>
  saysType(claim) && saysType(best) && claim.deviceType !== best.deviceType

/** The chance that not all of them are wrong (noisy or), with one voice for each family. */
function together(evidence: readonly Evidence[]): number {
  const voices = new Map<string, number>()
  for (const { source, confidence } of evidence) {
    const family = familyOf(source)
    voices.set(family, Math.max(voices.get(family) ?? 0, confidence))
  }
  return 1 - [...voices.values()].reduce((wrong, confidence) => wrong * (1 - confidence), 1)
}

/** What the strongest supporter of the same maker says, in its longest form. */
function modelAmong(supporters: readonly Evidence[], vendor: string): string {
  const said = supporters
    .filter((each) => each.model !== '' && agree(vendorKey(each.vendor), vendorKey(vendor)))
    .map(({ model }) => model)
  return said.reduce((known, model) => (model.startsWith(known) ? model : known), said[0] ?? '')
}

/** Where those who know the type do not know the maker, whoever knows the maker is asked. */
const vendorBeside = (evidence: readonly Evidence[]): string =>
  evidence.toSorted(byConfidence).find(({ deviceType, vendor }) => deviceType === undefined && vendor !== '')
    ?.vendor ?? ''

const asMatch = ({ deviceType, vendor, model, confidence, source }: Evidence): Match => ({
  deviceType: deviceType ?? 'unknown',
  vendor,
  model,
  confidence: rounded(confidence),
  source,
})

const rounded = (confidence: number): number => Math.round(confidence * 1_000) / 1_000
