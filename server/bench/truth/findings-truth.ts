import { dirname } from 'node:path'
import { qualityOver } from '../matching/matching-quality.ts'
import type { Score } from '../matching/matching-tallies.ts'
import { shareRow, type TruthRow, type TruthSection } from './rows.ts'

/** Findings on what people judged by hand, and the names under which the catalogue is asked. */
export const findingsTruth: TruthSection = {
  title: 'Findings (labels by hand and records of feeds; libraries as a scan of their image would list them)',
  folder: 'matching',
  rows: async (folder) => {
    const scores = new Map((await qualityOver(dirname(folder))).map((score) => [score.name, score]))
    const rows = (name: string, of: (score: Score) => readonly TruthRow[]) => {
      const score = scores.get(name)
      return score ? of(score) : []
    }
    return [
      ...rows('names to CPE names', (score) => [
        precision('name to CPE: right among those found', score, 0.97),
        recall('name to CPE: found', score, 0.85),
      ]),
      ...rows('names to CPE names, among all products', (score) => [
        precision('the same among the products of all records: right', score, 0.97),
        recall('the same among the products of all records: found', score, 0.85),
      ]),
      ...rows('NVD version ranges', (score) => [
        precision("bounds of NVD's ranges: right among those found", score, 0.999),
        recall("bounds of NVD's ranges: found", score, 0.999),
      ]),
      ...rows('libraries and programs, labels by hand', (score) => [
        falseShare('libraries and programs: false', score, 0.03),
        recall('libraries and programs: found', score, 0.93),
      ]),
      ...rows('of these with a package of a registry', (score) => [
        falseShare('packages of registries: false', score, 0.03),
        recall('packages of registries: found', score, 0.93),
      ]),
      ...rows('of these found, confirmed', (score) => [
        falseShare('libraries and programs, claimed as confirmed: false', score, 0.03),
      ]),
      ...rows('of these found, unconfirmed', (score) => [
        falseShare('libraries and programs, claimed as unconfirmed: false', score),
      ]),
    ]
  },
}

const precision = (name: string, { hits, falseAlarms }: Score, atLeast: number): TruthRow =>
  shareRow(name, { asked: hits + falseAlarms, count: hits }, { atLeast })

const recall = (name: string, { hits, misses }: Score, atLeast: number): TruthRow =>
  shareRow(name, { asked: hits + misses, count: hits }, { atLeast })

/** Of what was found. */
const falseShare = (name: string, { hits, falseAlarms }: Score, atMost?: number): TruthRow =>
  shareRow(
    name,
    { asked: hits + falseAlarms, count: falseAlarms },
    atMost === undefined ? undefined : { atMost },
  )
