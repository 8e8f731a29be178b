import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { features } from '../../../src/app.ts'
import type { Feature } from '../../../src/platform/feature.ts'
import { jobRow, periodicRow } from '../../../src/platform/jobs/work-in-words.ts'

const PAGE = readFileSync(join(import.meta.dirname, '../../../../docs/background-work.md'), 'utf8')
/** Rows of its tables by the name of the work and the length of the row: a job may have the name of what starts it. */
const PROMISED = new Map(
  [...PAGE.matchAll(/^\| `[^`]+` \|.*\|$/gm)].map(([row]) => [keyOf(cellsOf(row)), cellsOf(row)]),
)

function keyOf([name = '', ...others]: readonly string[]): string {
  return `${name} ${others.length}`
}

function cellsOf(row: string): string[] {
  return row
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim())
}

/** How often the work of a feature is done and tried, beside what docs/background-work.md promises. */
export function doneAndPromised(work: Pick<Feature, 'jobs' | 'every'>) {
  const done = rowsOf(work)
  const all = new Set(features.flatMap(rowsOf).map(keyOf))
  return {
    done,
    promised: [
      ...done.map((row) => PROMISED.get(keyOf(row))),
      ...[...PROMISED.keys()].filter((key) => !all.has(key)).map((key) => `${key} is nowhere`),
    ],
  }
}

const rowsOf = ({ jobs = [], every = [] }: Pick<Feature, 'jobs' | 'every'>): (readonly string[])[] => [
  ...jobs.map(({ job }) => jobRow(job)),
  ...every.map(periodicRow),
]
