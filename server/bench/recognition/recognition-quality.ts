import { recognize, type Recognition } from '#features/recognition/recognition.ts'
import { vendorKey } from '#features/recognition/vendors/vendors.ts'
import { signalsIn } from '#features/recognition/readers/fingerprints.ts'
import type { Hears } from '#features/recognition/rules.ts'
import type { LeavingOut } from './left-out.ts'
import type { Corpus, Example, MacQuestion } from './recognition-corpus.ts'

/** Right answers among questions. */
export interface Score {
  readonly asked: number
  readonly right: number
}

/** Of answers with a confidence from `from` on, below the next band. */
export interface Band extends Score {
  readonly from: number
}

export interface Quality {
  /** MAC address to vendor. */
  readonly vendors: Score
  /** Texts of devices that one of our types fits. */
  readonly types: Score
  /** Texts of devices that none fits: `unknown` is right. */
  readonly others: Score
  /** Answers of high confidence, among all texts. */
  readonly high: Score
  /** By the confidence of the answer. */
  readonly bands: readonly Band[]
  /** The same where two texts of one maker and type are told together, as of one device that speaks two protocols. */
  readonly pairBands: readonly Band[]
}

const HIGH = 0.8
const BANDS = [0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9]

export interface Answered {
  readonly example: Example
  readonly answer: Recognition
}

export function qualityOf({ examples, macs }: Corpus): Quality {
  const answers = answersTo(examples)
  const pairs = pairsOf(examples).map((pair) => ({ example: pair[0], answer: answerTo(pair) }))
  return {
    vendors: { asked: macs.length, right: macs.filter(isVendorRight).length },
    types: scoreOf(answers.filter(({ example }) => !example.isOther)),
    others: scoreOf(answers.filter(({ example }) => example.isOther)),
    high: scoreOf(answers.filter(({ answer }) => answer.confidence >= HIGH)),
    bands: bandsOf(answers),
    pairBands: bandsOf(pairs),
  }
}

export const answersTo = (examples: readonly Example[], leavingOut?: LeavingOut): Answered[] =>
  examples.map((example) => ({ example, answer: answerTo([example], leavingOut?.(example)) }))

export const isTypeRight = ({ example, answer }: Answered): boolean => answer.deviceType === example.type

export const isMakerRight = ({ example, answer }: Answered): boolean =>
  vendorKey(answer.vendor) === vendorKey(example.vendor)

/** How far stated confidence and truth lie apart, over bands of a tenth, by the number of answers in each. */
export const calibrationError = (answers: readonly Answered[]): number =>
  calibrationErrorOf(
    answers.map((each) => ({ confidence: each.answer.confidence, isRight: isTypeRight(each) })),
  )

export function calibrationErrorOf(
  statements: readonly { readonly confidence: number; readonly isRight: boolean }[],
): number {
  const gaps = [...Map.groupBy(statements, bandOf).values()].map((band) => {
    const stated = band.reduce((sum, { confidence }) => sum + confidence, 0)
    return Math.abs(stated - band.filter(({ isRight }) => isRight).length)
  })
  return statements.length === 0 ? 0 : gaps.reduce((sum, gap) => sum + gap, 0) / statements.length
}

const scoreOf = (answers: readonly Answered[]): Score => ({
  asked: answers.length,
  right: answers.filter(isTypeRight).length,
})

const bandsOf = (answers: readonly Answered[]): Band[] =>
  BANDS.map((from) => ({ from, ...scoreOf(answers.filter(({ answer }) => bandOf(answer) === from)) }))

/** Each text with the next one of the same maker and type that came another way. */
function pairsOf(examples: readonly Example[]): (readonly [Example, Example])[] {
  const alike = Map.groupBy(
    examples.filter(({ vendor }) => vendor !== ''),
    ({ vendor, type }) => `${vendor} ${type}`,
  )
  return [...alike.values()].flatMap((group) =>
    group.flatMap((example, at) => {
      const other = group.slice(at + 1).find(({ key }) => key !== example.key)
      return other ? [[example, other] as const] : []
    }),
  )
}

export const shareOf = ({ asked, right }: Score): number => (asked === 0 ? 0 : right / asked)

/** As a caller would ask, under the key of the corpus. */
const answerTo = (examples: readonly Example[], hears?: Hears): Recognition =>
  recognize(signalsIn(Object.fromEntries(examples.map(({ key, text }) => [key, text])), 'banner'), hears)

const bandOf = ({ confidence }: Pick<Recognition, 'confidence'>): number =>
  BANDS.findLast((from) => confidence >= from) ?? 0

export const isVendorRight = ({ mac, vendor }: MacQuestion): boolean =>
  significant(recognize({ mac }).vendor) === significant(vendor)

/** Registries spell one maker in many ways: what every second maker is called besides does not count. */
const significant = (vendor: string): string =>
  (vendor.toLowerCase().match(/[a-z0-9]+/g) ?? []).filter((word) => !besides.has(word)).join(' ')

const besides = new Set(
  (
    'ltd co inc technology technologies systems gmbh corporation electronics limited llc networks electronic ag ' +
    'corp tech system international group ab company srl kg pty pvt network spa sa oy pte as private sas the plc ' +
    'bv holdings intl holding ooo incorporated'
  ).split(' '),
)
