import { createHash } from 'node:crypto'
import { record } from '#features/audit/audit.ts'
import { atomically, type Ctx } from '#platform/context.ts'
import { Refusal } from '#platform/errors.ts'
import { enqueue } from '#platform/jobs/job.ts'
import { comparisonOf } from './comparison.ts'
import { importJob } from './import-job.ts'
import type { Import } from '../import.ts'
import { headerFor } from '../columns/column-mapping.ts'
import { previewOf, type Previewed } from './preview.ts'
import { readInThread } from '../parsing/reader-worker.ts'
import type { FormatKind, Piece } from '../parsing/reading.ts'
import { Rejections } from './rejections.ts'
import * as store from '../store.ts'
import { tableHead, withHead } from '../columns/table-head.ts'
import { takePieces, type Tally } from './import-batches.ts'
import { uploadedContent } from '../uploads.ts'

/** Files of a tenant that are read at once. */
const AT_ONCE_MAX = 2
/** Workers may die and accidents may happen this often before an import is given up. */
const ATTEMPTS_MAX = 3
const LATER_MS = 1_000
/** How often progress is written, and a cancellation noticed, while nothing is taken. */
const NOTE_MS = 1_000

/** The import was cancelled, or another worker has it: there is nothing more to do. */
class Overtaken extends Error {}

/** Looks through an upload, or imports it. Safe to repeat: it goes on behind the last batch that was committed. */
export async function workOnImport(
  ctx: Ctx,
  { importId }: { importId: string },
  signal: AbortSignal,
): Promise<void> {
  const attempt = await atomically(ctx, async (inner) => {
    const begun = await store.begin(inner, importId, AT_ONCE_MAX)
    if (begun === 'later')
      await enqueue(inner, importJob, { importId }, new Date(ctx.now().getTime() + LATER_MS))
    return begun
  })
  if (!attempt || attempt === 'later') return
  const person = asStarter(ctx, attempt)
  try {
    if (attempt.attempt > ATTEMPTS_MAX)
      throw new Refusal(500, 'given_up', `given up: its worker stopped in the middle ${ATTEMPTS_MAX} times`)
    await (attempt.status === 'checking' ? check(person, attempt, signal) : run(person, attempt, signal))
  } catch (error) {
    await ended(person, attempt, error, signal)
  }
}

async function check(ctx: Ctx, attempt: store.Attempt, signal: AbortSignal): Promise<void> {
  const digest = createHash('sha256')
  const { content, ...note } = watched(ctx, attempt, (chunk) => digest.update(chunk))
  const { format, preview } = await lookThrough(ctx, attempt, { content: content(), signal, note })
  const checked = { format: format ?? null, preview, digest: digest.digest('hex') }
  if (!(await store.noteChecked(ctx, attempt, checked))) throw new Overtaken()
}

/** What a file begins with tells what its columns are; then all of it is read. */
async function lookThrough(
  ctx: Ctx,
  { options }: Import,
  { content, signal, note }: { content: AsyncIterable<Buffer>; signal: AbortSignal; note: Noting },
): Promise<Previewed> {
  const file = await withHead(content)
  const head = await tableHead(file.head, undefined).catch(refusedLater)
  const header = head && (await headerFor(ctx, head.titles, options.columns))
  const terms = {
    now: ctx.now(),
    ignoreUnknown: false,
    ...(header && { columns: header }),
    currency: options.currency,
  }
  const pieces = readInThread(file.content, terms, signal)
  return previewOf(ctx, noted(pieces, note), head && header && { head, header })
}

/** What cannot be read is refused where all of it is read. */
function refusedLater(error: unknown): undefined {
  if (!(error instanceof Refusal)) throw error
}

