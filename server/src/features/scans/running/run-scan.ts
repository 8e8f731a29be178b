import { setTimeout as sleep } from 'node:timers/promises'
import { submit } from '#features/sources/sources.ts'
import type { Ctx } from '#platform/context.ts'
import { Refusal } from '#platform/errors.ts'
import { openAccess, type ScanAccess } from './credentials-for-scan.ts'
import { finishScan } from './finish-scan.ts'
import { batchesFrom } from '#platform/batches.ts'
import { scanTopic } from '../live-topic.ts'
import { probes } from '../probes/all.ts'
import { ProbeFailure, type Probe, type Progress, type RawAnswer } from '../probes/probe.ts'
import { forgetResults, openRecorder } from '../results/results.ts'
import * as store from '../store.ts'
import { withoutControls } from './control-characters.ts'
import { failureOf, noteOf, summaryOf, type Findings } from './scan-message.ts'
import { asProbeTarget } from '../targets/target.ts'

/** Workers may die and accidents may happen this often before a scan is given up. */
const ATTEMPTS_MAX = 3
/** How often progress is written and a cancellation noticed. */
const NOTE_MS = 1000
const BATCH = { sizeMax: 200, waitMs: 250 }

/** Runs a scan to its end. Safe to repeat: the intake knows what it has seen, and a finished scan is left alone. */
export async function runScan(
  ctx: Ctx,
  { scanId }: { scanId: string },
  signal: AbortSignal,
  shelf = probes,
): Promise<void> {
  const attempt = await store.start(ctx, scanId, 'starting')
  if (!attempt) return
  ctx.db.afterCommit(scanTopic(ctx.tenantId))
  const over = new AbortController()
  const cancelled = new AbortController()
  const access = openAccess(ctx, attempt, AbortSignal.any([signal, cancelled.signal]))
  const findings: Findings = {
    type: attempt.type,
    assetCount: 0,
    rejected: 0,
    warnings: access.lending.warnings,
  }
  const watched = watchScan(ctx, attempt, findings, { over: over.signal, cancelled })
  try {
    await look(ctx, attempt, findings, {
      ...access,
      shelf,
      signal: AbortSignal.any([signal, cancelled.signal]),
    })
    const message = summaryOf(findings)
    await finishScan(ctx, scanId, {
      move: 'complete',
      attempt: attempt.attempt,
      message,
      assetCount: findings.assetCount,
    })
  } catch (thrown) {
    const error = access.lending.redactor.error(thrown)
    if (cancelled.signal.aborted)
      return await store.noteAfterCancel(ctx, attempt, `cancelled after ${summaryOf(findings)}`)
    if (!signal.aborted) return await failed(ctx, attempt, findings, error)
    await store.giveBack(ctx, attempt, 'waiting for a worker')
    throw error
  } finally {
    over.abort()
    await access.lending.close()
    await watched
  }
}

interface Looking extends ScanAccess {
  readonly shelf: readonly Probe[]
  readonly signal: AbortSignal
}

async function look(ctx: Ctx, scan: store.Attempt, findings: Findings, looking: Looking): Promise<void> {
  if (scan.attempt > ATTEMPTS_MAX)
    throw new ProbeFailure(`given up: its worker stopped in the middle ${ATTEMPTS_MAX} times`)
  const probe = looking.shelf.find((it) => it.type === scan.type)
  if (!probe) throw new ProbeFailure(`${scan.type} scans are not available in this installation`)
  const { lending, aim, signal } = looking
  const { redactor } = lending
  const target = await aim(asProbeTarget({ kind: scan.targetKind, address: scan.targetAddress }))
  await forgetResults(ctx, scan.id)
  const recorder = openRecorder(scan.id)
  const onProgress = (progress: Progress): void => void (findings.progress = progress)
  const onRaw = (answer: RawAnswer): void => recorder.heard({ ...answer, text: redactor.text(answer.text) })
  const seen = probe.run(target, { signal, now: ctx.now, onProgress, onRaw, access: lending })
  try {
    for await (const batch of batchesFrom(seen, BATCH)) {
      const clean = redactor.value(batch).map(withoutControls)
      const taken = await submit(ctx, { kind: probe.type, name: probe.title }, clean)
      findings.assetCount += taken.observed
      findings.rejected += taken.rejected.length
      await recorder.saw(ctx, clean)
    }
  } finally {
    await recorder.end(ctx)
  }
}

/** Writes the progress every second; the same statement detects a cancellation, on whichever node it was requested. */
async function watchScan(
  ctx: Ctx,
  attempt: store.Attempt,
  findings: Findings,
  { over, cancelled }: { readonly over: AbortSignal; readonly cancelled: AbortController },
): Promise<void> {
  while (!over.aborted && !cancelled.signal.aborted) {
    await sleep(NOTE_MS, undefined, { signal: over }).catch(() => undefined)
    if (over.aborted) return
    const isMine = await store.note(ctx, attempt, noteOf(findings)).catch((error: unknown) => {
      ctx.log.warn({ err: error, scan: attempt.id }, 'progress of a scan not written')
      return true
    })
    ctx.db.afterCommit(scanTopic(ctx.tenantId))
    if (!isMine) cancelled.abort()
  }
}

/** What a person can act on ends the scan at once; an accident is tried again by the queue, a few times. */
async function failed(ctx: Ctx, scan: store.Attempt, findings: Findings, error: unknown): Promise<void> {
  const isFinal = error instanceof ProbeFailure || error instanceof Refusal || scan.attempt >= ATTEMPTS_MAX
  if (!isFinal) throw error
  const reason = error instanceof Error ? error.message : String(error)
  if (error instanceof ProbeFailure) ctx.log.info({ scan: scan.id, reason }, 'scan failed')
  else ctx.log.warn({ err: error, scan: scan.id }, 'scan failed')
  await finishScan(ctx, scan.id, {
    move: 'fail',
    attempt: scan.attempt,
    message: failureOf(findings, reason),
    assetCount: findings.assetCount,
  })
}
