import { setTimeout as sleep } from 'node:timers/promises'
import { submit } from '#features/sources/sources.ts'
import type { Ctx } from '#platform/context.ts'
import { Refusal } from '#platform/errors.ts'
import { finishScan } from './finish.ts'
import { inBatches } from './in-batches.ts'
import { newsOf } from './news.ts'
import { probes } from './probes/all.ts'
import { ProbeFailure, type Progress } from './probes/probe.ts'
import * as store from './store.ts'
import { asProbeTarget } from './targets.ts'

/** Workers may die and accidents may happen this often before a scan is given up. */
const ATTEMPTS_MAX = 3
/** How often progress is written and a cancellation noticed. */
const NOTE_MS = 1000
const BATCH = { sizeMax: 200, waitMs: 250 }

/** Runs a scan to its end. Safe to repeat: the intake knows what it has seen, and a finished scan is left alone. */
export async function runScan(ctx: Ctx, { scanId }: { scanId: string }, signal: AbortSignal): Promise<void> {
  const attempt = await store.start(ctx, scanId, 'starting')
  if (!attempt) return
  ctx.db.afterCommit(newsOf(ctx.tenantId))
  const findings: Findings = { assetCount: 0, rejected: 0 }
  const over = new AbortController()
  const watch = watchScan(ctx, attempt, findings, over.signal)
  try {
    await look(ctx, attempt, findings, AbortSignal.any([signal, watch.stopped]))
    const message = summaryOf(findings)
    await finishScan(ctx, scanId, {
      move: 'complete',
      attempt: attempt.attempt,
      message,
      assetCount: findings.assetCount,
    })
  } catch (error) {
    if (watch.stopped.aborted)
      return await store.noteAfterCancel(ctx, attempt, `cancelled after ${summaryOf(findings)}`)
    if (!signal.aborted) return await failed(ctx, attempt, findings, error)
    await store.giveBack(ctx, attempt, 'waiting for a worker')
    throw error
  } finally {
    over.abort()
    await watch.ended
  }
}

/** What an attempt has got done so far. */
interface Findings {
  progress?: Progress
  assetCount: number
  rejected: number
}

async function look(ctx: Ctx, scan: store.Attempt, findings: Findings, signal: AbortSignal): Promise<void> {
  if (scan.attempt > ATTEMPTS_MAX)
    throw new ProbeFailure(`given up: its worker stopped in the middle ${ATTEMPTS_MAX} times`)
  const probe = probes.find((it) => it.type === scan.type)
  if (!probe) throw new ProbeFailure(`${scan.type} scans are not available in this installation`)
  const target = asProbeTarget({ kind: scan.targetKind, address: scan.targetAddress })
  const onProgress = (progress: Progress): void => void (findings.progress = progress)
  const seen = probe.run(target, { signal, now: ctx.now, onProgress })
  for await (const batch of inBatches(seen, BATCH)) {
    const taken = await submit(ctx, { kind: probe.type, name: probe.title }, batch)
    findings.assetCount += taken.observed
    findings.rejected += taken.rejected.length
  }
}

/** Writes the progress every second; the same statement tells when the scan is cancelled, on whichever node that was. */
function watchScan(
  ctx: Ctx,
  attempt: store.Attempt,
  findings: Findings,
  over: AbortSignal,
): { readonly stopped: AbortSignal; readonly ended: Promise<void> } {
  const stop = new AbortController()
  const loop = async (): Promise<void> => {
    while (!over.aborted && !stop.signal.aborted) {
      await sleep(NOTE_MS, undefined, { signal: over }).catch(() => undefined)
      if (over.aborted) return
      const note = noteOf(findings)
      const isMine = await store.note(ctx, attempt, note).catch((error: unknown) => {
        ctx.log.warn({ err: error, scan: attempt.id }, 'progress of a scan not written')
        return true
      })
      ctx.db.afterCommit(newsOf(ctx.tenantId))
      if (!isMine) stop.abort()
    }
  }
  return { stopped: stop.signal, ended: loop() }
}

/** What a person can act on ends the scan at once; an accident is tried again by the queue, a few times. */
async function failed(ctx: Ctx, scan: store.Attempt, findings: Findings, error: unknown): Promise<void> {
  const isFinal = error instanceof ProbeFailure || error instanceof Refusal || scan.attempt >= ATTEMPTS_MAX
  if (!isFinal) throw error
  ctx.log.warn({ err: error, scan: scan.id }, 'scan failed')
  const reason = error instanceof Error ? error.message : String(error)
  const message = findings.progress ? `${reason} (after ${summaryOf(findings)})` : reason
  await finishScan(ctx, scan.id, {
    move: 'fail',
    attempt: scan.attempt,
    message,
    assetCount: findings.assetCount,
  })
}

function summaryOf({ progress, rejected }: Findings): string {
  const { done, total, found } = progress ?? { done: 0, total: 0, found: 0 }
  const addresses = done === total ? `${total}` : `${done} of ${total}`
  return `${addresses} addresses looked at, ${found} live${rejected === 0 ? '' : `, ${rejected} not taken in`}`
}

const noteOf = (findings: Findings) => ({
  message: progressOf(findings),
  assetCount: findings.assetCount,
  progress: findings.progress ?? null,
})

function progressOf(findings: Findings): string {
  if (!findings.progress) return 'starting'
  const { ratePerSecond, remainingSeconds } = findings.progress
  return `${summaryOf(findings)}; ${ratePerSecond} a second, ${remainingSeconds} s left`
}
