import { emit } from '#features/events/events.ts'
import { atomically, type Ctx } from '#platform/context.ts'
import { Refusal } from '#platform/errors.ts'
import { enqueue } from '#platform/jobs/job.ts'
import { compileSteps, type Instruction } from '../definition/program.ts'
import * as flows from '../flow-store.ts'
import { installationStopReason } from '../stops/stop-store.ts'
import { endRun } from './end-run.ts'
import { executeRunJob, type Execution, type Next, type RunsToExecute } from './execution.ts'
import { moveOn } from './move-on.ts'
import { performStep } from './perform-step.ts'
import { runAsActor } from './run-as.ts'
import * as store from './run-store.ts'
import type { ClaimedRun } from './run.ts'

const STEPS_MAX = 5_000
/** Between two looks at whether the installation's flows are stopped. */
const INSTRUCTIONS_PER_LOOK = 50
const RUNNING_MS_MAX = 60 * 60_000
/** A run whose workers die again and again must not go round for ever; waits and retries claim it, too. */
const CLAIMS_MAX = 1_000

/**
 * Executes runs from their cursors on. The effect of a step and the move of the cursor are one commit, so a worker that
 * takes over after a crash goes on where the last commit left it.
 */
export async function executeRuns(ctx: Ctx, runs: RunsToExecute, signal: AbortSignal): Promise<void> {
  const runIds = 'runIds' in runs ? runs.runIds : [runs.runId]
  const stopped = installationStop(ctx)
  for (const [n, runId] of runIds.entries()) {
    try {
      const begun = await beginRun(ctx, runId)
      if (begun) await execute({ ...begun, isOneOfMany: runIds.length > 1 }, stopped, signal)
    } catch (error) {
      if (runIds.length === 1 || signal.aborted) throw error
      ctx.log.warn(
        { err: error, runId },
        'a run was interrupted; it and those behind it get jobs of their own',
      )
      return separate(ctx, runIds.slice(n))
    }
  }
}

/** Gives each a job of its own, so that what befalls one does not keep the others waiting. */
function separate(ctx: Ctx, runIds: readonly string[]): Promise<void> {
  return atomically(ctx, async (inner) => {
    for (const runId of runIds) await enqueue(inner, executeRunJob, { runId })
  })
}

async function execute(
  begun: Execution,
  stopped: () => Promise<string | undefined>,
  signal: AbortSignal,
): Promise<void> {
  const program = compileSteps(begun.version.definition.steps)
  let current = begun
  for (;;) {
    signal.throwIfAborted()
    const path = program[current.run.cursor]?.path ?? ''
    const reason = await stopped()
    const next = await executeInstruction(current, program, reason).catch((error: unknown) =>
      endRefused(current, path, error),
    )
    if (next === 'ended' || next === 'later') return
    const run = await store.reload(begun.ctx, current.run)
    if (!run) return
    current = { ...current, run }
  }
}

/** What is refused will be refused again, so the run ends; anything else is tried again with the job. */
function endRefused({ ctx, run }: Execution, path: string, error: unknown): Promise<Next> {
  if (!(error instanceof Refusal)) throw error
  return endRun(ctx, run, { status: 'failed', reason: `${path}: ${error.message}` })
}

/** Why the flows of the installation are stopped; asked before the first instruction, and every so many. */
function installationStop(ctx: Ctx): () => Promise<string | undefined> {
  let asked = 0
  let reason: string | undefined
  return async () => {
    if (asked++ % INSTRUCTIONS_PER_LOOK === 0) reason = await installationStopReason(ctx)
    return reason
  }
}

/**
 * Claims the run and marks it as running; the first time, that is the event FLOW_TRIGGERED. Undefined: it has ended, or
 * is not due.
 */
function beginRun(ctx: Ctx, runId: string): Promise<Omit<Execution, 'isOneOfMany'> | undefined> {
  return atomically(ctx, async (inner) => {
    const run = await store.claim(inner, runId)
    const version = run && (await flows.version(inner, run.flowId, run.version))
    if (!run || !version) return undefined
    const cause = { runId: run.id, flowIds: [...run.chain, run.flowId] }
    const now = inner.now()
    await store.change(inner, run, { status: 'running', startedAt: now })
    if (run.startedAt === null) await announce({ ...inner, cause }, run, now)
    const actor = await runAsActor(inner, version.runAs)
    if (!actor) {
      await endRun(inner, run, { status: 'failed', reason: NOBODY })
      return undefined
    }
    return { ctx: { ...ctx, actor, cause }, run, version, resumedAt: now }
  })
}

const NOBODY = 'the person it runs as is no longer a member, or is limited to some assets by a condition'

async function announce(ctx: Ctx, run: ClaimedRun, at: Date): Promise<void> {
  await store.noteTriggered(ctx, run.flowId, at)
  if (run.cause === 'FLOW_TRIGGERED') return
  const payload = {
    flow_id: run.flowId,
    execution_id: run.id,
    event_type: run.cause,
    triggered_at: at.toISOString(),
  }
  await emit(ctx, [{ type: 'FLOW_TRIGGERED', payload }])
}

async function executeInstruction(
  execution: Execution,
  program: readonly Instruction[],
  stopped: string | undefined,
): Promise<Next> {
  const { ctx, run } = execution
  const instruction = program[run.cursor]
  if (!instruction || instruction.op === 'stop') return endRun(ctx, run, { status: 'succeeded' })
  const guard = guardAgainst(execution)
  if (guard) return endRun(ctx, run, { status: 'failed', reason: guard })
  const reason = stopped ?? run.stopReason
  if (reason !== null) return endRun(ctx, run, { status: 'cancelled', reason })
  return instruction.op === 'act' ? performStep(execution, instruction) : moveOn(execution, instruction)
}

/** Why the run may not go on; undefined: it may. */
function guardAgainst({ ctx, run, resumedAt }: Execution): string | undefined {
  if (run.claim > CLAIMS_MAX) return `claimed more than ${CLAIMS_MAX} times`
  if (ctx.now().getTime() - resumedAt.getTime() > RUNNING_MS_MAX) return 'running for more than an hour'
  return run.stepsDone >= STEPS_MAX ? `more than ${STEPS_MAX} steps` : undefined
}
