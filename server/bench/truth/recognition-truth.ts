import { listedProducts, products } from '#features/recognition/vendors/products.ts'
import { crossValidated } from '../recognition/cross-validation.ts'
import { leavingFingerprintsOut, leavingMakersOut, type LeavingOut } from '../recognition/left-out.ts'
import { readCorpus, readGuard, type Example } from '../recognition/recognition-corpus.ts'
import {
  answersTo,
  calibrationError,
  calibrationErrorOf,
  isMakerRight,
  isTypeRight,
  isVendorRight,
  type Answered,
} from '../recognition/recognition-quality.ts'
import { figureRow, shareRow, type Goal, type TruthRow, type TruthSection } from './rows.ts'

/** From here on an answer counts as sure. */
const HIGH = 0.8

export const recognitionTruth: TruthSection = {
  title: 'Recognition (develop half: an upper bound, and what is left when rules are taken away)',
  folder: 'recognition',
  rows: (folder) => {
    const { examples, macs } = readCorpus(folder)
    const vendors = { asked: macs.length, count: macs.filter(isVendorRight).length }
    return [
      shareRow('maker of a MAC address', vendors, { atLeast: 0.97 }),
      shareRow(
        "type known of a product in makers' lists",
        { asked: products().size, count: listedProducts().length },
        { atLeast: 0.9 },
      ),
      ...rowsOf('all rules', examples),
      ...leftOutRows('without words of its fingerprint', examples, leavingFingerprintsOut(examples)),
      ...leftOutRows('without rules of its maker', examples, leavingMakersOut(examples)),
      ...crossValidatedRows(examples),
      ...rowsOf('guard', readGuard()),
    ]
  },
}

function rowsOf(which: string, examples: readonly Example[]): TruthRow[] {
  const answers = answersTo(examples)
  return [
    share(`${which}: type, where one of ours fits`, answers.filter(isFitting), isTypeRight, { atLeast: 0.9 }),
    share(`${which}: unknown, where none fits`, answers.filter(isOther), isTypeRight, { atLeast: 0.92 }),
    share(`${which}: maker`, answers.filter(isNamed), isMakerRight, { atLeast: 0.9 }),
    share(`${which}: wrong from 0.8 on`, answers.filter(isSure), (each) => !isTypeRight(each), {
      atMost: 0.01,
    }),
    figureRow(`${which}: calibration error`, answers, calibrationError, { atMost: 0.05 }),
  ]
}

/** No goal: they say how much rests on what was known of the very product or maker. */
function leftOutRows(which: string, examples: readonly Example[], leavingOut: LeavingOut): TruthRow[] {
  const answers = answersTo(examples, leavingOut)
  const fitting = answers.filter(isFitting)
  return [
    share(`${which}: type, where one of ours fits`, fitting, isTypeRight),
    share(`${which}: right among types given`, fitting.filter(isGiven), isTypeRight),
    share(`${which}: unknown, where none fits`, answers.filter(isOther), isTypeRight),
    share(`${which}: wrong from 0.8 on`, answers.filter(isSure), (each) => !isTypeRight(each), {
      atMost: 0.01,
    }),
  ]
}

/** Single statements, not answers: with the confidence that is fitted on other makers. */
function crossValidatedRows(examples: readonly Example[]): TruthRow[] {
  const stated = crossValidated(examples)
  const sure = stated.filter(({ confidence }) => confidence >= HIGH)
  const wrong = sure.filter(({ isRight }) => !isRight)
  return [
    figureRow('confidence fitted on other makers: calibration error', stated, calibrationErrorOf, {
      atMost: 0.05,
    }),
    shareRow(
      'confidence fitted on other makers: wrong from 0.8 on',
      { asked: sure.length, count: wrong.length },
      { atMost: 0.01 },
    ),
  ]
}

const share = (
  name: string,
  asked: readonly Answered[],
  holds: (answered: Answered) => boolean,
  goal?: Goal,
): TruthRow => shareRow(name, { asked: asked.length, count: asked.filter(holds).length }, goal)

const isOther = ({ example }: Answered): boolean => example.isOther
const isFitting = ({ example }: Answered): boolean => !example.isOther
const isNamed = ({ example }: Answered): boolean => example.vendor !== ''
const isGiven = ({ answer }: Answered): boolean => answer.deviceType !== 'unknown'
const isSure = ({ answer }: Answered): boolean => answer.confidence >= HIGH
