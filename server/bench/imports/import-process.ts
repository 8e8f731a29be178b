/** A process that imports one file as a worker would, and sends its parent what that took. */
import { randomUUID } from 'node:crypto'
import { getImport, startImport } from '#features/imports/imports.ts'
import { workOnImport } from '#features/imports/running/run-import.ts'
import { uploadFile } from '#features/imports/uploads.ts'
import { createTenant } from '#features/tenancy/tenancy.ts'
import type { Ctx } from '#platform/context.ts'
import { openLog } from '#platform/observability/log.ts'
import { readConfig } from '../../src/config.ts'
import { openInstallation } from '../../src/startup/installation.ts'
import { measureSlices, type Slices } from './event-loop-slices.ts'
import { importFiles, type ImportFile } from './import-files.ts'

export interface ImportMeasured {
  /** Rows, entries and rejections of all copies. */
  readonly rows: number
  /** From the first byte of the upload to the end of the preview, or of the import. */
  readonly seconds: number
  /** Peak of the resident memory of the whole process over what it had before. */
  readonly peakMb: number
  readonly slices: Slices
  /** Of the same process at rest, right before. */
  readonly atRest: Slices
  /** How the import ended, or why it cannot begin. */
  readonly outcome: string
}

const WARM_UP = `name,serial\n${Array.from({ length: 1_000 }, (_, n) => `warm-${n},WARM-${n}\n`).join('')}`
const PART_BYTES = 65_536
const REST_MS = 1_000
const LATER_MS = 50

async function measure(file: ImportFile): Promise<ImportMeasured> {
  const config = readConfig(process.env)
  const installation = await openInstallation(config, openLog(config.logLevel))
  try {
    const tenant = await createTenant(installation.runtime.system, {
      slug: `bench-${file.name}-${process.pid}`,
    })
    const ctx = installation.runtime.contextFor(tenant.id)
    await importOnce(ctx, Buffer.from(WARM_UP), true)
    const bytes = file.bytes()
    const atRest = await slicesOf(() => new Promise((resolve) => void setTimeout(resolve, REST_MS)))
    const memory = measurePeak()
    const begunAt = performance.now()
    const slices = measureSlices()
    const done = await Promise.all(
      Array.from({ length: file.copies ?? 1 }, () => importOnce(ctx, bytes, file.isImported)),
    )
    const seconds = (performance.now() - begunAt) / 1_000
    return {
      rows: done.reduce((sum, { rows }) => sum + rows, 0),
      seconds,
      slices: slices.stop(),
      peakMb: memory.stop(),
      atRest,
      outcome: done[0]?.outcome ?? '',
    }
  } finally {
    await installation.close()
  }
}

async function slicesOf(work: () => Promise<unknown>): Promise<Slices> {
  const slices = measureSlices()
  await work()
  return slices.stop()
}

/** In megabytes. The bytes of the generated file are there before. */
function measurePeak(): { readonly stop: () => number } {
  globalThis.gc?.()
  const before = process.memoryUsage.rss()
  let peak = before
  const timer = setInterval(() => (peak = Math.max(peak, process.memoryUsage.rss())), 10)
  return {
    stop() {
      clearInterval(timer)
      return (peak - before) / 1e6
    },
  }
}

async function importOnce(
  ctx: Ctx,
  bytes: Buffer,
  isImported: boolean,
): Promise<{ readonly rows: number; readonly outcome: string }> {
  const { id } = await uploadFile(ctx, {
    key: randomUUID(),
    name: 'bench',
    bytes: bytes.length,
    at: 0,
    content: partsOf(bytes),
  })
  const checked = await work(ctx, id)
  const { rows = 0, rejectedTotal = 0, problem } = checked.preview ?? {}
  if (!isImported || problem)
    return { rows: rows + rejectedTotal, outcome: problem?.message ?? checked.status }
  await startImport(ctx, id)
  const { status, message } = await work(ctx, id)
  return { rows: rows + rejectedTotal, outcome: message || status }
}

/** As often as it takes: of more than two at once, the others are put off. */
async function work(ctx: Ctx, id: string): ReturnType<typeof getImport> {
  const signal = new AbortController().signal
  for (;;) {
    await workOnImport(ctx, { importId: id }, signal)
    const found = await getImport(ctx, id)
    if (!['checking', 'waiting'].includes(found.status)) return found
    await new Promise((resolve) => void setTimeout(resolve, LATER_MS))
  }
}

async function* partsOf(bytes: Buffer): AsyncIterable<Buffer> {
  for (let at = 0; at < bytes.length; at += PART_BYTES) {
    await new Promise(setImmediate)
    yield bytes.subarray(at, at + PART_BYTES)
  }
}

const wanted = importFiles.find(({ name }) => name === process.argv[2])
if (!wanted) throw new Error('no such file')
process.send?.(await measure(wanted))
process.disconnect?.()
