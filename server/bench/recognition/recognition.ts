import { existsSync } from 'node:fs'
import type { CommandInput, CommandResult } from '#platform/cli/command.ts'
import { invalid } from '#platform/errors.ts'
import { readCorpus } from './recognition-corpus.ts'
import { qualityOf, shareOf, type Band, type Quality, type Score } from './recognition-quality.ts'
import { slowestMs, speedOver } from './recognition-speed.ts'

const FOLDER_DEFAULT = '../shared/data/recognition'
const SECONDS = 3

/** How often recognition is right on labelled data, how honest its confidence is, and how fast it is. */
export async function benchRecognition({ options }: CommandInput): Promise<CommandResult> {
  const folder = typeof options['data'] === 'string' ? options['data'] : FOLDER_DEFAULT
  if (!existsSync(folder)) throw invalid('data', `there is no folder ${folder}`)
  const corpus = readCorpus(folder)
  const quality = qualityOf(corpus)
  const perSecond = speedOver(corpus, SECONDS)
  const hostileMs = slowestMs()
  return {
    json: { quality, perSecond, hostileMs },
    text: [...lines(quality), `${perSecond} recognitions a second on one core`, slowest(hostileMs)].join(
      '\n',
    ),
  }
}

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
