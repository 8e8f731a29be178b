import { assetsById } from '#features/assets/assets.ts'
import { listTenants } from '#features/tenancy/tenancy.ts'
import { withinTime } from '#platform/conditions/with-condition.ts'
import { atomically, type Ctx } from '#platform/context.ts'
import { Refusal } from '#platform/errors.ts'
import { enqueue, job } from '#platform/jobs/job.ts'
import { newUuid } from '#platform/uuid.ts'
import type { QueryTrigger } from '../flow.ts'
import { runAsActor } from '../running/run-as.ts'
import { wantAdmission } from './admission-job.ts'
import * as newRuns from './new-run-store.ts'
import * as store from './query-store.ts'

/** Query triggers: runs begin when a condition becomes true of assets, or when it is true no longer. */

interface Query {
  readonly flowId: string
}

/** Asks the condition of one flow about all assets. */
export const askAboutAllJob = job<Query>('flows.askAboutAll')

const CHANGED_AT_ONCE = 1_000
/** Runs of one pass; the rest of what moved is told of in one row. */
const RUNS_PER_PASS = 5_000
const ASSETS_PER_BATCH = 1_000

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

export async function askAboutChanged(ctx: Ctx, signal: AbortSignal): Promise<void> {
  while (!signal.aborted && (await askAboutSome(ctx)) === CHANGED_AT_ONCE);
}

function askAboutSome(ctx: Ctx): Promise<number> {
  return atomically(ctx, async (inner) => {
    const changed = await store.takeChanged(inner, CHANGED_AT_ONCE)
    if (changed.size > 0)
      for (const flowId of await store.queryFlows(inner)) await askAbout(inner, flowId, changed)
    return changed.size
  })
}

/** The first time nothing starts: what the condition finds then has not moved. */
function askAbout(ctx: Ctx, flowId: string, changed?: store.ChangedAssets): Promise<void> {
  return atomically(ctx, async (inner) => {
    const flow = await store.lockQueryFlow(inner, flowId)
    if (flow?.definition.trigger.kind !== 'query' || (changed && flow.membersSince === null)) return
    const actor = await runAsActor(inner, flow.runAs)
    if (!actor) return
    const { trigger } = flow.definition
    const moved = await movedMembers({ ...inner, actor }, flowId, trigger, changed && [...changed.keys()])
    if (!moved) return
    if (flow.membersSince === null) return store.noteMembersSince(inner, flowId)
    const ids = trigger.on === 'enter' ? moved.entered : moved.left
    if (ids.length > 0) await startRuns({ ...inner, actor }, { ...flow, trigger }, ids, changed)
  })
}

/** A condition that was valid when it was published, and is not any more, moves nothing. */
async function movedMembers(
  ctx: Ctx,
  flowId: string,
  { condition }: QueryTrigger,
  assetIds?: readonly string[],
): Promise<store.Moved | undefined> {
  try {
    return await withinTime(ctx, 'trigger.condition', (inner) =>
      store.moveMembers(inner, flowId, condition, assetIds),
    )
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    ctx.log.warn({ err: error, flowId }, 'the condition of a query trigger cannot be asked')
    return undefined
  }
}

/** Assets that are gone have not moved. `changed` knows what led to the changes; absent: nobody knows. */
async function startRuns(
  ctx: Ctx,
  flow: store.QueryFlow & { readonly trigger: QueryTrigger },
  ids: readonly string[],
  changed: store.ChangedAssets = new Map(),
): Promise<void> {
  const { trigger } = flow
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
    chain: shortestChain(about, changed),
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
function shortestChain(assetIds: readonly string[], changed: store.ChangedAssets): readonly string[] {
  const chains = assetIds.map((id) => changed.get(id) ?? [])
  return chains.toSorted((a, b) => a.length - b.length)[0] ?? []
}

const batchesOf = <T>(items: readonly T[]): T[][] =>
  Array.from({ length: Math.ceil(items.length / ASSETS_PER_BATCH) }, (_, n) =>
    items.slice(n * ASSETS_PER_BATCH, (n + 1) * ASSETS_PER_BATCH),
  )
