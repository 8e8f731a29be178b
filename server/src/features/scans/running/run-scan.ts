import { setTimeout as sleep } from 'node:timers/promises'
import type { Observation } from '#features/assets/observation.ts'
import { CollectorRestarted } from '#features/collectors/collectors.ts'
import type { Ctx } from '#platform/context.ts'
import { Refusal } from '#platform/errors.ts'
import { traced } from '#platform/observability/trace.ts'
import { openAccess, type ScanAccess } from './credentials-for-scan.ts'
import { finishScan } from './finish-scan.ts'
import { batchesFrom } from '#platform/batches.ts'
import { scanTopic } from '../live-topic.ts'
import { probes } from '../probes/all.ts'
import type { Access, Outcome } from '../probes/credential-access.ts'
import { Governor } from '../probes/governor/governor.ts'
import { ProbeFailure, type Probe, type Progress, type RawAnswer } from '../probes/probe.ts'
import { notAskedIn } from '../results/note-sweep.ts'
import { forgetResults, openRecorder } from '../results/results.ts'
import { openLedger, type TouchLedger } from '../touches/touch-ledger.ts'
import * as store from '../store.ts'
import { withoutControls } from './control-characters.ts'
import { ScanEnded, takeSeen, type Seen } from './take-seen.ts'
import { failureOf, noteOf, summaryOf, type Findings } from './scan-message.ts'
import { asProbeTarget } from '../targets/target.ts'
import { collectorsOf } from '../targets/target-collector-store.ts'
import { remoteProbe } from '../remote/remote-probe.ts'

/** Workers may die and accidents may happen this often before a scan is given up. */
const ATTEMPTS_MAX = 3
/** How often progress is written and a cancellation noticed. */
const NOTE_MS = 1000
const BATCH = { sizeMax: 200, waitMs: 250 }

/** Who runs a scan as a part of something larger, and hears how it goes. */
export interface ScanFollower {
  /** The sweep goes on where an earlier attempt ended: what that found is counted, stays, and is not asked again. */
  readonly resume?: {
    readonly settled: number
    /** Live addresses that were found and written; grows while the sweep goes on. */
    readonly known: ReadonlySet<string>
    readonly assetCount: number
  }
  readonly onProgress?: (progress: Progress) => void
  /** Shared with what else the run does; absent: the scan's own. */
  readonly governor?: Governor
  /** What was seen, in batches, each after the inventory took in what is valid of it; a crash between both loses this call. */
  readonly onSeen?: (ctx: Ctx, observations: readonly Observation[]) => Promise<void>
  /** A credential was shown to a host. */
  readonly onOutcome?: (outcome: Outcome) => void
  /** The host showed its key or certificate: it answers. */
  readonly onAnswer?: () => void
}

interface RunScanOptions extends ScanFollower {
  readonly shelf?: readonly Probe[]
}

/** Runs a scan to its end. Safe to repeat: the intake knows what it has seen, and a finished scan is left alone. */
export async function runScan(
  ctx: Ctx,
  { scanId }: { scanId: string },
  signal: AbortSignal,
  { shelf = probes, governor: shared, ...follower }: RunScanOptions = {},
): Promise<void> {
  const attempt = await store.start(ctx, scanId, 'starting')
  if (!attempt) return
  ctx.db.afterCommit(scanTopic(ctx.tenantId))
  const over = new AbortController()
  const cancelled = new AbortController()
  const ending = AbortSignal.any([signal, cancelled.signal, over.signal])
  const access = openAccess(ctx, attempt, ending)
  const findings: Findings = {
    type: attempt.type,
    assetCount: follower.resume?.assetCount ?? 0,
    rejected: 0,
    warnings: access.lending.warnings,
  }
  // what stopped in an attempt whose worker died is not asked again
  const governor = shared ?? new Governor(attempt.progress?.stops)
  const source = { kind: attempt.type, name: titleOf(attempt.type, shelf) }
  const ledger = openLedger(ctx, attempt.id, source)
  const watched = watchScan(ctx, attempt, findings, { over: over.signal, cancelled, ledger })
  try {
    const looking = { ...access, shelf, follower, governor, ledger, signal: ending }
    await traced(ctx, `probe ${attempt.type}`, {
      attributes: { 'rollcall.scan': attempt.id, 'rollcall.attempt': attempt.attempt },
      work: (inner) => lookAgain(inner, attempt, findings, looking),
    })
    const { assetCount } = findings
    const end = { attempt: attempt.attempt, message: summaryOf(findings), assetCount }
    const before = follower.resume ? notAskedIn(attempt.progress ?? {}) : []
    const notAsked = [...before, ...notAskedIn(findings.progress)]
    await finishScan(ctx, scanId, { move: 'complete', ...end, notAsked })
  } catch (thrown) {
    const error = access.lending.redactor.error(thrown)
    if (cancelled.signal.aborted || thrown instanceof ScanEnded)
      return await store.noteAfterCancel(ctx, attempt, `cancelled after ${summaryOf(findings)}`)
    if (!signal.aborted) return await failed(ctx, attempt, findings, error)
    await store.giveBack(ctx, attempt, 'waiting for a worker')
    throw error
  } finally {
    over.abort()
    await access.lending.close()
    await watched
    await ledger.end(ctx)
  }
}

interface Looking extends ScanAccess {
  readonly shelf: readonly Probe[]
  readonly follower: ScanFollower
  /** Keeps what it decided when a collector is started anew. */
  readonly governor: Governor
  readonly ledger: TouchLedger
  readonly signal: AbortSignal
}

/** How often a collector may be started anew in one attempt. */
const RESTARTS_MAX = 5

