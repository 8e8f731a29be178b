import { atomically, type Ctx } from '#platform/context.ts'
import { DatabaseUnavailable } from '#platform/database/unavailable-errors.ts'
import { Refusal } from '#platform/errors.ts'
import { enqueueAll } from '#platform/jobs/job.ts'
import { compileSteps, type Instruction } from '../definition/program.ts'
import * as flows from '../flow-store.ts'
import { installationStopReason } from '../stops/stop-store.ts'
import { announceRuns, causeOf } from './announce-runs.ts'
import { endRun } from './end-run.ts'
import { executeTogether } from './together/execute-together.ts'
import { executeRunJob, type Execution, type Next, type RunsToExecute } from './execution.ts'
import { moveOn } from './move-on.ts'
import { performStep } from './perform-step.ts'
import { NOBODY, runAsActor } from './run-as.ts'
import { limitReached } from './run-limits.ts'
import * as store from './run-store.ts'

/** How many instructions are carried out before it is looked again whether the installation's flows are stopped. */
const INSTRUCTIONS_PER_LOOK = 50

/**
 * Executes runs from their cursors on. The effect of a step and the move of the cursor are one commit, so a worker that
 * takes over after a crash goes on where the last commit left it.
 */
export async function executeRuns(ctx: Ctx, runs: RunsToExecute, signal: AbortSignal): Promise<void> {
  const stopped = installationStop(ctx)
  if ('runId' in runs) {
    const begun = await beginRun(ctx, runs.runId)
    return begun && execute({ ...begun, isOneOfMany: false }, stopped, signal)
  }
  const left = await executeTogether(ctx, runs.runIds, signal).catch((error: unknown) => {
    if (signal.aborted || error instanceof DatabaseUnavailable) throw error
    if (!(error instanceof Refusal))
      ctx.log.warn({ err: error }, 'runs could not be executed together; they are executed one by one')
    return undefined
  })
  if (!left) return executeOneByOne(ctx, runs.runIds, { stopped, signal })
  for (const execution of left) await execute(execution, stopped, signal)
}

interface Ways {
  readonly stopped: () => Promise<string | undefined>
  readonly signal: AbortSignal
}

async function executeOneByOne(
  ctx: Ctx,
  runIds: readonly string[],
  { stopped, signal }: Ways,
): Promise<void> {
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
const separate = (ctx: Ctx, runIds: readonly string[]): Promise<void> =>
  enqueueAll(
    ctx,
    executeRunJob,
    runIds.map((runId) => ({ payload: { runId } })),
  )

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
    const cause = causeOf(run)
    const now = inner.now()
    await store.change(inner, run, { status: 'running', startedAt: now })
    if (run.startedAt === null) await announceRuns(inner, [run], now)
    const actor = await runAsActor(inner, version.runAs)
    if (!actor) {
      await endRun(inner, run, { status: 'failed', reason: NOBODY })
      return undefined
    }
    return { ctx: { ...ctx, actor, cause }, run, version }
  })
}

async function executeInstruction(
  execution: Execution,
  program: readonly Instruction[],
  stopped: string | undefined,
): Promise<Next> {
  const { ctx, run } = execution
  const instruction = program[run.cursor]
  if (!instruction || instruction.op === 'stop') return endRun(ctx, run, { status: 'succeeded' })
  const guard = limitReached(run)
  if (guard) return endRun(ctx, run, { status: 'failed', reason: guard })
  const reason = stopped ?? run.stopReason
  if (reason !== null) return endRun(ctx, run, { status: 'cancelled', reason })
  return instruction.op === 'act' ? performStep(execution, instruction) : moveOn(execution, instruction)
}
