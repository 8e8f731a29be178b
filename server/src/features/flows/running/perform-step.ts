import { atomically, type Ctx } from '#platform/context.ts'
import { DatabaseUnavailable } from '#platform/database/unavailable-errors.ts'
import { Refusal } from '#platform/errors.ts'
import { enqueue } from '#platform/jobs/job.ts'
import type { InnerAction, OuterAction, OuterResult, Settings, StepScope } from '../actions/action.ts'
import { actions } from '../actions/all.ts'
import type { Instruction } from '../definition/program.ts'
import { filledSettings } from '../definition/template.ts'
import { endRun } from './end-run.ts'
import { executeRunJob, type Execution, type Next } from './execution.ts'
import { masked } from '../secrets/flow-secrets.ts'
import * as store from './run-store.ts'
import { itemKey, type ClaimedRun, type RunContext } from './run.ts'
import { scopeOf } from './step-scope.ts'

const RETRIES_DEFAULT = 5
const RETRY_BASE_SECONDS = 10
const CONTEXT_CHARACTERS_MAX = 256 * 1_024

type ActInstruction = Extract<Instruction, { op: 'act' }>

/** A step with its settings filled in. */
interface Prepared {
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
  const startedAt = ctx.now()
  const { scope, secrets } = await scopeOf(ctx, run, instruction.step.with)
  if (!action) return endRun(ctx, run, { status: 'failed', reason: `${instruction.path}: no such action` })
  const settings = filledSettings(action.templates, instruction.step.with, scope.values)
  const prepared = { instruction, settings, scope, secrets, startedAt }
  if (action.needsAsset && scope.assetId === undefined)
    return failStep(execution, prepared, 'the run is about no asset that still exists')
  return action.kind === 'inner'
    ? performInner(execution, action, prepared)
    : performOuter(execution, action, prepared)
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
    if (!(error instanceof Refusal)) ctx.log.error({ err: error, runId: run.id }, 'a step of a flow failed')
    const fault =
      error instanceof Refusal ? error.message : 'an unexpected error; the log of the server has it'
    return failStep(execution, prepared, fault)
  }
}

async function performOuter(execution: Execution, action: OuterAction, prepared: Prepared): Promise<Next> {
  const { ctx, run, isOneOfMany } = execution
  if (isOneOfMany) {
    await atomically(ctx, (inner) => enqueue(inner, executeRunJob, { runId: run.id }))
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
  return atomically(ctx, async (inner) => {
    if (!(await store.change(inner, run, { cursor: run.cursor + 1, tries: 0 }))) return 'ended'
    await noteDone(inner, run, prepared, result.output)
    return { cursor: run.cursor + 1 }
  })
}

async function noteDone(ctx: Ctx, run: ClaimedRun, prepared: Prepared, output: unknown): Promise<void> {
  const { name } = prepared.instruction.step
  const shown = masked(output, prepared.secrets)
  if (name !== undefined) await store.change(ctx, run, { context: withOutput(run.context, name, shown) })
  await store.log(ctx, run.id, { ...logged(run, prepared), status: 'done', output: shown, fault: null })
}

/** What is too large for the run's memory is not there for later steps. */
function withOutput(context: RunContext, name: string, output: unknown): RunContext {
  const grown = { ...context, steps: { ...context.steps, [name]: output } }
  return JSON.stringify(grown).length <= CONTEXT_CHARACTERS_MAX
    ? grown
    : { ...context, steps: { ...context.steps, [name]: null } }
}

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
