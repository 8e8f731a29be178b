import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { PeriodicJob, Worker } from '../../../src/platform/jobs/job.ts'
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
export function doneAndPromised(work: {
  readonly jobs?: readonly Worker[]
  readonly every?: readonly PeriodicJob[]
}) {
  const done = [...(work.jobs ?? []).map(({ job }) => jobRow(job)), ...(work.every ?? []).map(periodicRow)]
  return { done, promised: done.map((row) => PROMISED.get(keyOf(row))) }
}
