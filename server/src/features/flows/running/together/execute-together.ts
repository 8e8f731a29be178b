import { assetsById, type Asset } from '#features/assets/assets.ts'
import { atomically, type Actor, type Ctx } from '#platform/context.ts'
import { enqueueAll } from '#platform/jobs/job.ts'
import { actions } from '../../actions/all.ts'
import { answersTo, type Answer, type AskedCondition } from '../../definition/flow-condition.ts'
import { compileSteps, type Instruction } from '../../definition/program.ts'
import type { FlowVersion } from '../../flow.ts'
import * as flows from '../../flow-store.ts'
import { installationStopReason } from '../../stops/stop-store.ts'
import { announceRuns, causeOf } from '../announce-runs.ts'
import { executeRunJob, type Execution } from '../execution.ts'
import { lockForSteps } from '../lock-for-steps.ts'
import { wayOn, type Way } from '../move-on.ts'
import { doneStep, prepareStep, type ActInstruction } from '../perform-step.ts'
import { runAsActor } from '../run-as.ts'
import { limitReached } from '../run-limits.ts'
import { noteSucceeded } from '../run-store.ts'
import { assetIdOf, type ClaimedRun } from '../run.ts'
import * as store from './together-store.ts'

/** How many actions one transaction carries out: it holds locks until its end, so it must not become long. */
const ACTIONS_MAX = 50
const INSTRUCTIONS_MAX = 100
/** A run that has been claimed more often goes on alone: each of these transactions is a claim, and a run has so many. */
const CLAIMS_TOGETHER_MAX = 20
const MINUTE_MS = 60_000

/** A run among those that are executed together. */
interface Member {
  run: ClaimedRun
  readonly version: FlowVersion
  readonly actor: Actor
  readonly program: readonly Instruction[]
  readonly steps: store.LoggedStep[]
  instructions: number
  hasNewContext: boolean
  /** Undefined while it goes on. */
  end?: Pick<store.MovedRun, 'status' | 'finishedAt' | 'reason' | 'wakeAt'> | 'left'
}

/**
 * Executes runs side by side in one transaction, for as long as nothing but this database is needed: together they cost
 * hardly more commits and statements than one of them would. What speaks to others, waits for people or is about to
 * fail is left: such a run gets a job of its own in the same commit. Those for which the transaction would become too
 * long get one job again. A single one is answered instead. Throws whatever a step throws, and then nothing has happened
 * for any of them.
 */
export function executeTogether(
  ctx: Ctx,
  runIds: readonly string[],
  signal: AbortSignal,
): Promise<Execution[]> {
  return atomically(ctx, async (inner) => {
    const at = inner.now()
    const { members, withoutActor } = await begin(inner, runIds, at)
    const stopped = await installationStopReason(inner)
    for (const it of members) {
      const reason = stopped ?? it.run.stopReason
      if (reason !== null) it.end = { status: 'cancelled', reason, finishedAt: inner.now() }
    }
    let actionsLeft = ACTIONS_MAX
    for (let n = 0; n < INSTRUCTIONS_MAX && actionsLeft > 0 && members.some(goesOn); n++) {
      signal.throwIfAborted()
      actionsLeft -= await moveEach(inner, eachAssetOnce(members.filter(goesOn)), actionsLeft)
    }
    await write(inner, members, at)
    const left = members.filter(({ end }) => end === undefined || end === 'left')
    const isSingle = runIds.length === 1
    await enqueueLeft(inner, isSingle ? [] : left, withoutActor)
    return isSingle ? left.map((it) => executionOf(ctx, it)) : []
  })
}

const goesOn = ({ end }: Member): boolean => end === undefined

const executionOf = (ctx: Ctx, { run, version, actor }: Member): Execution => ({
  ctx: { ...ctx, actor, cause: causeOf(run) },
  run,
  version,
  isOneOfMany: false,
})

