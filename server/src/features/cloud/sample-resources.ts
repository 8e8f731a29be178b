import { permit, type Ctx } from '#platform/context.ts'
import { newUuid } from '#platform/uuid.ts'
import { GLOBAL, scopeText, type CloudProvider, type ResourceType } from './cloud-resource.ts'
import * as connections from './connection-store.ts'
import type { CloudConnection } from './connection.ts'
import { sourceOf } from './reading/resource-intake.ts'
import * as resources from './resource-store.ts'
import * as scopes from './scope-store.ts'

/** How a connection signs in that is there to be shown: nowhere. It is switched off and never read. */
const SAMPLE = 'sample'

export interface SampleResource {
  readonly account: string
  readonly region: string
  readonly type: ResourceType
  readonly nativeId: string
  readonly name: string
  readonly status: string
  readonly tags: readonly string[]
}

/** The source of a connection for demonstration, which is made at the first call. */
export async function sampleConnection(
  ctx: Ctx,
  provider: CloudProvider,
  name: string,
): Promise<{ readonly connection: CloudConnection; readonly source: ReturnType<typeof sourceOf> }> {
  permit(ctx, 'cloud:write')
  const all = await connections.connections(ctx)
  const known = all.find((it) => it.provider === provider && it.signIn === SAMPLE)
  const connection = known ?? (await added(ctx, provider, name))
  return { connection, source: sourceOf(connection) }
}

async function added(ctx: Ctx, provider: CloudProvider, name: string): Promise<CloudConnection> {
  const createdAt = ctx.now()
  const id = newUuid(createdAt)
  const row = { id, provider, name, signIn: SAMPLE, settings: {}, secretSealed: null, createdAt }
  const connection = await connections.add(ctx, row)
  await connections.change(ctx, id, { name, isEnabled: false })
  return connection
}

/** Lists resources for demonstration; their observations are submitted by the caller, by the same ids. */
export async function recordSampleResources(
  ctx: Ctx,
  { id: connectionId, provider }: CloudConnection,
  samples: readonly SampleResource[],
): Promise<void> {
  permit(ctx, 'cloud:write')
  const at = ctx.now()
  const keyOf = ({ account, type }: SampleResource) => ({ account, region: GLOBAL, type })
  const named = new Map(samples.map((it) => [scopeText(keyOf(it)), { ...keyOf(it), reading: SAMPLE }]))
  await scopes.put(ctx, connectionId, [...named.values()])
  const running = new Map((await scopes.begin(ctx, connectionId, SAMPLE)).map((it) => [scopeText(it), it]))
  const rows = samples.flatMap((it) => {
    const scope = running.get(scopeText(keyOf(it)))
    return scope
      ? [{ ...it, id: newUuid(at), scopeId: scope.id, machineId: '', facts: {}, run: scope.run }]
      : []
  })
  await resources.put(ctx, { connectionId, provider, at }, rows)
  for (const scope of running.values()) {
    const added = rows.filter(({ scopeId }) => scopeId === scope.id).length
    await scopes.finish(ctx, scope, {
      status: 'complete',
      reason: '',
      seen: scope.present + added,
      emptyRuns: 0,
    })
  }
}
