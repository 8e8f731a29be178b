import { loadavg } from 'node:os'
import { join } from 'node:path'
import type { CommandInput, CommandResult } from '#platform/cli/command.ts'
import { invalid } from '#platform/errors.ts'
import { fittedExponent } from './exponent.ts'
import type { GrowthCost } from './growth-costs.ts'
import { measurePages } from './growth-pages.ts'
import { measureProduct } from './growth-product.ts'
import { openGrowthScene } from './growth-scene.ts'
import { measureWrites } from './growth-writes.ts'

const SIZES_DEFAULT = '10000,100000,1000000'
const SIZE_MIN = 10_000
const SIZE_MAX = 10_000_000

/** Of the cost of all that is written, so of one thing a tenth; of a page. */
const EXPONENTS_MAX = { write: 0.1, whole: 1.1, page: 0.3, held: undefined } as const

interface Grown extends Omit<GrowthCost, 'cost'> {
  readonly costs: readonly { readonly size: number; readonly cost: number }[]
  readonly exponent: number | undefined
  /** Between the two largest sizes, where a cost that only begins to grow shows. */
  readonly lastStep: number | undefined
  readonly isShort: boolean
}

/** Measures the same on estates of several sizes, and how each cost grows with the size. */
export async function benchGrowth({ options }: CommandInput): Promise<CommandResult> {
  const sizes = sizesOf(options['assets'])
  const keepIn = typeof options['keep'] === 'string' ? options['keep'] : undefined
  const measured: { size: number; costs: readonly GrowthCost[] }[] = []
  for (const size of sizes) {
    const scene = await openGrowthScene(size, { keepIn: keepIn && join(keepIn, String(size)), say })
    try {
      const pages = await measurePages(scene)
      const others =
        options['pages'] === true ? [] : [...(await measureProduct(scene)), ...(await measureWrites(scene))]
      measured.push({ size, costs: [...pages, ...others] })
    } finally {
      await scene.close()
    }
  }
  const grown = grownOf(measured)
  const load = loadavg().map((it) => it.toFixed(1))
  return {
    json: { sizes, load, grown },
    text: [`load ${load.join(' ')}`, ...tableOf(sizes, grown), ...NOTES].join('\n'),
    ...(grown.some(({ isShort }) => isShort) && { isBad: true }),
  }
}

function sizesOf(given: string | true | undefined): number[] {
  const sizes = (typeof given === 'string' ? given : SIZES_DEFAULT).split(',').map(Number)
  if (sizes.some((it) => !Number.isInteger(it) || it < SIZE_MIN || it > SIZE_MAX))
    throw invalid('assets', `must be whole numbers from ${SIZE_MIN} to ${SIZE_MAX}, with commas between them`)
  return sizes.toSorted((a, b) => a - b)
}

function grownOf(measured: readonly { size: number; costs: readonly GrowthCost[] }[]): Grown[] {
  return (measured[0]?.costs ?? []).map(({ name, kind, unit }) => {
    const costs = measured.flatMap(({ size, costs: all }) =>
      all.filter((it) => it.name === name).map(({ cost }) => ({ size, cost })),
    )
    const exponent = fittedExponent(costs)
    const most = EXPONENTS_MAX[kind]
    return {
      name,
      kind,
      unit,
      costs,
      exponent,
      lastStep: fittedExponent(costs.slice(-2)),
      isShort: most !== undefined && exponent !== undefined && exponent > most,
    }
  })
}

const NOTES = [
  '',
  'ms: processor time of database and program, of one page, of one thing that is written, or of the whole estate. The exponent',
  'is of the line through the logarithms; wanted: 0.3 for a page, 0.1 for one thing (1.1 for all of them), 1.1 for the whole.',
  'The last step is the exponent between the two largest sizes alone.',
]

function tableOf(sizes: readonly number[], grown: readonly Grown[]): string[] {
  const rows = [
    ['', '', ...sizes.map((it) => it.toLocaleString('en')), 'exponent', 'last step', ''],
    ...grown.map((it) => [
      it.name,
      it.unit,
      ...it.costs.map(({ cost }) => cost.toFixed(cost < 10 ? 2 : 0)),
      it.exponent?.toFixed(2) ?? '',
      it.lastStep?.toFixed(2) ?? '',
      it.isShort ? 'short' : EXPONENTS_MAX[it.kind] === undefined ? '' : 'met',
    ]),
  ]
  const widths = (rows[0] ?? []).map((_, at) => Math.max(...rows.map((row) => (row[at] ?? '').length)))
  return rows.map((row) =>
    row
      .map((cell, at) => (at < 2 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0)))
      .join('  ')
      .trimEnd(),
  )
}

/** Progress, apart from the answer. */
function say(text: string): void {
  process.stderr.write(`${text}\n`)
}