async function enqueueLeft(
  ctx: Ctx,
  left: readonly Member[],
  withoutActor: readonly string[],
): Promise<void> {
  const { together = [], alone = [] } = Object.groupBy(left, (it) =>
    goesOn(it) && it.run.claim <= CLAIMS_TOGETHER_MAX ? 'together' : 'alone',
  )
  const ids = (members: readonly Member[]): string[] => members.map(({ run }) => run.id)
  const jobs = [...withoutActor, ...ids(alone)].map((runId) => ({ payload: { runId } }))
  const again = together.length > 0 ? [{ payload: { runIds: ids(together) } }] : []
  await enqueueAll(ctx, executeRunJob, [...jobs, ...again])
}

/** Locks the runs and what their steps need, and announces those that begin for the first time. */
async function begin(ctx: Ctx, runIds: readonly string[], at: Date) {
  const runs = await store.lockAll(ctx, runIds)
  const shared = new Map<string, Pick<Member, 'version' | 'actor' | 'program'> | undefined>()
  for (const run of runs) {
    const key = versionKey(run)
    if (!shared.has(key)) shared.set(key, await versionToExecute(ctx, run))
  }
  const members: Member[] = []
  const withoutActor: string[] = []
  for (const run of runs) {
    const its = shared.get(versionKey(run))
    if (its) members.push({ run, ...its, steps: [], instructions: 0, hasNewContext: false })
    else withoutActor.push(run.id)
  }
  const programs = members.map(({ program }) => program)
  await lockForSteps(ctx, programs)
  const begun = members.flatMap(({ run }) => (run.startedAt === null ? run : []))
  await announceRuns(ctx, begun, at)
  return { members, withoutActor }
}

const versionKey = ({ flowId, version }: ClaimedRun): string => `${flowId} ${version}`

/** Undefined: nobody is there as whom its steps could act. */
async function versionToExecute(ctx: Ctx, { flowId, version: n }: ClaimedRun) {
  const version = await flows.version(ctx, flowId, n)
  const actor = version && (await runAsActor(ctx, version.runAs))
  return version && actor && { version, actor, program: compileSteps(version.definition.steps) }
}

/** Of several about one asset only the first, so that the next ones see what it did. */
function eachAssetOnce(members: readonly Member[]): Member[] {
  const taken = new Set<string>()
  return members.filter(({ run }) => {
    const id = assetIdOf(run)
    const isFirst = id === null || !taken.has(id)
    if (id !== null) taken.add(id)
    return isFirst
  })
}

/** One instruction of each. Answers how many actions were performed, which are at most as many as may be. */
async function moveEach(ctx: Ctx, members: readonly Member[], actionsMax: number): Promise<number> {
  const branches: Member[] = []
  const acting: Acting[] = []
  for (const member of members) {
    const instruction = member.program[member.run.cursor]
    if (!instruction || instruction.op === 'stop') member.end = { status: 'succeeded', finishedAt: ctx.now() }
    else if (limitReached(member.run) !== undefined || instruction.op === 'approval') member.end = 'left'
    else if (instruction.op === 'branch') branches.push(member)
    else if (instruction.op === 'act') acting.push({ member, instruction })
    else if (instruction.op === 'wait') {
      const wakeAt = new Date(ctx.now().getTime() + instruction.minutes * MINUTE_MS)
      move(member, { cursor: member.run.cursor + 1 })
      member.end = { status: 'waiting', wakeAt }
    } else {
      const way = wayOn(member.run, instruction)
      if ('fault' in way) member.end = 'left'
      else move(member, way)
    }
  }
  await takeBranches(ctx, branches)
  return perform(ctx, inOrderOfAssets(acting).slice(0, actionsMax))
}

function move(member: Member, { cursor, context }: Way): void {
  const { run } = member
  member.run = {
    ...run,
    cursor,
    tries: 0,
    instructionsDone: run.instructionsDone + 1,
    ...(context && { context }),
  }
  member.instructions += 1
  if (context) member.hasNewContext = true
}

