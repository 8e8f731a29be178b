import { assetsById } from '#features/assets/assets.ts'
import { listTenants } from '#features/tenancy/tenancy.ts'
import { limitStatements, wasCancelled } from '#platform/conditions/with-condition.ts'
import { atomically, type Ctx } from '#platform/context.ts'
import { conflict, Refusal } from '#platform/errors.ts'
import { enqueue } from '#platform/jobs/job.ts'
import { NIL_UUID, newUuid } from '#platform/uuid.ts'
import type { QueryTrigger } from '../flow.ts'
import { pauseFlow } from '../pause-flow.ts'
import { NOBODY, runAsActor } from '../running/run-as.ts'
import { wantAdmission } from './admission-job.ts'
import * as newRuns from './new-run-store.ts'
import { askAboutAllJob, type Query } from './query-job.ts'
import * as store from './query-store.ts'

/** Query triggers: runs begin when a condition becomes true of assets, or when it is true no longer. */

const CHANGED_AT_ONCE = 1_000
/** Runs of one pass; the rest of what moved is told of in one row. */
const RUNS_PER_PASS = 5_000
const ASSETS_PER_BATCH = 1_000
const SLOW =
  'condition: it took too long to ask; what has moved is noticed when all assets are asked about again'

/** For all flows of all tenants, because some things change without an event, and time passes. */
export async function enqueueWholePasses(system: Ctx): Promise<void> {
  for (const { id: tenantId } of await listTenants(system))
    await atomically({ ...system, tenantId }, async (inner) => {
      for (const flowId of await store.queryFlowsNotWaiting(inner, askAboutAllJob.name))
        await enqueue(inner, askAboutAllJob, { flowId })
    })
}

export async function askAboutAll(ctx: Ctx, { flowId }: Query): Promise<void> {
  await askAbout(ctx, flowId)
}

/**
 * Each flow is asked in a transaction of its own, so that one which cannot be asked undoes nothing of the others. The
 * assets are forgotten last: after a crash all flows are asked again, and what has moved already does not move twice.
 */
export async function askAboutChanged(ctx: Ctx, signal: AbortSignal): Promise<void> {
  let after = NIL_UUID
  for (;;) {
    signal.throwIfAborted()
    const changed = await store.changedAssets(ctx, { after, limit: CHANGED_AT_ONCE })
    const failures: unknown[] = []
    for (const flowId of changed.length === 0 ? [] : await store.queryFlows(ctx))
      await askAbout(ctx, flowId, changed).catch((error: unknown) => failures.push(error))
    if (failures.length > 0) throw new AggregateError(failures, 'some query flows could not be asked')
    await store.forgetChanged(ctx, changed)
    if (changed.length < CHANGED_AT_ONCE) return
    after = changed.at(-1)?.id ?? after
  }
}

/** A condition that takes too long moves nothing this time; a flow that cannot be asked any more is paused. */
async function askAbout(ctx: Ctx, flowId: string, changed?: readonly store.ChangedAsset[]): Promise<void> {
  try {
    await atomically(ctx, (inner) => moveMembers(inner, flowId, changed))
  } catch (error) {
    if (wasCancelled(error)) await atomically(ctx, (inner) => noteSlow(inner, flowId))
    else if (error instanceof Refusal)
      await atomically(ctx, (inner) => pauseFlow(inner, flowId, error.message))
    else throw error
  }
}

/** The first time nothing starts: what the condition finds then has not moved. */
async function moveMembers(ctx: Ctx, flowId: string, changed?: readonly store.ChangedAsset[]): Promise<void> {
  const flow = await store.lockQueryFlow(ctx, flowId)
  if (flow?.definition.trigger.kind !== 'query' || (changed && flow.membersSince === null)) return
  const actor = await runAsActor(ctx, flow.runAs)
  if (!actor) throw conflict(NOBODY)
  const acting = { ...ctx, actor }
  const { trigger } = flow.definition
  await limitStatements(acting)
  const ids = changed?.map(({ id }) => id)
  const moved = await store.moveMembers(acting, flowId, trigger.condition, ids)
  if (flow.membersSince === null) return store.noteMembersSince(acting, flowId)
  const movedIds = trigger.on === 'enter' ? moved.entered : moved.left
  if (movedIds.length > 0) await startRuns(acting, { ...flow, trigger }, movedIds, changed)
}