/** A collector that is started anew, as for an update, costs the scan no attempt: it begins again there. */
async function lookAgain(ctx: Ctx, scan: store.Attempt, findings: Findings, looking: Looking): Promise<void> {
  const { assetCount } = findings
  for (let restarts = 0; ; restarts++) {
    try {
      return await look(ctx, scan, findings, looking)
    } catch (error) {
      looking.signal.throwIfAborted()
      if (!(error instanceof CollectorRestarted) || restarts === RESTARTS_MAX) throw error
      ctx.log.info({ scan: scan.id, reason: error.message }, 'scan begins again')
      findings.assetCount = looking.follower.resume?.known.size ?? assetCount
      findings.rejected = 0
    }
  }
}

async function look(ctx: Ctx, scan: store.Attempt, findings: Findings, looking: Looking): Promise<void> {
  if (scan.attempt > ATTEMPTS_MAX)
    throw new ProbeFailure(`given up: its worker stopped in the middle ${ATTEMPTS_MAX} times`)
  const { lending, aim, signal, follower, governor, ledger } = looking
  const collectorIds = scan.targetId === null ? [] : await collectorsOf(ctx, scan.targetId)
  const probe = probeFor(ctx, scan, collectorIds, looking)
  const target = await aim(
    asProbeTarget({
      kind: scan.targetKind,
      address: scan.targetAddress,
      entries: scan.targetEntries,
      exclusions: scan.targetExclusions,
    }),
    collectorIds,
  )
  if (!follower.resume) await forgetResults(ctx, scan.id)
  const recorder = openRecorder(scan.id)
  const onProgress = (progress: Progress): void => {
    findings.progress = progress
    follower.onProgress?.(progress)
  }
  const onRaw = (answer: RawAnswer): void =>
    recorder.heard({ ...answer, text: lending.redactor.text(answer.text) })
  const { settled, known } = follower.resume ?? {}
  const seen = probe.run(target, {
    ...(settled !== undefined && { settled }),
    ...(known && { isKnown: (address) => known.has(address) }),
    signal,
    now: ctx.now,
    onProgress,
    onRaw,
    touches: ledger.counter,
    governor,
    industrialReads: scan.industrialReads,
    access: accessOf(lending, follower, ledger),
  })
  const source = { kind: probe.type, name: probe.title }
  try {
    for await (const batch of batchesFrom(seen, BATCH)) {
      const clean = await take(ctx, scan, findings, { source, observations: lending.redactor.value(batch) })
      await recorder.saw(ctx, clean)
      await ledger.saw(ctx, clean)
      await follower.onSeen?.(ctx, clean)
    }
  } finally {
    await recorder.end(ctx)
  }
}

/** The observations as they were taken. */
async function take(
  ctx: Ctx,
  scan: store.Attempt,
  findings: Findings,
  { source, observations: seen }: Pick<Seen, 'source' | 'observations'>,
): Promise<readonly Observation[]> {
  const observations = seen.map(withoutControls)
  const { clean, taken } = await takeSeen(ctx, scan, {
    source,
    observations,
    assetCount: findings.assetCount,
  })
  findings.assetCount += taken.observed
  findings.rejected += taken.rejected.length
  return clean
}

/** Of a target that collectors scan, one of them carries it out. */
function probeFor(
  ctx: Ctx,
  scan: store.Attempt,
  collectorIds: readonly string[],
  { shelf, follower, lending, capable }: Looking,
): Probe {
  const probe = shelf.find((it) => it.type === scan.type)
  if (!probe) throw new ProbeFailure(`${scan.type} scans are not available on this server`)
  if (collectorIds.length === 0) return probe
  return remoteProbe(ctx, probe, {
    scanId: scan.id,
    capable: (target) => capable(target, collectorIds),
    lend: lending.credentialsForCollector,
    ...(follower.resume && { known: follower.resume.known }),
  })
}

const accessOf = (
  lending: ScanAccess['lending'],
  { onOutcome, onAnswer }: ScanFollower,
  { counter }: TouchLedger,
): Access => ({
  ...lending,
  touches: counter,
  knowHostKey(...shown) {
    onAnswer?.()
    return lending.knowHostKey(...shown)
  },
  async recordOutcome(credential, address, outcome) {
    onOutcome?.(outcome)
    if (outcome !== 'unanswered') counter.count(address, { logins: 1 })
    await lending.recordOutcome(credential, address, outcome)
  },
})

const titleOf = (type: store.Attempt['type'], shelf: readonly Probe[]): string =>
  shelf.find((it) => it.type === type)?.title ?? type

/** Writes the progress every second; the same statement detects a cancellation, on whichever node it was requested. */
async function watchScan(
  ctx: Ctx,
  attempt: store.Attempt,
  findings: Findings,
  {
    over,
    cancelled,
    ledger,
  }: { readonly over: AbortSignal; readonly cancelled: AbortController; readonly ledger: TouchLedger },
): Promise<void> {
  while (!over.aborted && !cancelled.signal.aborted) {
    await sleep(NOTE_MS, undefined, { signal: over }).catch(() => undefined)
    if (over.aborted) return
    const isMine = await store.note(ctx, attempt, noteOf(findings)).catch((error: unknown) => {
      ctx.log.warn({ err: error, scan: attempt.id }, 'progress of a scan not written')
      return true
    })
    await ledger.note(ctx)
    ctx.db.afterCommit(scanTopic(ctx.tenantId))
    if (!isMine) cancelled.abort()
  }
}

/** A failure that a person can mend ends the scan at once; any other is retried by the queue. */
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
