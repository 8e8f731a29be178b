import { atomically, type Ctx } from '#platform/context.ts'
import { DatabaseUnavailable } from '#platform/database/unavailable-errors.ts'
import { conflict, Refusal } from '#platform/errors.ts'
import { enqueue } from '#platform/jobs/job.ts'
import type { Action, InnerAction, OuterAction, OuterResult, Settings, StepScope } from '../actions/action.ts'
import { actions } from '../actions/all.ts'
import type { Instruction } from '../definition/program.ts'
import { filledSettings } from '../definition/template.ts'
import { endRun } from './end-run.ts'
import { executeRunJob, type Execution, type Next } from './execution.ts'
import { masked } from '../secrets/flow-secrets.ts'
import * as store from './run-store.ts'
import { itemKey, tooLarge, type ClaimedRun, type RunContext } from './run.ts'
import { scopeOf } from './step-scope.ts'

const RETRIES_DEFAULT = 5
const RETRY_BASE_SECONDS = 10

/**
 * What undoes a transaction that may well succeed a moment later. PostgreSQL, Appendix A: serialization_failure, deadlock_detected, lock_not_available, query_canceled, which is what a
 * lock or statement timeout gives.
 */
const PASSING: ReadonlySet<string> = new Set(['40001', '40P01', '55P03', '57014'])
const isPassing = (error: unknown): boolean => PASSING.has(String((error as { code?: unknown } | null)?.code))

export type ActInstruction = Extract<Instruction, { op: 'act' }>

/** A step with its settings filled in. */
export interface Prepared {
  /** Which must not appear in the log. */
  readonly secrets: readonly string[]
  readonly instruction: ActInstruction
  readonly settings: Settings
  readonly scope: StepScope
  readonly startedAt: Date
}

/** Performs one action and moves the run on, retries it later, or ends the run with what went wrong. */
export async function performStep(execution: Execution, instruction: ActInstruction): Promise<Next> {
  const { ctx, run } = execution
  const action = actions.get(instruction.step.action)
  if (!action) return endRun(ctx, run, { status: 'failed', reason: `${instruction.path}: no such action` })
  const prepared = await prepareStep(ctx, run, { instruction, action })
  if (action.needsAsset && prepared.scope.assetId === undefined)
    return failStep(execution, prepared, 'the run is about no asset that still exists')
  return action.kind === 'inner'
    ? performInner(execution, action, prepared)
    : performOuter(execution, action, prepared)
}

interface StepToPrepare {
  readonly instruction: ActInstruction
  readonly action: Action
  /** Absent: from the database. */
  readonly readAssets?: Parameters<typeof scopeOf>[3]
}

export async function prepareStep(
  ctx: Ctx,
  run: ClaimedRun,
  { instruction, action, readAssets }: StepToPrepare,
): Promise<Prepared> {
  const startedAt = ctx.now()
  const { scope, secrets } = await scopeOf(ctx, run, instruction.step.with, readAssets)
  const settings = filledSettings(action.templates, instruction.step.with, scope.values)
  return { instruction, settings, scope, secrets, startedAt }
}

/** The cursor moves first: its row is locked, so a worker that lost its claim finds out before it changes anything. */
async function performInner(execution: Execution, action: InnerAction, prepared: Prepared): Promise<Next> {
  const { ctx, run } = execution
  try {
    return await atomically(ctx, async (inner) => {
      if (!(await store.change(inner, run, { cursor: run.cursor + 1, tries: 0 }))) return 'ended'
      const output = await action.run(inner, prepared.settings, prepared.scope)
      await noteDone(inner, run, prepared, output)
      return { cursor: run.cursor + 1 }
    })
  } catch (error) {
    if (error instanceof DatabaseUnavailable) throw error
    if (isPassing(error) && run.tries < RETRIES_DEFAULT)
      return retryStep(execution, prepared, { outcome: 'retry', fault: 'the database was busy' })
    if (!(error instanceof Refusal)) ctx.log.error({ err: error, runId: run.id }, 'a step of a flow failed')
    const fault =
      error instanceof Refusal ? error.message : 'an unexpected error; the log of the server has it'
    return failStep(execution, prepared, fault)
  }
}

