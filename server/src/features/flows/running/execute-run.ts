import { emit } from '#features/events/events.ts'
import { atomically, type Ctx } from '#platform/context.ts'
import { enqueue } from '#platform/jobs/job.ts'
import { unreachable } from '#platform/errors.ts'
import { areTrue } from '../definition/flow-condition.ts'
import { compileSteps, type Instruction } from '../definition/program.ts'
import * as flows from '../flow-store.ts'
import { endRun } from './end-run.ts'
import { executeRunJob, type Execution, type Next } from './execution.ts'
import { performStep } from './perform-step.ts'
import { runAsActor } from './run-as.ts'
import * as store from './run-store.ts'
import type { ClaimedRun } from './run.ts'

const STEPS_MAX = 5_000
const RUNNING_MS_MAX = 60 * 60_000
/** A run whose workers die again and again must not go round for ever; waits and retries claim it, too. */
const CLAIMS_MAX = 1_000
const MINUTE_MS = 60_000

/**
 * Executes a run from its cursor on. The effect of a step and the move of the cursor are one commit, so a worker that
 * takes over after a crash goes on where the last commit left it.
 */
export async function executeRun(
  ctx: Ctx,
  { runId }: { readonly runId: string },
  signal: AbortSignal,
): Promise<void> {
  const execution = await beginRun(ctx, runId)
  if (!execution) return
  const program = compileSteps(execution.version.definition.steps)
  let current = execution
  for (;;) {
    signal.throwIfAborted()
    const next = await executeInstruction(current, program)
    if (next === 'ended' || next === 'later') return
    const run = await store.reload(ctx, current.run)
    if (!run) return
    current = { ...current, run }
  }
}

/** Claims the run and marks it as running; the first time, that is the event FLOW_TRIGGERED. Undefined: it has ended. */
function beginRun(ctx: Ctx, runId: string): Promise<Execution | undefined> {
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
      await endRun(inner, run, { status: 'failed', reason: 'the person it runs as is no longer a member' })
      return undefined
    }
    return { ctx: { ...ctx, actor, cause }, run, version, resumedAt: now }
  })
}

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

async function executeInstruction(execution: Execution, program: readonly Instruction[]): Promise<Next> {
  const { ctx, run } = execution
  const instruction = program[run.cursor]
  if (!instruction || instruction.op === 'stop') return endRun(ctx, run, { status: 'succeeded' })
  const guard = await guardAgainst(execution)
  if (guard) return endRun(ctx, run, { status: 'failed', reason: guard })
  switch (instruction.op) {
    case 'act':
      return performStep(execution, instruction)
    case 'jump':
      return moveTo(ctx, run, instruction.to)
    case 'branch':
      return moveTo(
        ctx,
        run,
        (await isTrue(execution, instruction.condition)) ? run.cursor + 1 : instruction.otherwise,
      )
    case 'wait':
      return waitFor(ctx, run, instruction.minutes * MINUTE_MS)
    default:
      return unreachable(instruction)
  }
}

/** Why the run may not go on; undefined: it may. */
async function guardAgainst({ ctx, run, resumedAt }: Execution): Promise<string | undefined> {
  if (run.claim > CLAIMS_MAX) return `claimed more than ${CLAIMS_MAX} times`
  if (ctx.now().getTime() - resumedAt.getTime() > RUNNING_MS_MAX) return 'running for more than an hour'
  return (await store.countSteps(ctx, run.id)) >= STEPS_MAX ? `more than ${STEPS_MAX} steps` : undefined
}

async function moveTo(ctx: Ctx, run: ClaimedRun, cursor: number): Promise<Next> {
  return (await store.change(ctx, run, { cursor, tries: 0 })) ? { cursor } : 'ended'
}

/** The rest is a job of its own, which begins then. */
async function waitFor(ctx: Ctx, run: ClaimedRun, ms: number): Promise<Next> {
  await atomically(ctx, async (inner) => {
    if (await store.change(inner, run, { status: 'waiting', cursor: run.cursor + 1, tries: 0 }))
      await enqueue(inner, executeRunJob, { runId: run.id }, new Date(inner.now().getTime() + ms))
  })
  return 'later'
}

async function isTrue({ ctx, run, version }: Execution, text: string): Promise<boolean> {
  const { trigger } = version.definition
  const [holds] = await areTrue(ctx, [{ text, trigger, assetId: run.assetId, context: run.context }])
  return holds === true
}
