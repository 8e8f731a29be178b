import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { CommandInput, CommandResult } from '#platform/cli/command.ts'
import { invalid } from '#platform/errors.ts'
import { sections } from './all.ts'
import { isMet, type Goal, type TruthRow } from './rows.ts'

const FOLDER_DEFAULT = '../shared/data'

/** How often the product is right, on labelled data, as one table: what `docs/accuracy.md` publishes. */
export async function benchTruth({ options }: CommandInput): Promise<CommandResult> {
  const data = typeof options['data'] === 'string' ? options['data'] : FOLDER_DEFAULT
  if (!existsSync(data)) throw invalid('data', `there is no folder ${data}`)
  const told: { title: string; rows: readonly TruthRow[] | undefined }[] = []
  for (const { title, folder, rows } of sections) {
    const path = join(data, folder)
    told.push({ title, rows: existsSync(path) ? await rows(path) : undefined })
  }
  const text = told.flatMap(({ title, rows }) => [
    '',
    title,
    ...(rows ? table(rows) : ['  no labelled data']),
  ])
  return {
    json: { sections: told.map((each) => ({ ...each, rows: each.rows ?? null })) },
    text: text.join('\n').trim(),
  }
}

function table(rows: readonly TruthRow[]): string[] {
  const cells = rows.map(cellsOf)
  const widths = HEADS.map((head, at) => Math.max(head.length, ...cells.map((row) => row[at]!.length)))
  return [HEADS, ...cells].map((row) =>
    `  ${row.map((cell, at) => (at === 0 ? cell.padEnd(widths[at]!) : cell.padStart(widths[at]!))).join('  ')}`.trimEnd(),
  )
}

const HEADS = ['', 'cases', 'figure', '95 % interval', 'goal', '']

const cellsOf = (row: TruthRow): string[] => [
  row.name,
  String(row.asked),
  shown(row, row.value),
  `${shown(row, row.low)} - ${shown(row, row.high)}`,
  row.goal ? goalShown(row, row.goal) : '',
  isMet(row) ? '' : 'missed',
]

const goalShown = (row: TruthRow, goal: Goal): string =>
  'atLeast' in goal ? `>= ${shown(row, goal.atLeast)}` : `<= ${shown(row, goal.atMost)}`

const shown = ({ kind }: TruthRow, value: number): string =>
  kind === 'share' ? `${(value * 100).toFixed(1)} %` : value.toFixed(3)
