import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { sql } from 'kysely'
import pg from 'pg'
import { expect, inject, onTestFinished, test, vi } from 'vitest'
import { addTags, archiveAsset } from '#features/assets/assets.ts'
import { defineCustomField } from '#features/assets/editing/custom-fields.ts'
import { generated } from '#features/reports/reports.fixture.ts'
import { createTarget } from '#features/scans/scans.ts'
import { createEndpoint } from '#features/webhooks/webhooks.ts'
import type { Ctx } from '#platform/context.ts'
import { ADVISORY_LOCK_CLASSES } from '#platform/database/advisory-locks.ts'
import { testApp, type TestApp } from '#test/support/app/test-app.ts'
import { newPerson } from '#test/support/http/browser-session.ts'
import { receiver } from '#test/support/http/webhook-receiver.ts'
import type { Orders } from '#test/support/processes/flow-crash-child.ts'
import { actions } from './actions/all.ts'
import { addTag, liveFlow, newAsset, runsOf } from './flows.fixture.ts'
import { getRun, startFlow } from './flows.ts'
import { executeRuns } from './running/execute-run.ts'
import { admitRuns } from './triggers/admit-runs.ts'

interface Prepared {
  readonly ctx: Ctx
  readonly asset: string
  readonly url: string
}
type Settings = Readonly<Record<string, unknown>>

/** Settings of each action with which it does something; what they need is made first. */
const TABLE: Readonly<Record<string, (prepared: Prepared) => Promise<Settings> | Settings>> = {
  add_tags: () => ({ tags: ['x'] }),
  async remove_tags({ ctx, asset }) {
    await addTags(ctx, { assetIds: [asset], tags: ['old'] })
    return { tags: ['old'] }
  },
  async set_field({ ctx }) {
    await defineCustomField(ctx, { name: 'seen', kind: 'text' })
    return { field: 'seen', value: '1' }
  },
  set_record: () => ({ field: 'department', value: 'Sales' }),
  set_weight: () => ({ criticality: 'high' }),
  set_attribute: () => ({ attribute: 'name', value: 'x', lock: true }),
  archive: () => ({}),
  async revive({ ctx, asset }) {
    await archiveAsset(ctx, asset)
    return {}
  },
  async suggest_merge({ ctx }) {
    return { asset: await newAsset(ctx, 'its-double'), reason: 'one of them is spare' }
  },
  create_override: () => ({ kind: 'accepted_risk', cve: 'CVE-2026-0001', reason: 'known', days: 3 }),
  create_exception: () => ({ check: 'no-telnet', reason: 'a museum piece', days: 3 }),
  async start_scan({ ctx }) {
    const { id } = await createTarget(ctx, { name: 'office', cidr: '192.0.2.0/30' })
    return { target: id, type: 'sweep' }
  },
  create_report: () => ({ name: 'r', type: 'inventory_summary', format: 'csv' }),
  async run_report({ ctx }) {
    const { report } = await generated(ctx, { name: 'r', type: 'inventory_summary' })
    return { report: report.id }
  },
  request_approval: () => ({ question: 'Really?' }),
  send_notice: () => ({ to: ['me'], subject: 'hello' }),
  async send_webhook({ ctx, url }) {
    const { endpoint } = await createEndpoint(ctx, { name: 'x', url, events: ['NEW_ASSET'] })
    return { endpoint: endpoint.id, message: 'hello' }
  },
  http_request: ({ url }) => ({ url, body: '{}' }),
}

/** Where a worker dies: before and after the effect of the step, and after its commit. */
const MOMENTS = [
  { step: 0, moment: 'before' },
  { step: 0, moment: 'after' },
  { step: 1, moment: 'before' },
  { step: 1, moment: 'after' },
] as const

test('the table names every action', () => {
  expect(Object.keys(TABLE).toSorted()).toEqual([...actions.keys()].toSorted())
})

test('a worker that is killed at any step with any action loses nothing and does nothing twice', async () => {
  const secretKey = randomBytes(32).toString('hex')
  const app = await testApp({ secretKey })
  const there = await receiver()
  const pairs = []
  for (const name of actions.keys()) {
    const both = [begin(app, name, there.url), begin(app, name, there.url)] as const
    const [crashing, control] = await Promise.all(both)
    pairs.push({ name, crashing, control })
  }
  const before = await rowCounts(app)

  const runs = pairs.map(({ crashing: { ctx, runId } }) => ({ tenantId: ctx.tenantId, runId }))
  for (const at of MOMENTS) await killedAt({ where: app.where, secretKey, runs, ...at })
  const signal = AbortSignal.timeout(60_000)
  for (const { crashing, control } of pairs)
    await Promise.all([crashing, control].map(({ ctx, runId }) => executeRuns(ctx, { runId }, signal)))

  const after = await rowCounts(app)
  const withoutEffect: string[] = []
  for (const { name, crashing, control } of pairs) {
    const run = await getRun(crashing.ctx, crashing.runId)
    expect([name, run.status, run.reason]).toEqual([name, 'succeeded', null])
    expect([name, ...run.steps.map(({ path, status }) => `${path} ${status}`)]).toEqual([
      name,
      'steps[0] done',
      'steps[1] done',
    ])
    const [mine, theirs] = [crashing, control].map(({ ctx }) => after.get(ctx.tenantId))
    expect({ name, ...mine }).toEqual({ name, ...theirs })
    if (isDeepStrictEqual(mine, before.get(crashing.ctx.tenantId))) withoutEffect.push(name)
  }
  expect(withoutEffect).toEqual([])
  const keys = there.requests.map(({ headers }) => String(headers['idempotency-key']))
  const crashed = pairs.find(({ name }) => name === 'http_request')?.crashing
  // sent, and killed before its commit; then sent again
  expect(keys.filter((key) => key === `${crashed?.runId}:0`)).toHaveLength(2)
  expect(new Set(keys).size).toBe(2)
}, 480_000)