async function performOuter(execution: Execution, action: OuterAction, prepared: Prepared): Promise<Next> {
  const { ctx, run, isOneOfMany } = execution
  if (isOneOfMany) {
    await atomically(ctx, async (inner) => {
      // another worker may have taken it over, which has a job
      if (await store.change(inner, run, {})) await enqueue(inner, executeRunJob, { runId: run.id })
    })
    return 'later'
  }
  const result = await action
    .run(ctx, prepared.settings, prepared.scope)
    .catch((error: unknown) => ({ outcome: 'failed' as const, fault: (error as Error).message }))
  if (result.outcome === 'failed') return failStep(execution, prepared, result.fault)
  if (result.outcome === 'retry')
    return run.tries < (result.retriesMax ?? RETRIES_DEFAULT)
      ? retryStep(execution, prepared, result)
      : failStep(execution, prepared, `${result.fault}, ${run.tries + 1} times`)
  const noted = atomically<Next>(ctx, async (inner) => {
    if (!(await store.change(inner, run, { cursor: run.cursor + 1, tries: 0 }))) return 'ended'
    await noteDone(inner, run, prepared, result.output)
    return { cursor: run.cursor + 1 }
  })
  return noted.catch((error: unknown) => {
    if (error instanceof Refusal) return failStep(execution, prepared, error.message)
    throw error
  })
}

async function noteDone(ctx: Ctx, run: ClaimedRun, prepared: Prepared, output: unknown): Promise<void> {
  const { context, step } = doneStep(run, prepared, output)
  if (context) await store.change(ctx, run, { context })
  await store.log(ctx, run.id, step)
}

export interface DoneStep {
  /** What the run knows now, if that is more than before. */
  readonly context?: RunContext
  readonly step: store.StepToLog
}

/** Throws 409 for an output that the run's memory cannot hold: what the transaction did is undone. */
export function doneStep(run: ClaimedRun, prepared: Prepared, output: unknown): DoneStep {
  const { name } = prepared.instruction.step
  const shown = masked(output, prepared.secrets)
  const step = { ...logged(run, prepared), status: 'done' as const, output: shown, fault: null }
  if (name === undefined) return { step }
  const context = withOutput(run.context, name, shown)
  const fault = tooLarge(context)
  if (fault !== undefined) throw conflict(fault)
  return { context, step }
}

const withOutput = (context: RunContext, name: string, output: unknown): RunContext => ({
  ...context,
  steps: { ...context.steps, [name]: output },
})

async function retryStep(
  { ctx, run }: Execution,
  prepared: Prepared,
  { fault, afterSeconds }: Extract<OuterResult, { outcome: 'retry' }>,
): Promise<Next> {
  const seconds = Math.max(afterSeconds ?? 0, RETRY_BASE_SECONDS * 2 ** run.tries)
  await atomically(ctx, async (inner) => {
    const wakeAt = new Date(inner.now().getTime() + seconds * 1_000)
    if (!(await store.change(inner, run, { status: 'waiting', tries: run.tries + 1, wakeAt }))) return
    await store.log(inner, run.id, { ...logged(run, prepared), status: 'retrying', output: null, fault })
    await enqueue(inner, executeRunJob, { runId: run.id }, wakeAt)
  })
  return 'later'
}

async function failStep({ ctx, run }: Execution, prepared: Prepared, why: string): Promise<Next> {
  const fault = String(masked(why, prepared.secrets))
  return atomically(ctx, async (inner) => {
    await store.log(inner, run.id, { ...logged(run, prepared), status: 'failed', output: null, fault })
    return endRun(inner, run, { status: 'failed', reason: `${prepared.instruction.path}: ${fault}` })
  })
}

const logged = ({ context }: ClaimedRun, { instruction, settings, secrets, startedAt }: Prepared) => ({
  path: instruction.path,
  item: itemKey(context),
  action: instruction.step.action,
  startedAt,
  input: masked(settings, secrets),
})
