import { record } from '#features/audit/audit.ts'
import { atomically, isLimited, permit, type Ctx } from '#platform/context.ts'
import { conflict, forbidden, invalid, notFound } from '#platform/errors.ts'
import type { Listed, Page } from '#platform/http/paging.ts'
import { isUuid, newUuid } from '#platform/uuid.ts'
import { readDefinition } from '../definition/read-definition.ts'
import { compileSteps } from '../definition/program.ts'
import * as flows from '../flow-store.ts'
import type { Flow, InputFields, Trigger } from '../flow.ts'
import { wantAdmission } from '../triggers/admission-job.ts'
import * as newRuns from '../triggers/new-run-store.ts'
import { chosenAssets, type ChosenAssets } from './chosen-assets.ts'
import * as store from './run-store.ts'
import type { FlowRun, RunStep } from './run.ts'
import { testDefinition, type TestRun } from './test-run.ts'

/** Runs as people see and start them. */

/** One run for each chosen asset; none: one run about no asset. */
export interface Start extends ChosenAssets {
  /** Values of the fields that a manual trigger names. */
  readonly inputs?: Readonly<Record<string, unknown>> | undefined
}

/** By hand. Answers how many runs were asked for. */
export async function startFlow(
  ctx: Ctx,
  id: string,
  { inputs = {}, ...assets }: Start = {},
): Promise<number> {
  permit(ctx, 'flows:write')
  if (isLimited(ctx))
    throw forbidden(
      'steps of a flow act on the whole organisation: a role or key that is limited by a condition starts none',
    )
  const chosen = await chosenAssets(ctx, assets)
  return atomically(ctx, async (inner) => {
    const flow = await flowOf(inner, id)
    const n = flow.publishedVersion
    const version = n === null ? undefined : await flows.version(inner, flow.id, n)
    if (!version) throw conflict('publish the flow first')
    const given = checkedInputs(version.definition.trigger, inputs)
    const event = { ...given, started_by: inner.actor.name ?? inner.actor.id }
    const runs = (chosen.length > 0 ? chosen : [null]).map((assetId) => {
      const runId = newUuid(inner.now())
      const run = { id: runId, flowId: flow.id, version: version.n, cause: 'manual', assetId, chain: [] }
      return { ...run, dedupeKey: `manual:${runId}`, context: { event, steps: {} } }
    })
    await newRuns.addAll(inner, runs)
    await wantAdmission(inner)
    const details = { name: flow.name, runs: runs.length }
    await record(inner, 'flow.started', { type: 'flow', id: flow.id }, details)
    return runs.length
  })
}

const KINDS: Readonly<Record<InputFields[string], (value: unknown) => boolean>> = {
  text: (value) => typeof value === 'string',
  number: (value) => typeof value === 'number',
  bool: (value) => typeof value === 'boolean',
  date: (value) => typeof value === 'string' && !Number.isNaN(Date.parse(value)),
  instant: (value) => typeof value === 'string' && !Number.isNaN(Date.parse(value)),
  ip: (value) => typeof value === 'string',
  version: (value) => typeof value === 'string',
}
const INPUT_LENGTH_MAX = 10_000

function checkedInputs(trigger: Trigger, given: Readonly<Record<string, unknown>>) {
  const fields = trigger.kind === 'manual' ? (trigger.fields ?? {}) : {}
  for (const [name, value] of Object.entries(given)) {
    const type = Object.hasOwn(fields, name) ? fields[name] : undefined
    if (!type) throw invalid(`inputs.${name}`, 'is none of the fields of the trigger')
    if (!KINDS[type](value) || String(value).length > INPUT_LENGTH_MAX)
      throw invalid(`inputs.${name}`, `must be of type ${type}`)
  }
  return given
}

