import { fork } from 'node:child_process'
import { once } from 'node:events'
import { loadavg } from 'node:os'
import { join } from 'node:path'
import type { CommandResult } from '#platform/cli/command.ts'
import { invalid } from '#platform/errors.ts'
import { openScratch } from '../scratch-installation.ts'
import { importFiles, type ImportFile } from './import-files.ts'
import type { ImportMeasured } from './import-process.ts'

const PEAK_MB_GOAL = 100
const SLICE_MS_GOAL = 50

interface Result extends ImportMeasured {
  readonly name: string
  readonly title: string
}

/** Imports of files of 20 MB, each in a process of its own: rows a second, memory, and the longest event-loop slice. */
export async function benchImports(beginning = ''): Promise<CommandResult> {
  const wanted = importFiles.filter(({ name }) => name.startsWith(beginning))
  if (wanted.length === 0)
    throw invalid('file', `${beginning} is none of ${importFiles.map(({ name }) => name).join(', ')}`)
  const say = (text: string): void => void process.stderr.write(`${text}\n`)
  const load = loadavg()[0] ?? 0
  const scratch = await openScratch({ size: 1, keepIn: undefined, say })
  try {
    const results: Result[] = []
    for (const file of wanted) {
      const measured = await inProcess(file, scratch.environment)
      results.push({ name: file.name, title: file.title, ...measured })
      say(asText(load, results.slice(-1)).split('\n')[3] ?? '')
    }
    return { json: { load, results }, text: asText(load, results) }
  } finally {
    await scratch.close()
  }
}

async function inProcess(
  { name }: ImportFile,
  environment: Readonly<Record<string, string>>,
): Promise<ImportMeasured> {
  const child = fork(join(import.meta.dirname, 'import-process.ts'), [name], {
    serialization: 'advanced',
    execArgv: [...process.execArgv, '--expose-gc'],
    env: { ...environment, PATH: process.env['PATH'] },
  })
  const [answer] = await Promise.race([once(child, 'message'), once(child, 'exit')])
  if (typeof answer !== 'object') throw new Error(`the process that imports ${name} ended`)
  return answer as ImportMeasured
}

const headings = ['', 'rows/s', 's', 'peak MB', 'slice ms', 'delay ms', 'at rest', 'outcome'] as const

function asText(load: number, results: readonly Result[]): string {
  const rows = results.map(({ title, rows, seconds, peakMb, slices, atRest, outcome }) => [
    title,
    rows === 0 ? '' : Math.round(rows / seconds).toLocaleString('en'),
    seconds.toFixed(1),
    peakMb.toFixed(0),
    slices.cpuMs.toFixed(1),
    slices.delayMs.toFixed(0),
    atRest.delayMs.toFixed(0),
    outcome.slice(0, 60),
  ])
  const short = results.flatMap(({ title, peakMb, slices }) => [
    ...(peakMb > PEAK_MB_GOAL ? [`  ${title}: ${peakMb.toFixed(0)} MB instead of ${PEAK_MB_GOAL}`] : []),
    ...(slices.cpuMs > SLICE_MS_GOAL
      ? [`  ${title}: a slice of ${slices.cpuMs.toFixed(0)} ms instead of ${SLICE_MS_GOAL}`]
      : []),
  ])
  return [
    `Files of 20 MB; load ${load.toFixed(1)} at the beginning`,
    '',
    ...aligned([[...headings], ...rows]),
    '',
    'slice: the longest turn of the event loop, in processor time of its thread; delay: the same in wall time, and at rest.',
    ...(short.length > 0 ? ['Falls short:', ...short] : ['Every goal is met.']),
  ].join('\n')
}

function aligned(rows: readonly (readonly string[])[]): string[] {
  const widths = headings.map((_, at) => Math.max(...rows.map((row) => row[at]?.length ?? 0)))
  return rows.map((row) =>
    row
      .map((cell, at) =>
        at === 0 || at === row.length - 1 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0),
      )
      .join('  ')
      .trimEnd(),
  )
}
