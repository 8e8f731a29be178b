import { writeFileSync } from 'node:fs'
import { bases, type Basis } from '#features/recognition/basis.ts'
import { voiceOf, voices, type Measured, type Voice } from '#features/recognition/confidence.ts'
import { readText } from '#features/recognition/readers/device-text.ts'
import { signalsIn } from '#features/recognition/readers/fingerprints.ts'
import { listedProducts } from '#features/recognition/vendors/products.ts'
import { vendorKey } from '#features/recognition/vendors/vendors.ts'
import { leavingFingerprintsOut, leavingMakersOut, makerOf, type LeavingOut } from './left-out.ts'
import type { Example } from './recognition-corpus.ts'

/** A lone voice is high only if it is hardly ever wrong, and that was seen often enough. */
const HIGH = 0.8
const PRECISION_FOR_HIGH = 0.99
const ASKED_FOR_HIGH = 30
/** A maker of mostly one kind is a guess, never a verdict; names that people choose are never high. */
const MAKER_MAX = 0.6
const PEOPLE_MAX = 0.6

/** One statement of one text, and whether it is right. */
export interface Judged {
  readonly basis: Basis
  readonly voice: Voice
  /** Whose device it is. */
  readonly maker: string
  readonly isRight: boolean
}

/** Bases that need no rule of the maker are measured with the maker left out, the others with the fingerprint. */
const makerless: ReadonlySet<Basis> = new Set(['spoken', 'noun', 'loose', 'aside', 'system'])

export function measure(examples: readonly Example[]): Measured[] {
  return tableOf([...judge(examples), ...judgementsOfLists()])
}

export function tableOf(judged: readonly Judged[]): Measured[] {
  return bases.flatMap((basis) =>
    voices.flatMap((voice) => {
      const these = judged.filter((each) => each.basis === basis && each.voice === voice)
      return these.length === 0 ? [] : [measured(basis, voice, these)]
    }),
  )
}

/** Every statement about the examples, with what may have been written from the asked text left out. */
export const judge = (examples: readonly Example[]): Judged[] => [
  ...judgements(examples, leavingMakersOut(examples)).filter(({ basis }) => makerless.has(basis)),
  ...judgements(examples, leavingFingerprintsOut(examples)).filter(({ basis }) => !makerless.has(basis)),
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
    return [{ basis: said.basis, voice: voiceOf(text.source), maker: makerOf(example), isRight }]
  })
}

/** What rules say of the models in makers' own lists, which no rule was written from. */
export function judgementsOfLists(): Judged[] {
  return listedProducts().flatMap(({ vendor, model, type }) => {
    const said = readText({ source: 'snmp_sysdescr', text: `${vendor} ${model}` })
    return said?.deviceType && (said.basis === 'line' || said.basis === 'model' || said.basis === 'word')
      ? [
          {
            basis: said.basis,
            voice: 'device' as const,
            maker: vendorKey(vendor),
            isRight: said.deviceType === type,
          },
        ]
      : []
  })
}

/** The rule of succession, so that few cases promise little. */
function measured(basis: Basis, voice: Voice, judged: readonly Judged[]): Measured {
  const right = judged.filter(({ isRight }) => isRight).length
  const asked = judged.length
  const share = (right + 1) / (asked + 2)
  const isHigh = asked >= ASKED_FOR_HIGH && right / asked > PRECISION_FOR_HIGH
  const most = basis === 'maker' ? MAKER_MAX : voice === 'people' ? PEOPLE_MAX : isHigh ? 1 : HIGH - 0.01
  return { basis, voice, asked, right, confidence: Math.round(Math.min(share, most) * 1_000) / 1_000 }
}