async function run(ctx: Ctx, attempt: store.Attempt, signal: AbortSignal): Promise<void> {
  const { preview, options, observed, created, updated, unchanged, readings } = attempt
  const rejections = new Rejections()
  rejections.addAll({ rejected: attempt.rejected, rejectedTotal: attempt.rejectedTotal })
  const tally: Tally = { readings, observed, created, updated, unchanged, rejections }
  // what does not say when it was seen was seen when the import began, however often it is tried
  const seenAt = new Date(attempt.startedAt ?? ctx.now())
  const columns = preview?.columns?.map(({ column }) => column)
  const terms = {
    now: seenAt,
    ignoreUnknown: false,
    format: (attempt.format ?? undefined) as FormatKind | undefined,
    skip: readings,
    ...(columns && { columns }),
    currency: options.currency,
  }
  let bytesRead = 0
  const content = uploadedContent(ctx, attempt, (bytes) => (bytesRead = bytes))
  let told = rejections.rejected.length
  await takePieces(ctx, readInThread(content, terms, signal), {
    name: attempt.name,
    tally,
    terms: { ...options, seenAt },
    async note(inner) {
      const isNew = rejections.rejected.length > told
      told = rejections.rejected.length
      const { rejected, rejectedTotal } = rejections
      const { rejections: _, ...counts } = tally
      const progress = { ...counts, bytesRead, rejectedTotal, ...(isNew && { rejected }) }
      if (!(await store.note(inner, attempt, progress))) throw new Overtaken()
    },
  })
  await finish(ctx, attempt, { status: 'completed', ...(await comparisonOf(ctx, tally, signal)) })
}

function finish(ctx: Ctx, { id, attempt }: store.Attempt, end: Omit<store.Ending, 'attempt'>): Promise<void> {
  return atomically(ctx, async (inner) => {
    const done = await store.finish(inner, id, { ...end, attempt })
    if (!done) return
    const { name, format, observed, created, updated, unchanged, rejectedTotal } = done
    await record(
      inner,
      end.status === 'completed' ? 'import.finished' : 'import.failed',
      { type: 'import', id },
      {
        file: name,
        ...(format !== null && { format }),
        observed,
        created,
        updated,
        unchanged,
        rejected: rejectedTotal,
        ...(end.message !== '' && { reason: end.message }),
      },
    )
  })
}

/** What a person can act on ends the import at once; an accident is tried again by the queue, a few times. */
async function ended(ctx: Ctx, attempt: store.Attempt, error: unknown, signal: AbortSignal): Promise<void> {
  if (error instanceof Overtaken) return
  if (signal.aborted) {
    await store.giveBack(ctx, attempt, false)
    throw error
  }
  const isFinal = error instanceof Refusal || attempt.attempt >= ATTEMPTS_MAX
  if (!isFinal) {
    await store.giveBack(ctx, attempt, true)
    throw error
  }
  ctx.log.warn({ err: error, import: attempt.id }, 'import failed')
  const message = error instanceof Refusal ? error.message : 'an error of the server; its log has more'
  await finish(ctx, attempt, { status: 'failed', message })
}

/** The person who started it, for the audit log; the permission was asked for then. */
function asStarter(ctx: Ctx, { startedBy }: Import): Ctx {
  return startedBy ? { ...ctx, actor: { ...startedBy, may: () => true } } : ctx
}

interface Noting {
  readonly note: () => Promise<void>
}

/** The content, and how to write how much of it was read; at most once a second. */
function watched(
  ctx: Ctx,
  attempt: store.Attempt,
  onChunk: (chunk: Buffer) => void,
): Noting & { readonly content: () => AsyncIterable<Buffer> } {
  let [bytesRead, notedAt] = [0, performance.now()]
  return {
    async note() {
      if (performance.now() - notedAt < NOTE_MS) return
      notedAt = performance.now()
      if (!(await store.note(ctx, attempt, { bytesRead }))) throw new Overtaken()
    },
    async *content() {
      for await (const chunk of uploadedContent(ctx, attempt, (bytes) => (bytesRead = bytes))) {
        onChunk(chunk)
        yield chunk
      }
    },
  }
}

async function* noted(pieces: AsyncIterable<Piece>, { note }: Noting): AsyncIterable<Piece> {
  for await (const piece of pieces) {
    await note()
    yield piece
  }
}
