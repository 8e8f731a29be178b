import { setTimeout as sleep } from 'node:timers/promises'
import { addScanOfRun, coveringTargets, Governor, runScanOfRun } from '#features/scans/scans.ts'
import type { Observation } from '#features/assets/observation.ts'
import { atomically, type Ctx } from '#platform/context.ts'
import { enqueue, longJob } from '#platform/jobs/job.ts'
import type { DiscoveryRun } from '../discovery.ts'
import type { Attempt } from './attempt.ts'
import * as hostStore from '../host-store.ts'
import * as store from '../run-store.ts'
import { isOpen, opensAt } from '../scheduling/windows.ts'
import { endRun } from './end-run.ts'
import { restrain } from './restrain.ts'
import { LoginPace } from './login-pace.ts'
import { logInToHosts } from './log-in-to-hosts.ts'
import { hintsOf } from './plan-logins.ts'
import { seenOf } from './seen.ts'

/** A worker that dies costs one. Each of its scans, the sweep too, has the few tries that every scan has. */
const TRIES_MAX = 1_000
export const runDiscoveryJob = longJob<{ runId: string }>('discoveries.run', TRIES_MAX)

/** How often progress is written, and a cancellation or the end of a window noticed. */
const NOTE_MS = 1_000

/**
 * Carries a run out, or goes on with one whose worker died: the sweep behind the addresses that are settled, the logins
 * at hosts that are not done. Safe to repeat.
 */
export async function runDiscovery(
  ctx: Ctx,
  { runId }: { runId: string },
  ending: AbortSignal,
): Promise<void> {
  const run = await store.start(ctx, runId)
  if (!run) return
  const [stop, pause, over] = [new AbortController(), new AbortController(), new AbortController()]
  const signal = AbortSignal.any([ending, stop.signal])
  const attempt: Attempt = {
    run,
    signal,
    pause: pause.signal,
    sweepScanId: run.sweepScanId,
    isSwept: false,
    sweepSlowed: '',
    governor: new Governor(run.stops),
    pace: new LoginPace(run.hostsAtOnce),
    progress: {
      addressesTotal: run.addressesTotal,
      addressesDone: run.addressesDone,
      addressesSettled: run.addressesSettled,
      unreachable: run.unreachable,
      stops: run.stops,
      slowed: run.slowed,
    },
    targetIdOf: await targetsFor(ctx, run),
  }
  if (!isOpen(run.windows, run.zone, ctx.now())) pause.abort()
  const watched = watchRun(ctx, attempt, { over: over.signal, stop, pause })
  try {
    if (!pause.signal.aborted) await workOn(ctx, attempt, stop)
    over.abort()
    await watched
    if (attempt.isSwept) await endRun(ctx, attempt)
    else if (await noteProgress(ctx, attempt)) await waitForWindow(ctx, run)
  } catch (error) {
    ending.throwIfAborted()
    if (!(await store.isUnderWay(ctx, run))) return
    throw error
  } finally {
    over.abort()
    await watched
  }
}

/** The target of the discovery; for "scan now" the target that names the address. */
async function targetsFor(ctx: Ctx, { targetId }: DiscoveryRun): Promise<Attempt['targetIdOf']> {
  if (targetId !== null) return () => targetId
  const covering = await coveringTargets(ctx)
  return (address) => covering(address)?.id ?? null
}

/** Both at once: hosts are logged in to while the sweep goes on. The first that fails ends the other. */
async function workOn(ctx: Ctx, attempt: Attempt, stop: AbortController): Promise<void> {
  const works = [sweep(ctx, attempt), logInToHosts(ctx, attempt)]
  try {
    await Promise.all(works)
  } catch (error) {
    stop.abort()
    await Promise.allSettled(works)
    throw error
  }
  attempt.isSwept = attempt.isSwept && (await hostStore.hostsToAsk(ctx, attempt.run.id, [], 1)).length === 0
}

async function sweep(ctx: Ctx, attempt: Attempt): Promise<void> {
  const { run, signal, pause, progress, governor } = attempt
  const scanId = run.sweepScanId ?? (await beginSweep(ctx, run))
  attempt.sweepScanId = scanId
  const known = new Set(await hostStore.addressesOf(ctx, run.id))
  const onSeen = async (inner: Ctx, observations: readonly Observation[]): Promise<void> => {
    const hosts = observations.flatMap(hostOf)
    // a host that was stopped is no host to log in to, also for another attempt
    if (governor.stops.length > progress.stops.length) await noteProgress(inner, attempt)
    await hostStore.addHosts(inner, run.id, hosts)
    for (const { address } of hosts) known.add(address)
  }
  try {
    const scan = await runScanOfRun(ctx, scanId, AbortSignal.any([signal, pause]), {
      resume: {
        settled: run.addressesSettled,
        known,
        assetCount: known.size,
      },
      onSeen,
      governor,
      onProgress: ({ done, total, settled = 0, unreachable = [], slowed = '' }) => {
        attempt.sweepSlowed = slowed
        progress.addressesDone = done
        progress.addressesTotal = total
        progress.addressesSettled = settled
        progress.unreachable = [...new Set([...run.unreachable, ...unreachable])]
      },
    })
    if (scan?.status !== 'completed') attempt.fault = scan?.message ?? 'its sweep is gone'
    attempt.isSwept = true
  } catch (error) {
    signal.throwIfAborted()
    if (!pause.aborted) throw error
  }
}

async function beginSweep(ctx: Ctx, run: DiscoveryRun): Promise<string> {
  const { id: runId, name, cause, targetId, entries, exclusions, startedBy } = run
  return atomically(ctx, async (inner) => {
    const looksAt = { entries, exclusions }
    const { id } = await addScanOfRun(inner, {
      type: 'sweep',
      targetId,
      looksAt,
      startedBy,
      run: { id: runId, name, cause },
    })
    if (!(await store.setSweep(inner, run, id))) throw new Error('the run is over')
    return id
  })
}

function hostOf(seen: Observation): hostStore.NewHost[] {
  const address = seen.identifiers.find(({ type }) => type === 'ip')?.value
  if (address === undefined) return []
  return [
    {
      address,
      name: seen.name ?? address,
      hints: hintsOf(seen),
      seen: seenOf(seen),
      sourceKey: seen.sourceKey,
    },
  ]
}

interface Watch {
  readonly over: AbortSignal
  readonly stop: AbortController
  readonly pause: AbortController
}

async function watchRun(ctx: Ctx, attempt: Attempt, { over, stop, pause }: Watch): Promise<void> {
  const { run } = attempt
  while (!over.aborted && !stop.signal.aborted) {
    await sleep(NOTE_MS, undefined, { signal: over }).catch(() => undefined)
    if (over.aborted) return
    const isMine = await noteProgress(ctx, attempt).catch((error: unknown) => {
      ctx.log.warn({ err: error, run: run.id }, 'progress of a discovery not written')
      return true
    })
    if (!isMine) stop.abort()
    if (!isOpen(run.windows, run.zone, ctx.now())) pause.abort()
  }
}

/** False when the attempt no longer counts. */
function noteProgress(ctx: Ctx, attempt: Attempt): Promise<boolean> {
  restrain(attempt)
  return store.note(ctx, attempt.run, attempt.progress)
}

async function waitForWindow(ctx: Ctx, run: DiscoveryRun): Promise<void> {
  const until = opensAt(run.windows, run.zone, ctx.now())
  await atomically(ctx, async (inner) => {
    if (await store.wait(inner, run, until, 'waiting for its hours'))
      await enqueue(inner, runDiscoveryJob, { runId: run.id }, until)
  })
}
