import { existsSync } from 'node:fs'
import type { CommandInput, CommandResult } from '#platform/cli/command.ts'
import { invalid } from '#platform/errors.ts'
import { measure, writeCalibration } from './calibration.ts'
import { readCorpus, readGuard, type Corpus } from './recognition-corpus.ts'
import { qualityOf, shareOf, type Band, type Quality, type Score } from './recognition-quality.ts'
import { slowestMs, speedOver } from './recognition-speed.ts'

const FOLDER_DEFAULT = '../shared/data/recognition'
const SECONDS = 3

/** How often recognition is right on labelled data, how honest its confidence is, and how fast it is. */
export async function benchRecognition({ options }: CommandInput): Promise<CommandResult> {
  const folder = typeof options['data'] === 'string' ? options['data'] : FOLDER_DEFAULT
  if (!existsSync(folder)) throw invalid('data', `there is no folder ${folder}`)
  const corpus = readCorpus(folder)
  if (options['calibrate'] === true) return calibrate(corpus)
  const quality = qualityOf(corpus)
  const guard = qualityOf({ examples: readGuard(), macs: [] })
  const perSecond = speedOver(corpus, SECONDS)
  const hostileMs = slowestMs()
  return {
    json: { quality, guard, perSecond, hostileMs },
    text: [
      ...lines(quality),
      ...guardLines(guard),
      `${perSecond} recognitions a second on one core`,
      slowest(hostileMs),
    ].join('\n'),
  }
}

/** Measures each kind of statement and writes the table that recognition reads from the next start on. */
function calibrate({ examples }: Corpus): CommandResult {
  const table = measure(examples)
  writeCalibration(table)
  const rows = table.map(
    ({ basis, voice, verdict, source, asked, right, confidence }) =>
      `${basis.padEnd(10)} ${voice.padEnd(12)} ${(verdict ?? source ?? '').padEnd(14)} ${String(right).padStart(5)} of ${String(asked).padEnd(5)} ${confidence.toFixed(3)}`,
  )
  return { json: { table }, text: rows.join('\n') }
}

const guardLines = ({ types, others, high }: Quality): string[] => [
  'Guard examples, from which no rule is written:',
  `${percent(types)} of ${types.asked}: the right type; ${percent(others)} of ${others.asked} others: unknown`,
  `${high.asked - high.right} of ${high.asked} answers from 0.8 on: the wrong type`,
  '',
]

const slowest = (ms: number): string => `${ms.toFixed(2)} ms for the slowest hostile text of 5 kB`

function lines({ vendors, types, others, high, bands, pairBands }: Quality): string[] {
  return [
    `${percent(vendors)} of ${vendors.asked} MAC addresses: the right vendor`,
    `${percent(types)} of ${types.asked} device texts: the right type`,
    `${percent(others)} of ${others.asked} texts of other devices: unknown, as it should be`,
    `${(100 - shareOf(high) * 100).toFixed(1)} % of ${high.asked} answers from 0.8 on: the wrong type`,
    '',
    'confidence   answers   right',
    ...table(bands),
    '',
    'Two texts of one maker and type together:',
    ...table(pairBands),
    '',
  ]
}

const table = (bands: readonly Band[]): string[] => bands.filter(({ asked }) => asked > 0).map(row)

const row = (band: Band): string =>
  `from ${band.from.toFixed(1)}     ${String(band.asked).padStart(7)}  ${percent(band).padStart(6)}`

const percent = (score: Score): string => `${(shareOf(score) * 100).toFixed(1)} %`
