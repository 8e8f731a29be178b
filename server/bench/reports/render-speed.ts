/** How long a file of a report takes, and how much memory: of assets that are made up, without a database. */
import { createHash } from 'node:crypto'
import { createWriteStream, readFileSync } from 'node:fs'
import { once } from 'node:events'
import type { CommandInput, CommandResult } from '#platform/cli/command.ts'
import { invalid } from '#platform/errors.ts'
import { writeDataset, type DatasetLine } from '../../src/features/reports/dataset/dataset.ts'
import { openDataset } from '../../src/features/reports/dataset/open-dataset.ts'
import { renderers } from '../../src/features/reports/formats/all.ts'
import { reportFormats } from '../../src/features/reports/report.ts'
import { madeUpAudit } from './made-up-audit.ts'

const ASSETS_DEFAULT = 1_000
const ASSETS_MAX = 1_000_000

/** One format in this process, so that its memory is that format's. */
export async function benchReports({ options }: CommandInput): Promise<CommandResult> {
  const format = reportFormats.find((it) => it === (options['format'] ?? 'pdf'))
  if (!format) throw invalid('format', `must be one of ${reportFormats.join(', ')}`)
  const assets = Number(options['assets'] ?? ASSETS_DEFAULT)
  if (!Number.isInteger(assets) || assets < 1 || assets > ASSETS_MAX)
    throw invalid('assets', `must be a whole number from 1 to ${ASSETS_MAX}`)
  const { content, digest } = await datasetOf(madeUpAudit(assets, options['list'] === true))
  const output = typeof options['output'] === 'string' ? options['output'] : '/dev/null'
  const file = createWriteStream(output)
  const hash = createHash('sha256')
  const before = process.cpuUsage()
  let bytes = 0
  for await (const part of renderers[format](await openDataset(content, digest.toString('hex')))) {
    const piece = Buffer.from(part as Uint8Array)
    hash.update(piece)
    bytes += piece.length
    if (!file.write(piece)) await once(file, 'drain')
  }
  const { user, system } = process.cpuUsage(before)
  await new Promise((resolve) => void file.end(resolve))
  const seconds = Math.round((user + system) / 10_000) / 100
  const json = { format, assets, seconds, peak: peakMegabytes(), bytes, sha256: hash.digest('hex') }
  return {
    json,
    text: `${format} of ${assets} assets: ${seconds} s of CPU, ${json.peak} MB at most, ${bytes} bytes, ${json.sha256}`,
  }
}

async function datasetOf(lines: Iterable<DatasetLine>) {
  const writer = writeDataset()
  for (const line of lines) await writer.add(line)
  return writer.end()
}

/** Of the process since its start, as Linux counts it; 0 elsewhere. */
function peakMegabytes(): number {
  try {
    const [, kilobytes] = /VmHWM:\s+(\d+)/.exec(readFileSync('/proc/self/status', 'utf8')) ?? []
    return Math.round(Number(kilobytes) / 1_024)
  } catch {
    return 0
  }
}
