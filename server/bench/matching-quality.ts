import { join } from 'node:path'
import { matchesOf } from '#features/vulnerabilities/matches.ts'
import { readCatalogue, readLabels, type Boundary } from './matching-corpus.ts'

/** Of the answers that were given or expected. */
export interface Score {
  readonly name: string
  readonly hits: number
  readonly falseAlarms: number
  readonly misses: number
}

export async function qualityOver(folder: string): Promise<Score[]> {
  return [await boundaries(folder)]
}

/** Versions at and beside the bounds of NVD's ranges. */
async function boundaries(folder: string): Promise<Score> {
  const { rulesOf } = await readCatalogue(
    'nvd',
    join(folder, 'nvd/nvd-2.0-composed.json.gz'),
    'nvdcve-2.0-2024.json',
  )
  const score = { hits: 0, falseAlarms: 0, misses: 0 }
  for (const it of readLabels<Boundary>(folder, 'matching/nvd-boundaries.jsonl.gz')) {
    const name = `${it.part}:${it.vendor}:${it.product.replaceAll(/\\(.)/g, '$1')}`
    const installed = {
      origin: 'windows' as const,
      ecosystem: '',
      name: it.product,
      version: it.version,
      products: [{ name, isVendorSure: true }],
    }
    const isFound = matchesOf(installed, rulesOf).some(({ cveId }) => cveId === it.cve)
    if (isFound && it.expected) score.hits++
    if (isFound && !it.expected) score.falseAlarms++
    if (!isFound && it.expected) score.misses++
  }
  return { name: 'NVD version ranges', ...score }
}

export const linesOf = (scores: readonly Score[]): string[] => [
  `${''.padEnd(40)} precision   recall   of`,
  ...scores.map(
    (score) =>
      `${score.name.padEnd(40)} ${share(score.hits, score.falseAlarms)}   ${share(score.hits, score.misses)}   ${score.hits + score.misses}`,
  ),
]

const share = (right: number, wrong: number): string =>
  (right + wrong === 0 ? '-' : (right / (right + wrong)).toFixed(4)).padStart(9)
