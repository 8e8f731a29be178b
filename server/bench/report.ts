import { cpus, totalmem } from 'node:os'
import pg from 'pg'
import type { DatabaseAddress } from '#platform/database/address.ts'
import type { Measured } from './ratio.ts'

export interface Facts {
  readonly cores: number
  readonly memoryGb: number
  readonly processor: string
  readonly node: string
  readonly postgres: string
  readonly assets: number
  readonly secondsPerSide: number
}

export async function factsOf(
  where: DatabaseAddress,
  assets: number,
  secondsPerSide: number,
): Promise<Facts> {
  const client = new pg.Client(where)
  await client.connect()
  const { rows } = await client.query<{ server_version: string }>('show server_version')
  await client.end()
  return {
    cores: cpus().length,
    memoryGb: Math.round(totalmem() / 1024 ** 3),
    processor: cpus()[0]?.model.trim() ?? 'unknown',
    node: process.versions.node,
    postgres: rows[0]?.server_version ?? 'unknown',
    assets,
    secondsPerSide,
  }
}

const headings = [
  '',
  'a second',
  'limit',
  'ratio',
  'goal',
  'p50 ms',
  'p95 ms',
  'goal',
  'refused',
  'totals',
  '',
] as const

/** For people: the machine, a table, and what falls short. */
export function report(facts: Facts, measured: readonly Measured[]): string {
  const short = measured.flatMap(({ title, shortfalls }) => shortfalls.map((it) => `  ${title}: ${it}`))
  return [
    `${count(facts.assets)} assets; PostgreSQL ${facts.postgres}, server and client share ${facts.cores} cores, ${facts.memoryGb} GB (${facts.processor}); Node ${facts.node}`,
    '',
    ...aligned([headings, ...measured.map(rowOf)]),
    '',
    'limit: the same SQL through the driver behind a bare HTTP handler; for the intake, COPY of the same rows.',
    ...(short.length > 0 ? ['Falls short:', ...short] : ['Every goal is met; every total was exact.']),
  ].join('\n')
}

function rowOf({
  title,
  perSecond,
  limitPerSecond,
  ratio,
  goals,
  p50Ms,
  p95Ms,
  refused,
  isExact,
  shortfalls,
}: Measured): string[] {
  return [
    title,
    goals.perSecond ? `${count(perSecond)} (${count(goals.perSecond)})` : count(perSecond),
    count(limitPerSecond),
    ratio.toFixed(2),
    goals.ratio.toFixed(2),
    p50Ms === undefined ? '' : p50Ms.toFixed(1),
    p95Ms === undefined ? '' : p95Ms.toFixed(1),
    goals.p95Ms === undefined ? '' : String(goals.p95Ms),
    refused === undefined ? '' : String(refused),
    isExact ? 'exact' : 'wrong',
    shortfalls.length === 0 ? 'met' : 'short',
  ]
}

const count = (value: number): string =>
  value.toLocaleString('en', { maximumFractionDigits: value < 100 ? 1 : 0 })

/** Numbers to the right, the first and the last column to the left. */
function aligned(rows: readonly (readonly string[])[]): string[] {
  const widths = headings.map((_, at) => Math.max(...rows.map((row) => row[at]?.length ?? 0)))
  return rows.map((row) =>
    row
      .map((cell, at) => {
        const width = widths[at] ?? 0
        return at === 0 || at === row.length - 1 ? cell.padEnd(width) : cell.padStart(width)
      })
      .join('  ')
      .trimEnd(),
  )
}