/** In the list of the flow's runs, once an hour at most. */
async function noteSlow(ctx: Ctx, flowId: string): Promise<void> {
  const flow = await store.lockQueryFlow(ctx, flowId)
  if (!flow) return
  const id = newUuid(ctx.now())
  const dedupeKey = `query:slow:${ctx.now().toISOString().slice(0, 'YYYY-MM-DDThh'.length)}`
  const about = { assetId: null, chain: [], context: { event: {}, steps: {} } }
  if (await newRuns.add(ctx, { id, flowId, version: flow.version, cause: 'query', dedupeKey, ...about }))
    await newRuns.skip(ctx, [{ id, reason: SLOW }])
}

/** Assets that are gone have not moved. `changed` knows what led to the changes; absent: nobody knows. */
async function startRuns(
  ctx: Ctx,
  flow: store.QueryFlow & { readonly trigger: QueryTrigger },
  ids: readonly string[],
  changed: readonly store.ChangedAsset[] = [],
): Promise<void> {
  const { trigger } = flow
  const causes = new Map(changed.map((it) => [it.id, it]))
  const passId = newUuid(ctx.now())
  const move = trigger.on
  const assets: { asset_id: string; asset_name: string }[] = []
  for (let n = 0; n < ids.length; n += ASSETS_PER_BATCH)
    for (const { id, name } of await assetsById(ctx, ids.slice(n, n + ASSETS_PER_BATCH)))
      assets.push({ asset_id: id, asset_name: name })
  const run = (key: string | number, about: readonly string[], event: Record<string, unknown>) => ({
    id: newUuid(ctx.now()),
    flowId: flow.flowId,
    version: flow.version,
    cause: 'query',
    dedupeKey: `query:${passId}:${key}`,
    assetId: trigger.per === 'asset' ? (about[0] ?? null) : null,
    ...shortestChain(about, causes),
    context: { event, steps: {} },
  })
  const runs =
    trigger.per === 'asset'
      ? assets.slice(0, RUNS_PER_PASS).map((it) => run(it.asset_id, [it.asset_id], { move, ...it }))
      : batchesOf(assets).map((batch, n) =>
          run(
            n,
            batch.map((it) => it.asset_id),
            { move, count: batch.length, assets: batch },
          ),
        )
  await newRuns.addAll(ctx, runs)
  const surplus = trigger.per === 'asset' ? assets.length - runs.length : 0
  if (surplus > 0) {
    const told = run('surplus', [], { move, count: surplus })
    await newRuns.addAll(ctx, [told])
    await newRuns.skip(ctx, [{ id: told.id, reason: `rate: ${surplus} more assets moved at the same time` }])
  }
  await wantAdmission(ctx)
}

/** One change that no flow led to is reason enough for the run. */
function shortestChain(assetIds: readonly string[], known: ReadonlyMap<string, Led>): Led {
  const chains = assetIds.map((id) => known.get(id) ?? BY_NONE)
  const { chain, causeRun } = chains.toSorted((a, b) => a.chain.length - b.chain.length)[0] ?? BY_NONE
  return { chain, causeRun }
}

type Led = Pick<store.ChangedAsset, 'chain' | 'causeRun'>
const BY_NONE: Led = { chain: [], causeRun: null }

const batchesOf = <T>(items: readonly T[]): T[][] =>
  Array.from({ length: Math.ceil(items.length / ASSETS_PER_BATCH) }, (_, n) =>
    items.slice(n * ASSETS_PER_BATCH, (n + 1) * ASSETS_PER_BATCH),
  )