/** Of one flow, or of all; newest first unless asked otherwise. */
export async function listRuns(ctx: Ctx, page: Page, query: store.RunQuery): Promise<Listed<FlowRun>> {
  permit(ctx, 'flows:read')
  const { flowId } = query
  if (flowId !== undefined && !(isUuid(flowId) && (await flows.find(ctx, flowId)))) throw notFound('flow')
  return store.list(ctx, page, query)
}

export async function getRun(
  ctx: Ctx,
  id: string,
): Promise<FlowRun & { readonly steps: readonly RunStep[] }> {
  permit(ctx, 'flows:read')
  const run = isUuid(id) ? await store.find(ctx, id) : undefined
  if (!run) throw notFound('flow run')
  return { ...run, steps: await store.steps(ctx, run.id) }
}

/** What its steps have done stays done. */
export async function cancelRun(ctx: Ctx, id: string): Promise<FlowRun> {
  permit(ctx, 'flows:write')
  await atomically(ctx, async (inner) => {
    const run = await getRun(inner, id)
    if (!(await store.cancel(inner, run.id, 'cancelled by a person')))
      throw conflict('the run has ended already')
    await record(inner, 'flow_run.cancelled', { type: 'flow', id: run.flowId }, { runId: run.id })
  })
  return getRun(ctx, id)
}

/**
 * A new run of the same version with what the old one knew, from one of its steps on, such as `steps[2]`; what the
 * steps before have done is not done again. A step inside of a `for_each` cannot be begun with.
 */
export async function rerunFrom(ctx: Ctx, id: string, path: string): Promise<string> {
  permit(ctx, 'flows:write')
  return atomically(ctx, async (inner) => {
    const old = isUuid(id) ? await store.findWhole(inner, id) : undefined
    if (!old) throw notFound('flow run')
    if (old.finishedAt === null) throw conflict('the run has not ended yet')
    const version = await flows.version(inner, old.flowId, old.version)
    const program = compileSteps(version?.definition.steps ?? [])
    const cursor = program.findIndex((it) => it.path === path)
    if (cursor < 0) throw invalid('path', `is no step of version ${old.version}`)
    const isInside = program.some((it, at) => it.op === 'loop' && at < cursor && cursor < it.after)
    if (isInside) throw invalid('path', 'lies in a for_each; begin with the for_each itself')
    const runId = newUuid(inner.now())
    const { flowId, assetId, chain } = old
    const { loops: _, ...context } = old.context
    const run = { id: runId, flowId, version: old.version, cause: 'manual', assetId, chain, context }
    await newRuns.add(inner, { ...run, dedupeKey: `manual:${runId}`, rerunOf: old.id, cursor })
    await wantAdmission(inner)
    await record(inner, 'flow_run.repeated', { type: 'flow', id: flowId }, { runId: old.id, from: path })
    return runId
  })
}

export interface FlowTest {
  readonly assetId: string | null
  /** The payload of an event, instead of an example. */
  readonly event?: Readonly<Record<string, unknown>> | undefined
  /** What that event told of its asset before the change. */
  readonly before?: Readonly<Record<string, unknown>> | undefined
  /** Instead of the newest version; see `readDefinition`. */
  readonly definition?: unknown
}

/** What the newest version, draft or not, would do for an asset or about none; nothing of it happens. */
export async function testFlow(ctx: Ctx, id: string, { definition, ...input }: FlowTest): Promise<TestRun> {
  permit(ctx, 'flows:write')
  const flow = isUuid(id) ? await flows.find(ctx, id) : undefined
  const [newest] = flow ? await flows.versions(ctx, flow.id) : []
  if (!newest) throw notFound('flow')
  const tested = definition === undefined ? newest.definition : await readDefinition(ctx, definition)
  return testDefinition(ctx, tested, { ...input, flowId: newest.flowId, version: newest.n })
}

async function flowOf(ctx: Ctx, id: string): Promise<Flow> {
  const flow = isUuid(id) ? await flows.lock(ctx, id) : undefined
  if (!flow) throw notFound('flow')
  return flow
}