test('an action takes no lock of the tenant that it does not name', async () => {
  const app = await testApp()
  const there = await receiver()
  onTestFinished(() => void vi.restoreAllMocks())
  const unnamed: string[] = []
  for (const action of actions.values()) {
    if (action.kind === 'outer') continue
    const { name, run, locks = [] } = action
    const { ctx, runId } = await begin(app, name, there.url)
    const performed = vi.spyOn(action, 'run').mockImplementation(async (inner, ...rest) => {
      const output = await run(inner, ...rest)
      for (const lock of await locksHeld(inner)) if (!locks.includes(lock)) unnamed.push(`${name}: ${lock}`)
      return output
    })
    await executeRuns(ctx, { runId }, AbortSignal.timeout(60_000))
    expect([name, performed.mock.calls.length > 0]).toEqual([name, true])
  }
  expect(unnamed).toEqual([])
}, 120_000)

async function locksHeld({ db }: Ctx) {
  const rows = await db.all(sql<{ of: number }>`
    select classid::int as of from pg_locks where locktype = 'advisory' and pid = pg_backend_pid()`)
  const held = new Set(rows.map((it) => it.of))
  return (['identity', 'findings'] as const).filter((lock) => held.has(ADVISORY_LOCK_CLASSES[lock]))
}

/** A tenant with a run of two steps, of which the action is the first, that no worker has begun. */
async function begin(app: TestApp, name: string, url: string) {
  const ctx = await app.newTenant()
  const me = name === 'send_notice' ? await asPerson(app, ctx) : ctx
  const asset = await newAsset(ctx, 'host')
  const settings = (await TABLE[name]?.({ ctx, asset, url })) ?? {}
  const flow = await liveFlow(me, {
    trigger: { kind: 'manual' },
    steps: [{ action: name, name: 'first', with: settings }, addTag('done')],
  })
  await startFlow(ctx, flow.id, { assetIds: [asset] })
  await admitRuns(ctx, AbortSignal.timeout(60_000))
  return { ctx, runId: (await runsOf(ctx, flow))[0]?.id ?? '' }
}

async function asPerson(app: TestApp, ctx: Ctx): Promise<Ctx> {
  const { id } = await newPerson(app, ctx)
  return { ...ctx, actor: { ...ctx.actor, kind: 'user', id } }
}

async function killedAt(orders: Orders): Promise<void> {
  const script = join(import.meta.dirname, '../../../test/support/processes/flow-crash-child.ts')
  const child = spawn(process.execPath, [script, JSON.stringify(orders)], { stdio: 'inherit' })
  onTestFinished(() => void child.kill('SIGKILL'))
  const [code, signal] = (await once(child, 'exit')) as [number | null, string | null]
  expect([orders.step, orders.moment, code, signal]).toEqual([orders.step, orders.moment, null, 'SIGKILL'])
}

/** How many rows each tenant has in each table but the log of transactions, so that whatever an action writes is compared. */
async function rowCounts({ where }: TestApp): Promise<ReadonlyMap<string, Record<string, number>>> {
  const client = new pg.Client({ ...inject('superuser'), database: where.database })
  await client.connect()
  try {
    const tables = await client.query<{ name: string }>(`
      select c.relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid
      where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
        and a.attname = 'tenant_id' and not a.attisdropped and c.relname <> 'tenant_changes' order by 1`)
    const counts = tables.rows.map(
      ({ name }) => `select tenant_id, '${name}' as name, count(*)::int as n from "${name}" group by 1`,
    )
    const { rows } = await client.query<{ tenant_id: string; name: string; n: number }>(
      counts.join(' union all '),
    )
    const byTenant = Map.groupBy(rows, ({ tenant_id }) => tenant_id)
    return new Map(
      [...byTenant].map(([id, of]) => [id, Object.fromEntries(of.map(({ name, n }) => [name, n]))]),
    )
  } finally {
    await client.end()
  }
}
