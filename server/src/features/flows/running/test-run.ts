import { assetsById, getAsset } from '#features/assets/assets.ts'
import { catalogue } from '#features/events/events.ts'
import { dryRun, type Ctx } from '#platform/context.ts'
import { Refusal } from '#platform/errors.ts'
import { newUuid } from '#platform/uuid.ts'
import { actions } from '../actions/all.ts'
import type { Settings, StepScope } from '../actions/action.ts'
import { areTrue } from '../definition/flow-condition.ts'
import { compileSteps, type Instruction } from '../definition/program.ts'
import { filledSettings } from '../definition/template.ts'
import type { Definition, Trigger } from '../flow.ts'
import type { RunContext } from './run.ts'

/** What a step would do. */
export interface TestStep {
  readonly path: string
  readonly action: string
  readonly input: unknown
  /** What it gave, for a change inside; in words, for what would be sent. */
  readonly output: unknown
  /** Why it would fail. */
  readonly fault: string | null
}

export interface TestRun {
  /** Whether the flow's own condition lets it run. */
  readonly matches: boolean
  readonly steps: readonly TestStep[]
}

const STEPS_MAX = 500

interface Test {
  readonly ctx: Ctx
  readonly trigger: Trigger
  readonly assetId: string | null
  readonly values: StepScope['values']
  context: RunContext
}

/** Runs the steps for an asset, or about none, in a transaction that is undone; nothing is sent and nothing waited for. */
export async function testDefinition(
  ctx: Ctx,
  definition: Definition,
  assetId: string | null,
): Promise<TestRun> {
  const asset = assetId === null ? undefined : await getAsset(ctx, assetId)
  const context = { event: sampleEvent(definition.trigger, asset), steps: {} }
  return dryRun(ctx, async (inner) => {
    const run = { id: newUuid(inner.now()) }
    const test: Test = {
      ctx: inner,
      trigger: definition.trigger,
      assetId,
      values: { event: context.event, ...(asset && { asset }), run },
      context,
    }
    const matches = await holds(test, definition.condition)
    return { matches, steps: matches ? await walk(test, compileSteps(definition.steps)) : [] }
  })
}

/** As the catalogue's example, about the asset. */
function sampleEvent(trigger: Trigger, asset: { readonly id: string; readonly name: string } | undefined) {
  const [type] = trigger.kind === 'event' ? trigger.eventTypes : []
  if (!type) return {}
  return { ...catalogue[type].sample, ...(asset && { asset_id: asset.id, asset_name: asset.name }) }
}

async function walk(test: Test, program: readonly Instruction[]): Promise<TestStep[]> {
  const steps: TestStep[] = []
  let cursor = 0
  while (steps.length < STEPS_MAX) {
    const instruction = program[cursor]
    if (!instruction || instruction.op === 'stop') return steps
    if (instruction.op === 'jump') cursor = instruction.to
    else if (instruction.op === 'branch')
      cursor = (await holds(test, instruction.condition)) ? cursor + 1 : instruction.otherwise
    else {
      const step = instruction.op === 'wait' ? waitStep(instruction) : await actStep(test, instruction)
      steps.push(step)
      if (step.fault !== null) return steps
      cursor += 1
    }
  }
  return steps
}

const waitStep = ({ path, minutes }: Extract<Instruction, { op: 'wait' }>): TestStep => ({
  path,
  action: 'wait',
  input: { minutes },
  output: `would wait ${minutes} minutes`,
  fault: null,
})

async function actStep(test: Test, { path, step }: Extract<Instruction, { op: 'act' }>): Promise<TestStep> {
  const action = actions.get(step.action)
  const values = { ...test.values, steps: test.context.steps }
  const input: Settings = action ? filledSettings(action.templates, step.with, values) : step.with
  const done = (output: unknown, fault: string | null = null) => ({
    path,
    action: step.action,
    input,
    output,
    fault,
  })
  if (!action) return done(null, 'no such action')
  if (action.kind === 'outer') return done(action.describe(input))
  const [asset] = test.assetId === null ? [] : await assetsById(test.ctx, [test.assetId])
  if (action.needsAsset && !asset) return done(null, 'the run is about no asset')
  try {
    const scope = { values, assetId: asset?.id, idempotencyKey: 'test' }
    const output = await action.run(test.ctx, input, scope)
    if (step.name !== undefined)
      test.context = { ...test.context, steps: { ...test.context.steps, [step.name]: output } }
    return done(output)
  } catch (error) {
    if (error instanceof Refusal) return done(null, error.message)
    throw error
  }
}

async function holds({ ctx, trigger, assetId, context }: Test, text: string): Promise<boolean> {
  const [isTrue] = await areTrue(ctx, [{ text, trigger, assetId, context }])
  return isTrue === true
}
