import { writeFileSync } from 'node:fs'
import { bases, type Basis } from '#features/recognition/basis.ts'
import { keyOf, kindOf, type Kind, type Measured } from '#features/recognition/confidence.ts'
import { readText } from '#features/recognition/readers/device-text.ts'
import { signalsIn } from '#features/recognition/readers/fingerprints.ts'
import { listedProducts } from '#features/recognition/vendors/products.ts'
import { vendorKey } from '#features/recognition/vendors/vendors.ts'
import { leavingFingerprintsOut, leavingMakersOut, makerOf, type LeavingOut } from './left-out.ts'
import type { Example } from './recognition-corpus.ts'

/** A lone voice is high only if it is hardly ever wrong, and that was seen often enough. */
const HIGH = 0.8
const PRECISION_FOR_HIGH = 0.99
/** Two words that say the same are no lone voice. */
const PRECISION_TOGETHER = 0.97
const ASKED_FOR_HIGH = 30
const ASKED_BESIDE_BASIS = 5
/** How many cases of a kind the whole basis weighs. */
const BASIS_WEIGHT = 4
/** A maker of mostly one kind is a guess, never a verdict. */
const MAKER_MAX = 0.6
/** Names that people choose, and the one kind of thing that a maker makes so far, are never high. */
const NEVER_HIGH = HIGH - 0.01

/** One statement of one text, and whether it is right. */
export interface Judged {
  readonly kind: Kind
  /** Whose device it is. */
  readonly maker: string
  readonly isRight: boolean
}

/** Bases that need no rule of the maker are measured with the maker left out, the others with the fingerprint. */
const makerless: ReadonlySet<Basis> = new Set(['spoken', 'noun', 'loose', 'aside', 'system'])

export function measure(examples: readonly Example[]): Measured[] {
  return tableOf(tallied([...judge(examples), ...judgementsOfLists()]))
}

/** How many statements of a kind about the devices of a maker there are, and how many are right. */
export interface Tally {
  readonly kind: Kind
  readonly maker: string
  readonly asked: number
  readonly right: number
}

export const tallied = (judged: readonly Judged[]): Tally[] =>
  [...Map.groupBy(judged, ({ kind, maker }) => `${keyOf(kind)} ${maker}`).values()].map((these) => ({
    kind: these[0]!.kind,
    maker: these[0]!.maker,
    asked: these.length,
    right: these.filter(({ isRight }) => isRight).length,
  }))

export function tableOf(tallies: readonly Tally[]): Measured[] {
  const ofBasis = Map.groupBy(tallies, ({ kind }) => kind.basis)
  const kinds = [...ofBasis].flatMap(([basis, all]) => {
    const alike = untyped.has(basis) ? alikeAmong(all) : new Set<Tally>()
    const ofDevices = all.filter(({ kind }) => kind.voice !== 'people')
    return kindsAmong(all).map((these) =>
      alike.has(these[0]!) ? pooled(these, [...alike]) : measured(these, ofDevices),
    )
  })
  return kinds.toSorted((a, b) => rank(a) - rank(b) || (keyOf(a) < keyOf(b) ? -1 : 1))
}

/** They say no type: what they state is how often none of ours fits. */
const untyped: ReadonlySet<Basis> = new Set(['named', 'silent'])

const kindsAmong = (tallies: readonly Tally[]): Tally[][] => [
  ...Map.groupBy(tallies, ({ kind }) => keyOf(kind)).values(),
]

/** Kinds that differ from one another by no more than chance are measured as one: whoever lies furthest off, leaves. */
function alikeAmong(ofBasis: readonly Tally[]): Set<Tally> {
  let alike = kindsAmong(ofBasis)
  for (;;) {
    const off = alike.map((these) =>
      deviations(counted(these), alike.filter((each) => each !== these).flat()),
    )
    const most = Math.max(...off)
    if (alike.length < 2 || most <= DEVIATIONS) return new Set(alike.flat())
    alike = alike.filter((_, at) => off[at] !== most)
  }
}

/** How many standard deviations the right ones are away from what the others' share lets expect. */
function deviations({ asked, right }: ReturnType<typeof counted>, others: readonly Tally[]): number {
  const share = shareOf(others)
  return Math.abs(right - asked * share) / Math.sqrt(asked * share * (1 - share))
}

/** Of a hundred kinds that are alike, one lies further off. */
const DEVIATIONS = 2.58

