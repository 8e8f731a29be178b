import { readCorpus, type Corpus } from '../recognition/recognition-corpus.ts'
import {
  answersTo,
  calibrationError,
  isMakerRight,
  isTypeRight,
  isVendorRight,
  type Answered,
} from '../recognition/recognition-quality.ts'
import { figureRow, shareRow, type TruthRow, type TruthSection } from './rows.ts'

/** From here on an answer counts as sure. */
const HIGH = 0.8

export const recognitionTruth: TruthSection = {
  title: 'Recognition (develop half; rules may have been written with these texts in mind)',
  folder: 'recognition',
  rows: (folder) => rowsOf(readCorpus(folder)),
}

function rowsOf({ examples, macs }: Corpus): TruthRow[] {
  const answers = answersTo(examples)
  const share = (
    name: string,
    asked: readonly Answered[],
    holds: (answered: Answered) => boolean,
    goal: NonNullable<TruthRow['goal']>,
  ): TruthRow => shareRow(name, { asked: asked.length, count: asked.filter(holds).length }, goal)
  const fitting = answers.filter(({ example }) => !example.isOther)
  const named = answers.filter(({ example }) => example.vendor !== '')
  const sure = answers.filter(({ answer }) => answer.confidence >= HIGH)
  return [
    shareRow(
      'maker of a MAC address',
      { asked: macs.length, count: macs.filter(isVendorRight).length },
      { atLeast: 0.97 },
    ),
    share('type, where one of ours fits', fitting, isTypeRight, { atLeast: 0.9 }),
    share(
      'unknown, where none of ours fits',
      answers.filter(({ example }) => example.isOther),
      isTypeRight,
      { atLeast: 0.92 },
    ),
    share('maker of a text', named, isMakerRight, { atLeast: 0.9 }),
    share('wrong type among answers from 0.8 on', sure, (answered) => !isTypeRight(answered), {
      atMost: 0.01,
    }),
    figureRow('calibration error', answers, calibrationError, { atMost: 0.05 }),
  ]
}
