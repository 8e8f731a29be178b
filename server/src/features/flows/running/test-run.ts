import { tried, type WouldChange } from '#features/changes/changes.ts'
import { getAsset } from '#features/assets/assets.ts'
import { catalogue } from '#features/events/events.ts'
import type { Ctx } from '#platform/context.ts'
import { Refusal, unreachable } from '#platform/errors.ts'
import { newUuid } from '#platform/uuid.ts'
import { actions } from '../actions/all.ts'
import type { Settings } from '../actions/action.ts'
import { areTrue } from '../definition/flow-condition.ts'
import { compileSteps, type Instruction } from '../definition/program.ts'
import { filledSettings } from '../definition/template.ts'
import type { Definition, Trigger } from '../flow.ts'
import { masked } from '../secrets/flow-secrets.ts'
import { add } from '../triggers/new-run-store.ts'
import { assetOf } from '../triggers/on-event.ts'
import { lockForSteps } from './lock-for-steps.ts'
import { into, isInLoop, itemsOf, nextItem } from './move-on.ts'
import { assetIdOf, itemKey, type RunContext } from './run.ts'
import { scopeOf } from './step-scope.ts'

/** What a step would do. */
export interface TestStep {
  readonly path: string
  /** For which item of `for_each`, such as 3 or 3.1; empty outside of one. */
  readonly item: string
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
  /** What all steps together would change. */
  readonly wouldChange: WouldChange
}

export interface TestInput {
  readonly flowId: string
  readonly version: number
  /** Null: that of the event, if it names one. */
  readonly assetId: string | null
  /** The payload of the event; unless given, the example of the catalogue, about the asset. */
  readonly event?: Readonly<Record<string, unknown>> | undefined
  /** What that event told of its asset before the change. */
  readonly before?: Readonly<Record<string, unknown>> | undefined
}

const STEPS_MAX = 500

interface Test {
  readonly ctx: Ctx
  readonly runId: string
  readonly trigger: Trigger
  readonly assetId: string | null
  context: RunContext
  cursor: number
}

/** Runs the steps for an asset, or about none, in a transaction that is undone; nothing is sent and nothing waited for. */
export async function testDefinition(ctx: Ctx, definition: Definition, input: TestInput): Promise<TestRun> {
  const { flowId, version } = input
  const asset = input.assetId === null ? undefined : await getAsset(ctx, input.assetId)
  const assetId = input.assetId ?? (input.event ? assetOf(input.event) : null)
  const event = input.event ?? sampleEvent(definition.trigger, asset)
  const { result, changes } = await tried(ctx, async (inner) => {
    const test: Test = {
      ctx: inner,
      runId: newUuid(inner.now()),
      trigger: definition.trigger,
      assetId,
      context: { event, steps: {}, ...(input.before && { before: input.before }) },
      cursor: 0,
    }
    // what steps write about their run refers to it
    const run = {
      id: test.runId,
      flowId,
      version,
      cause: 'manual',
      assetId,
      chain: [],
      context: test.context,
    }
    await add(inner, { ...run, dedupeKey: `test:${test.runId}` })
    const matches = await holds(test, definition.condition)
    if (!matches) return { matches, steps: [] }
    const program = compileSteps(definition.steps)
    await lockForSteps(inner, [program])
    return { matches, steps: await walk(test, program) }
  })
  return { ...result, wouldChange: changes }
}

/** As the catalogue's example, about the asset. */
function sampleEvent(trigger: Trigger, asset: { readonly id: string; readonly name: string } | undefined) {
  const about = asset ? { asset_id: asset.id, asset_name: asset.name } : {}
  switch (trigger.kind) {
    case 'event': {
      const [type] = trigger.eventTypes
      return { ...(type && catalogue[type].sample), ...about }
    }
    case 'query':
      return trigger.per === 'asset'
        ? { move: trigger.on, ...about }
        : { move: trigger.on, count: asset ? 1 : 0, assets: asset ? [about] : [] }
    case 'schedule':
    case 'manual':
    case 'webhook':
      return about
    default:
      return unreachable(trigger)
  }
}