const pooled = (these: readonly Tally[], alike: readonly Tally[]): Measured => ({
  ...these[0]!.kind,
  ...counted(these),
  confidence: rounded(shareOf(alike)),
})

const rounded = (share: number): number => Math.round(share * 1_000) / 1_000

const rank = ({ basis }: Measured): number => bases.indexOf(basis)

/** Every statement about the examples, with what may have been written from the asked text left out. */
export const judge = (examples: readonly Example[]): Judged[] => [
  ...judgements(examples, leavingMakersOut(examples)).filter(({ kind }) => makerless.has(kind.basis)),
  ...judgements(examples, leavingFingerprintsOut(examples)).filter(({ kind }) => !makerless.has(kind.basis)),
]

export function writeCalibration(table: readonly Measured[]): void {
  const file = new URL('../../src/features/recognition/data/confidence.json', import.meta.url)
  writeFileSync(file, `[\n${table.map((row) => `  ${JSON.stringify(row)}`).join(',\n')}\n]\n`)
}

function judgements(examples: readonly Example[], leavingOut: LeavingOut): Judged[] {
  return examples.flatMap((example) => {
    const [text] = signalsIn({ [example.key]: example.text }, 'banner').texts ?? []
    const said = text && readText(text, leavingOut(example))
    if (!text || !said?.basis) return []
    const isRight = (said.deviceType ?? 'unknown') === example.type
    return [{ kind: kindOf(said.basis, text.source, said.deviceType), maker: makerOf(example), isRight }]
  })
}

/** What rules say of the models in makers' own lists, which no rule was written from, with the maker's name and without. */
export function judgementsOfLists(): Judged[] {
  return listedProducts().flatMap(({ vendor, model, type }) =>
    [`${vendor} ${model}`, model].flatMap((text) => {
      const said = readText({ source: 'snmp_sysdescr', text })
      if (!said?.deviceType || !said.basis || !ofProducts.has(said.basis)) return []
      const kind = kindOf(said.basis, 'snmp_sysdescr', said.deviceType)
      return [{ kind, maker: vendorKey(vendor), isRight: said.deviceType === type }]
    }),
  )
}

const ofProducts: ReadonlySet<Basis> = new Set(['confirmed', 'line', 'word'])

/**
 * What all of a basis are worth counts as much as so many cases of the kind, so that few cases move it little. A kind of
 * few cases is high where each was right and its basis is, whoever speaks and whatever is said.
 */
function measured(tallies: readonly Tally[], ofBasis: readonly Tally[]): Measured {
  const { kind } = tallies[0]!
  const { asked, right } = counted(tallies)
  const isFew = asked < ASKED_FOR_HIGH
  const enough = together.has(kind.basis) ? PRECISION_TOGETHER : PRECISION_FOR_HIGH
  const isHigh = isFew
    ? asked >= ASKED_BESIDE_BASIS && right === asked && isPrecise(ofBasis, enough)
    : isPrecise(tallies, enough)
  const most = Math.min(mostOf(kind), isHigh ? 1 : NEVER_HIGH)
  const share = (right + BASIS_WEIGHT * shareOf(ofBasis)) / (asked + BASIS_WEIGHT)
  return { ...kind, asked, right, confidence: rounded(Math.min(share, most)) }
}

/** The rule of succession, so that few cases promise little. */
function shareOf(tallies: readonly Tally[]): number {
  const { asked, right } = counted(tallies)
  return (right + 1) / (asked + 2)
}

const counted = (tallies: readonly Tally[]): { asked: number; right: number } => ({
  asked: tallies.reduce((sum, { asked }) => sum + asked, 0),
  right: tallies.reduce((sum, { right }) => sum + right, 0),
})

function isPrecise(tallies: readonly Tally[], enough: number): boolean {
  const { asked, right } = counted(tallies)
  return asked >= ASKED_FOR_HIGH && right / asked > enough
}

const together: ReadonlySet<Basis> = new Set(['agreed', 'confirmed'])

function mostOf({ basis, voice, verdict }: Kind): number {
  if (basis === 'maker' && verdict === 'type') return MAKER_MAX
  return voice === 'people' || habits.has(basis) ? NEVER_HIGH : 1
}

/** What a maker or a family mostly is, never what the thing itself is called. */
const habits: ReadonlySet<Basis> = new Set(['maker', 'sole', 'family'])
