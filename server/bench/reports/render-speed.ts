/** How long a file of a report takes, and how much memory: of assets that are made up, without a database. */
import { createHash } from 'node:crypto'
import { open } from 'node:fs/promises'
import type { CommandInput, CommandResult } from '#platform/cli/command.ts'
import { invalid } from '#platform/errors.ts'
import { writeDataset, type DatasetLine } from '../../src/features/reports/dataset/dataset.ts'
import { renderFile } from '../../src/features/reports/generating/render-file.ts'
import { reportFormats } from '../../src/features/reports/report.ts'
import { madeUpAudit } from './made-up-audit.ts'
import { measuring } from './process-cost.ts'
import { benchReportTypes } from './report-types.ts'

const ASSETS_DEFAULT = 1_000
const ASSETS_MAX = 1_000_000

/** One format, in a process of its own as the product makes it. */
export async function benchReports({ options }: CommandInput): Promise<CommandResult> {
  const format = reportFormats.find((it) => it === (options['format'] ?? 'pdf'))
  if (!format) throw invalid('format', `must be one of ${reportFormats.join(', ')}`)
  const assets = Number(options['assets'] ?? ASSETS_DEFAULT)
  if (!Number.isInteger(assets) || assets < 1 || assets > ASSETS_MAX)
    throw invalid('assets', `must be a whole number from 1 to ${ASSETS_MAX}`)
  if (options['types'] === true) {
    const keepIn = typeof options['keep'] === 'string' ? options['keep'] : undefined
    return benchReportTypes({ assets, keepIn, say: (text) => process.stderr.write(`${text}\n`) })
  }
  const order = { format, ...(await datasetOf(madeUpAudit(assets, options['list'] === true))) }
  const file = await open(typeof options['output'] === 'string' ? options['output'] : '/dev/null', 'w')
  const hash = createHash('sha256')
  const start = measuring()
  let bytes = 0
  for await (const piece of renderFile(order)) {
    hash.update(piece)
    bytes += piece.length
    await file.writeFile(piece)
  }
  const cost = start.end()
  await file.close()
  const json = { format, assets, ...cost, bytes, sha256: hash.digest('hex') }
  return {
    json,
    text:
      `${format} of ${assets} assets: ${cost.seconds} s of CPU, ${cost.renderer} MB at most, beside ${cost.peak} MB ` +
      `of the process that asks (${cost.before} MB before); ${bytes} bytes, ${json.sha256}`,
  }
}

async function datasetOf(lines: Iterable<DatasetLine>) {
  const writer = writeDataset()
  for (const line of lines) await writer.add(line)
  const { content, digest } = await writer.end()
  return { dataset: content, digest: digest.toString('hex') }
}