async function walk(test: Test, program: readonly Instruction[]): Promise<TestStep[]> {
  const steps: TestStep[] = []
  for (let n = 0; n < STEPS_MAX; n++) {
    const instruction = program[test.cursor]
    if (!instruction || instruction.op === 'stop') return steps
    const step = await pass(test, instruction)
    if (step) steps.push(step)
    if (step && step.fault !== null) return steps
  }
  return steps
}

/** Goes to the next instruction; answers what people see of this one. */
async function pass(test: Test, instruction: Instruction): Promise<TestStep | undefined> {
  const { cursor } = test
  switch (instruction.op) {
    case 'jump':
      test.cursor = instruction.to
      return undefined
    case 'branch':
      test.cursor = (await holds(test, instruction.condition)) ? cursor + 1 : instruction.otherwise
      return undefined
    case 'loop': {
      const items = itemsOf(test.context, instruction.list)
      if (typeof items === 'string') return toldStep(test, instruction, { fault: items })
      test.cursor = items.length === 0 ? instruction.after : cursor + 1
      if (items.length > 0) test.context = into(test.context, { at: cursor, index: 0, items })
      return undefined
    }
    case 'next':
      test.context = nextItem(test.context)
      test.cursor = isInLoop(test.context, instruction.loop) ? instruction.loop + 1 : cursor + 1
      return undefined
    case 'wait':
      test.cursor += 1
      return toldStep(test, instruction, { output: `would wait ${instruction.minutes} minutes` })
    case 'approval':
      test.cursor = instruction.approved
      return toldStep(test, instruction, {
        output: 'would wait for the answer; goes on as if it were approved',
      })
    case 'act':
      test.cursor += 1
      return actStep({ ...test, cursor }, instruction, (context) => (test.context = context))
    case 'stop':
      return undefined
  }
}

const WORDS = { wait: 'wait', approval: 'wait_for_approval', loop: 'for_each' } as const

const toldStep = (
  { context }: Test,
  instruction: Extract<Instruction, { op: keyof typeof WORDS }>,
  told: Partial<Pick<TestStep, 'output' | 'fault'>>,
): TestStep => ({
  path: instruction.path,
  item: itemKey(context),
  action: WORDS[instruction.op],
  input: instruction.op === 'wait' ? { minutes: instruction.minutes } : {},
  output: null,
  fault: null,
  ...told,
})

async function actStep(
  test: Test,
  { path, step }: Extract<Instruction, { op: 'act' }>,
  remember: (context: RunContext) => void,
): Promise<TestStep> {
  const { ctx, context, runId } = test
  const action = actions.get(step.action)
  const run = { id: runId, flowId: '', assetId: test.assetId, context, cursor: test.cursor }
  const { scope, secrets } = await scopeOf(ctx, run, step.with)
  const input: Settings = action ? filledSettings(action.templates, step.with, scope.values) : step.with
  const done = (output: unknown, fault: string | null = null): TestStep => ({
    path,
    item: itemKey(context),
    action: step.action,
    input: masked(input, secrets),
    output: masked(output, secrets),
    fault,
  })
  if (!action) return done(null, 'no such action')
  if (action.kind === 'outer') return done(action.describe(input))
  if (action.needsAsset && scope.assetId === undefined) return done(null, 'the run is about no asset')
  if (action.permission !== undefined && !ctx.actor.may(action.permission))
    return done(null, `needs the permission ${action.permission}`)
  try {
    const output = await action.run(ctx, input, scope)
    if (step.name !== undefined) remember({ ...context, steps: { ...context.steps, [step.name]: output } })
    return done(output)
  } catch (error) {
    if (error instanceof Refusal) return done(null, error.message)
    throw error
  }
}

async function holds({ ctx, trigger, context, ...test }: Test, text: string): Promise<boolean> {
  const assetId = assetIdOf({ assetId: test.assetId, context })
  const [isTrue] = await areTrue(ctx, [{ text, trigger, assetId, context }])
  return isTrue === true
}
