import { record } from '#features/audit/audit.ts'
import { atomically, systemActor, type Ctx } from '#platform/context.ts'
import { enqueue } from '#platform/jobs/job.ts'
import { unreachable } from '#platform/errors.ts'
import * as approvals from '../approvals/approval-store.ts'
import { answersTo, type Answer } from '../definition/flow-condition.ts'
import type { Instruction } from '../definition/program.ts'
import { valueAtPath } from '../definition/template.ts'
import { endRun } from './end-run.ts'
import { executeRunJob, type Execution, type Next } from './execution.ts'
import * as store from './run-store.ts'
import { assetIdOf, currentItem, tooLarge, type ClaimedRun, type Loop, type RunContext } from './run.ts'

const MINUTE_MS = 60_000
export const ITEMS_MAX = 1_000

/** Carries out what is no action: the run goes another way, goes round, or waits. */
export async function moveOn(
  execution: Execution,
  instruction: Exclude<Instruction, { op: 'act' | 'stop' }>,
): Promise<Next> {
  const { ctx, run } = execution
  const to = async (cursor: number, context?: RunContext): Promise<Next> =>
    (await store.change(ctx, run, { cursor, tries: 0, ...(context && { context }) })) ? { cursor } : 'ended'
  switch (instruction.op) {
    case 'jump':
    case 'loop':
    case 'next': {
      const way = wayOn(run, instruction)
      return 'fault' in way
        ? endRun(ctx, run, { status: 'failed', reason: way.fault })
        : to(way.cursor, way.context)
    }
    case 'branch': {
      const answer = await answerTo(execution, instruction.condition)
      if ('fault' in answer)
        return endRun(ctx, run, {
          status: 'failed',
          reason: `${instruction.path}.condition: ${answer.fault}`,
        })
      return to(answer.holds ? run.cursor + 1 : instruction.otherwise)
    }
    case 'wait':
      return sleep(execution, new Date(ctx.now().getTime() + instruction.minutes * MINUTE_MS))
    case 'approval':
      return askApproval(execution, instruction)
    default:
      return unreachable(instruction)
  }
}

export interface Way {
  readonly cursor: number
  readonly context?: RunContext
}

/** Where the run goes on, which nothing but itself decides; or what is wrong with the list of a loop. */
export function wayOn(
  { cursor, context }: Pick<ClaimedRun, 'cursor' | 'context'>,
  instruction: Extract<Instruction, { op: 'jump' | 'loop' | 'next' }>,
): Way | { readonly fault: string } {
  if (instruction.op === 'jump') return { cursor: instruction.to }
  if (instruction.op === 'next') {
    const after = nextItem(context)
    return {
      cursor: isInLoop(after, instruction.loop) ? instruction.loop + 1 : cursor + 1,
      context: after,
    }
  }
  const items = itemsOf(context, instruction.list)
  if (typeof items === 'string') return { fault: `${instruction.path}.list: ${items}` }
  if (items.length === 0) return { cursor: instruction.after }
  const inside = into(context, { at: cursor, index: 0, items })
  const fault = tooLarge(inside)
  return fault === undefined
    ? { cursor: cursor + 1, context: inside }
    : { fault: `${instruction.path}.list: ${fault}` }
}

async function answerTo({ ctx, run, version }: Execution, text: string): Promise<Answer> {
  const { trigger } = version.definition
  const [answer] = await answersTo(ctx, [{ text, trigger, assetId: assetIdOf(run), context: run.context }])
  return answer ?? { holds: false }
}

/** The rest is a job of its own, which begins then. */
async function sleep({ ctx, run }: Execution, until: Date): Promise<Next> {
  await atomically(ctx, async (inner) => {
    if (
      await store.change(inner, run, { status: 'waiting', cursor: run.cursor + 1, tries: 0, wakeAt: until })
    )
      await enqueue(inner, executeRunJob, { runId: run.id }, until)
  })
  return 'later'
}

/** The request is locked first, so that an answer that comes at the same time finds the run asleep, or is found by it. */
async function askApproval(
  { ctx, run }: Execution,
  { request, approved, path }: Extract<Instruction, { op: 'approval' }>,
): Promise<Next> {
  const id = (run.context.steps[request] as { approval_id?: string } | undefined)?.approval_id ?? ''
  return atomically<Next>(ctx, async (inner) => {
    const found = id === '' ? undefined : await approvals.lock(inner, id)
    if (!found) return endRun(inner, run, { status: 'failed', reason: `${path}: nothing was asked` })
    const expiresAt = new Date(found.expiresAt)
    const isOver = expiresAt.getTime() <= inner.now().getTime()
    if (!found.isDecided && !isOver) {
      if (await store.change(inner, run, { status: 'waiting', wakeAt: expiresAt }))
        await enqueue(inner, executeRunJob, { runId: run.id }, expiresAt)
      return 'later'
    }
    const state = found.isDecided ? found.state : 'expired'
    if (!found.isDecided) await noteExpired(inner, id, run)
    const steps = { ...run.context.steps, [request]: { approval_id: id, decision: state } }
    const cursor = state === 'approved' ? approved : run.cursor + 1
    const isMoved = await store.change(inner, run, { cursor, tries: 0, context: { ...run.context, steps } })
    return isMoved ? { cursor } : 'ended'
  })
}

async function noteExpired(ctx: Ctx, id: string, { id: runId }: ClaimedRun): Promise<void> {
  await approvals.decide(ctx, id, { state: 'expired', byName: null, note: '' })
  const nobody = { ...ctx, actor: systemActor('flows') }
  await record(nobody, 'flow_approval.expired', { type: 'flow_approval', id }, { runId })
}

/** The list at the path, or what is wrong with it. */
export function itemsOf(context: RunContext, path: string): readonly unknown[] | string {
  const scope = { event: context.event, steps: context.steps, item: currentItem(context) }
  const items = valueAtPath(path, scope) ?? []
  if (!Array.isArray(items)) return `${path} is no list`
  return items.length > ITEMS_MAX ? `${path} has more than ${ITEMS_MAX} items` : (items as unknown[])
}

export const into = (context: RunContext, loop: Loop): RunContext => ({
  ...context,
  loops: [...(context.loops ?? []), loop],
})

/** The innermost loop at its next item, or left when there is none. */
export function nextItem(context: RunContext): RunContext {
  const loops = context.loops ?? []
  const loop = loops.at(-1)
  const outer = loops.slice(0, -1)
  return loop && loop.index + 1 < loop.items.length
    ? { ...context, loops: [...outer, { ...loop, index: loop.index + 1 }] }
    : { ...context, loops: outer }
}

export const isInLoop = ({ loops = [] }: RunContext, at: number): boolean => loops.at(-1)?.at === at
