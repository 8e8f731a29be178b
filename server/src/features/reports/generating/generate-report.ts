import { createHash, type Hash } from 'node:crypto'
import { record } from '#features/audit/audit.ts'
import { emit } from '#features/events/events.ts'
import { atomically, type Ctx } from '#platform/context.ts'
import { Refusal } from '#platform/errors.ts'
import { enqueue } from '#platform/jobs/job.ts'
import * as chunkStore from '../chunk-store.ts'
import { RENDERER } from '../formats/format.ts'
import { fileNameOf, type Report } from '../report.ts'
import { digestOfDocument, snapshotDocument, type Generated } from '../verifying/snapshot-proof.ts'
import * as store from '../store.ts'
import { sendFile } from '../schedules/recipients.ts'
import { collectDataset, type Collected } from './collect-dataset.ts'
import { creatorContext } from '../permissions/creator-context.ts'
import { renderFile } from './render-file.ts'
import { generateReportJob } from './report-job.ts'

/** Reports of a tenant that are generated at once. */
const AT_ONCE_MAX = 2
/** Workers may die and accidents may happen this often before a snapshot is given up. */
const ATTEMPTS_MAX = 3
const LATER_MS = 1_000
/** How often progress is written. */
const NOTE_MS = 1_000
const CHUNK_BYTES = 1_048_576

/** Another worker has the snapshot, or the report was deleted: there is nothing more to do. */
class Overtaken extends Error {}

/** Makes a snapshot of a report. Safe to repeat: what an earlier attempt left is thrown away. */
export async function generateReport(
  ctx: Ctx,
  { snapshotId }: { snapshotId: string },
  signal: AbortSignal,
): Promise<void> {
  const attempt = await atomically(ctx, async (inner) => {
    const begun = await store.begin(inner, snapshotId, AT_ONCE_MAX)
    if (begun === 'later')
      await enqueue(inner, generateReportJob, { snapshotId }, new Date(ctx.now().getTime() + LATER_MS))
    return begun
  })
  if (!attempt || attempt === 'later') return
  const report = await store.report(ctx, attempt.reportId)
  if (!report) return
  try {
    if (attempt.attempt > ATTEMPTS_MAX)
      throw new Refusal(500, 'given_up', `given up: its worker stopped in the middle ${ATTEMPTS_MAX} times`)
    await generate(ctx, { report, attempt, signal })
  } catch (error) {
    await ended(ctx, { report, attempt, signal }, error)
  }
}

interface Work {
  readonly report: Report
  readonly attempt: store.Attempt
  readonly signal: AbortSignal
}

async function generate(ctx: Ctx, work: Work): Promise<void> {
  const { report, attempt, signal } = work
  const note = noting(ctx, attempt)
  await chunkStore.removeChunks(ctx, attempt.snapshotId)
  const collected = await collectDataset(await creatorContext(ctx, report), report, {
    snapshotId: attempt.snapshotId,
    async onRows(rows) {
      signal.throwIfAborted()
      await note(`collecting: ${rows} rows`)
    },
  })
  await write(ctx, attempt, 'dataset', slicesOf(collected.content))
  const digest = createHash('sha256')
  const order = {
    format: report.format,
    dataset: collected.content,
    digest: collected.digest.toString('hex'),
    fontsFolder: ctx.fontsFolder,
  }
  const pieces = watched(renderFile(order, { signal }), digest, (bytes) => note(`writing: ${bytes} bytes`))
  const bytes = await write(ctx, attempt, 'file', pieces)
  await finish(ctx, work, { collected, bytes, digest: digest.digest() })
}

async function* slicesOf(content: Buffer): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < content.length; at += CHUNK_BYTES) yield content.subarray(at, at + CHUNK_BYTES)
}

async function* watched(
  pieces: AsyncIterable<Uint8Array>,
  digest: Hash,
  onBytes: (bytes: number) => Promise<void>,
): AsyncGenerator<Uint8Array> {
  let bytes = 0
  for await (const piece of pieces) {
    digest.update(piece)
    yield piece
    bytes += piece.length
    await onBytes(bytes)
  }
}