/** Each condition is asked as the person whom the run acts as: it may ask only about what that person may read. */
async function takeBranches(ctx: Ctx, members: readonly Member[]): Promise<void> {
  for (const [actor, alike] of Map.groupBy(members, (it) => it.actor)) {
    const answers = await answersTo({ ...ctx, actor }, alike.map(askedBy))
    for (const [n, member] of alike.entries()) takeBranch(member, answers[n] ?? { holds: false })
  }
}

const branchOf = ({ run, program }: Member) => program[run.cursor] as Extract<Instruction, { op: 'branch' }>

const askedBy = (member: Member): AskedCondition => ({
  text: branchOf(member).condition,
  trigger: member.version.definition.trigger,
  assetId: assetIdOf(member.run),
  context: member.run.context,
})

function takeBranch(member: Member, answer: Answer): void {
  if ('fault' in answer) member.end = 'left'
  else move(member, { cursor: answer.holds ? member.run.cursor + 1 : branchOf(member).otherwise })
}

interface Acting {
  readonly member: Member
  readonly instruction: ActInstruction
}

/** In one order everywhere, since actions lock their assets. */
const inOrderOfAssets = (acting: readonly Acting[]): Acting[] =>
  acting.toSorted((a, b) => ((assetIdOf(a.member.run) ?? '') < (assetIdOf(b.member.run) ?? '') ? -1 : 1))

async function perform(ctx: Ctx, acting: readonly Acting[]): Promise<number> {
  const assets = await assetsOf(ctx, acting)
  for (const it of acting) await performOne({ ...ctx, actor: it.member.actor }, it, assets)
  return acting.length
}

/** Read as the person whom each acts as. Only one of them is about each asset, so none changes it for another. */
async function assetsOf(ctx: Ctx, acting: readonly Acting[]): Promise<ReadonlyMap<string, Asset>> {
  const found: Asset[] = []
  for (const [actor, alike] of Map.groupBy(acting, ({ member }) => member.actor)) {
    const ids = alike.flatMap(({ member }) => assetIdOf(member.run) ?? [])
    if (ids.length > 0) found.push(...(await assetsById({ ...ctx, actor }, ids)))
  }
  return new Map(found.map((it) => [it.id, it]))
}

async function performOne(
  as: Ctx,
  { member, instruction }: Acting,
  assets: ReadonlyMap<string, Asset>,
): Promise<void> {
  const { run } = member
  const action = actions.get(instruction.step.action)
  if (action?.kind !== 'inner') return void (member.end = 'left')
  const ctx = { ...as, cause: causeOf(run) }
  const readAssets = async (_: Ctx, ids: readonly string[]) => ids.flatMap((id) => assets.get(id) ?? [])
  const prepared = await prepareStep(ctx, run, { instruction, action, readAssets })
  if (action.needsAsset && prepared.scope.assetId === undefined) return void (member.end = 'left')
  const { context, step } = doneStep(run, prepared, await action.run(ctx, prepared.settings, prepared.scope))
  const stepsDone = run.stepsDone + 1
  member.steps.push({ ...step, runId: run.id, n: stepsDone, endedAt: ctx.now() })
  move(member, { cursor: run.cursor + 1, ...(context && { context }) })
  member.run = { ...member.run, stepsDone }
}

async function write(ctx: Ctx, members: readonly Member[], takenAt: Date): Promise<void> {
  if (members.length === 0) return
  await store.writeAll(
    ctx,
    members.map(({ run, instructions, hasNewContext, end }) => ({
      id: run.id,
      takenAt,
      cursor: run.cursor,
      instructions,
      ...(hasNewContext && { context: run.context }),
      ...(end === undefined || end === 'left' ? { status: 'running' } : end),
    })),
  )
  await store.logAll(
    ctx,
    members.flatMap(({ steps }) => steps),
  )
  const waiting = members.flatMap(({ run, end }) =>
    end && end !== 'left' && end.wakeAt ? { payload: { runId: run.id }, runAt: end.wakeAt } : [],
  )
  await enqueueAll(ctx, executeRunJob, waiting)
  const succeeded = members.filter(({ end }) => end && end !== 'left' && end.status === 'succeeded')
  for (const { run } of succeeded) noteSucceeded(ctx, run.flowId)
}
