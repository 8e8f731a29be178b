import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { Ctx } from '#platform/context.ts'
import type { CloudConnection } from './connection.ts'
import type { Pace } from './connectors/connector.ts'
import { connectCloud, getConnection, listResources } from './cloud.ts'
import { GLOBAL } from './cloud-resource.ts'
import type { NewConnection } from './connection-input.ts'
import { readCosts, type CostJob } from './costs/read-costs.ts'
import { planConnection } from './reading/plan-connection.ts'
import { runReading } from './reading/run-reading.ts'
import { takeIn } from './reading/resource-intake.ts'
import * as scopes from './scope-store.ts'
import type { PlanJob, ReadJob } from './reading/cloud-jobs.ts'

/** Repeats at once. */
export const QUICK: Pace = {
  baseMs: 1,
  waitMaxMs: 2,
  throttledTries: 6,
  failedTries: 4,
  deadlineMs: 60_000,
  callMs: 60_000,
  callRate: { start: 1_000, min: 1_000, max: 1_000 },
}

/** Connects, and reads everything as the worker's jobs do. */
export async function connectAndRead(
  ctx: Ctx,
  input: Pick<NewConnection, 'provider' | 'signIn' | 'values'> & { readonly name?: string },
): Promise<CloudConnection> {
  const { id } = await connectCloud(ctx, { name: 'cloud', ...input }, { isTested: true })
  await work(ctx)
  return getConnection(ctx, id)
}

/** Does the jobs of this feature that are due, until there are none. */
export async function work(ctx: Ctx, pace: Pace = QUICK): Promise<void> {
  const { signal } = new AbortController()
  for (;;) {
    const job = await ctx.db.maybe(sql<{ id: number; name: string; payload: unknown }>`
      select id, name, payload from jobs
      where tenant_id = ${ctx.tenantId} and name like 'cloud.%' and run_at <= clock_timestamp() order by run_at, id limit 1`)
    if (!job) return
    await ctx.db.run(sql`delete from jobs where tenant_id = ${ctx.tenantId} and id = ${job.id}`)
    if (job.name === 'cloud.plan') await planConnection(ctx, job.payload as PlanJob, signal, pace)
    else if (job.name === 'cloud.costs') await readCosts(ctx, job.payload as CostJob, signal, pace)
    else await runReading(ctx, job.payload as ReadJob, signal, pace)
  }
}

/** A connection that nobody has read, to an address where nobody listens. */
export const anyConnection = (ctx: Ctx): Promise<CloudConnection> =>
  connectCloud(
    ctx,
    {
      name: 'cloud',
      provider: 'Azure',
      signIn: 'client_secret',
      values: {
        directory: randomUUID(),
        clientId: randomUUID(),
        clientSecret: 'secret',
        loginAddress: 'http://127.0.0.1:9',
        apiAddress: 'http://127.0.0.1:9',
      },
    },
    { isTested: true },
  )

/** A storage account of a new connection; answers its id. */
export async function anyResource(ctx: Ctx): Promise<string> {
  const connection = await anyConnection(ctx)
  const key = { account: randomUUID(), region: GLOBAL, type: 'storage' as const }
  await scopes.put(ctx, connection.id, [{ ...key, reading: 'storage' }])
  const [scope] = await scopes.begin(ctx, connection.id, 'storage')
  if (!scope) throw new Error('the scope was not begun')
  const name = `sto-${randomUUID().slice(0, 8)}`
  const seen = {
    scope: key,
    region: 'westeurope',
    nativeId: `/${key.account}/${name}`,
    name,
    status: '',
    tags: [],
    facts: {},
  }
  await takeIn(ctx, connection, [{ scope, seen }])
  const { items } = await listResources(ctx, { limit: 1, offset: 0 }, { search: name })
  return items[0]?.id ?? ''
}