/** Answers how many bytes were written. */
async function write(
  ctx: Ctx,
  attempt: store.Attempt,
  part: chunkStore.Part,
  pieces: AsyncIterable<Uint8Array>,
): Promise<number> {
  let [n, bytes] = [0, 0]
  for await (const content of pieces) {
    if (!(await chunkStore.addChunk(ctx, attempt, { part, n, content }))) throw new Overtaken()
    n += 1
    bytes += content.length
  }
  return bytes
}

/** The snapshot, the status of its report, the event and the audit entry are one commit. */
function finish(
  ctx: Ctx,
  { report, attempt }: Work,
  { collected, bytes, digest }: { collected: Collected; bytes: number; digest: Buffer },
): Promise<void> {
  return atomically(ctx, async (inner) => {
    if (!(await store.lockReport(inner, report.id))) throw new Overtaken()
    const generatedAt = inner.now()
    const fileName = fileNameOf(report, generatedAt)
    const { takenAt, rowCount, digest: datasetDigest } = collected
    const made = await store.makeAvailable(inner, attempt, {
      takenAt,
      generatedAt,
      datasetDigest,
      renderer: RENDERER,
      rowCount,
      fileName,
      fileDigest: digest,
      fileBytes: bytes,
    })
    if (!made) throw new Overtaken()
    await store.setStatus(inner, report.id, 'available')
    if (made.isScheduled) await sendFile(inner, report, { snapshotId: attempt.snapshotId, fileName, bytes })
    const payload = {
      export_id: attempt.snapshotId,
      kind: report.type === 'compliance_report' ? 'compliance_report' : 'report',
      format: report.format,
      completed_at: generatedAt.toISOString(),
      row_count: rowCount,
      filename: fileName,
      resource_id: report.id,
    }
    await emit(inner, [{ type: 'EXPORT_COMPLETED', payload }])
    await recordGenerated(inner, report, {
      snapshot: attempt.snapshotId,
      taken_at: takenAt.toISOString(),
      generated_at: generatedAt.toISOString(),
      rows: rowCount,
      dataset_sha256: datasetDigest.toString('hex'),
      file_name: fileName,
      file_sha256: digest.toString('hex'),
    })
  })
}

/** The entry that proves the snapshot. */
function recordGenerated(ctx: Ctx, report: Report, generated: Generated): Promise<void> {
  return record(ctx, 'report.generated', subject(report), {
    name: report.name,
    snapshot: generated.snapshot,
    rows: generated.rows,
    digest: generated.file_sha256,
    dataset: generated.dataset_sha256,
    sha256: digestOfDocument(snapshotDocument(ctx, report, generated)),
  })
}

const subject = ({ id }: Report) => ({ type: 'report', id }) as const

/** What a person can act on ends the snapshot at once; an accident is tried again by the queue, a few times. */
async function ended(ctx: Ctx, { report, attempt, signal }: Work, error: unknown): Promise<void> {
  if (error instanceof Overtaken) return
  if (signal.aborted) {
    await store.giveBack(ctx, attempt, { counts: false })
    throw error
  }
  const isFinal = error instanceof Refusal || attempt.attempt >= ATTEMPTS_MAX
  if (!isFinal) {
    await store.giveBack(ctx, attempt, { counts: true })
    throw error
  }
  ctx.log.warn({ err: error, report: report.id }, 'report failed')
  const why = error instanceof Refusal ? error.message : 'an error of the server; its log has more'
  await atomically(ctx, async (inner) => {
    if (!(await store.lockReport(inner, report.id))) return
    if (!(await store.fail(inner, attempt, why))) return
    await store.setStatus(inner, report.id, 'failed')
    await chunkStore.removeChunks(inner, attempt.snapshotId)
    await record(inner, 'report.failed', subject(report), { name: report.name, reason: why })
  })
}

/** Writes how far it is, at most once a second; learns with it when another attempt took over. */
function noting(ctx: Ctx, attempt: store.Attempt): (message: string) => Promise<void> {
  let notedAt = performance.now()
  return async (message) => {
    if (performance.now() - notedAt < NOTE_MS) return
    notedAt = performance.now()
    if (!(await store.note(ctx, attempt, message))) throw new Overtaken()
  }
}
