import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import type { Ctx } from '#platform/context.ts'
import { sharedTestApp } from '#test/support/app/test-app.ts'
import { listScans, queryScans } from '../scans.ts'
import type { ScanStatus } from '../scan-status.ts'

const home = sharedTestApp()
const ALL = { limit: 50, offset: 0 }
const HOUR_MS = 3_600_000

interface Row {
  readonly target: string
  readonly kind: string
  readonly type: string
  readonly status: string
  /** Hours ago. */
  readonly created: number
  readonly started: number | null
  readonly finished: number | null
  readonly hosts?: number
  readonly message?: string
  readonly run?: object
}

const [NETWORK, HOST, RANGE, LOGIN] = ['10.0.0.0/24', 'Db-1.example.com', '10.1.0.0-10.1.0.9, b', '10.0.0.7']
const rows: readonly Row[] = [
  {
    target: NETWORK,
    kind: 'cidr',
    type: 'sweep',
    status: 'completed',
    hosts: 12,
    ...times(50, 49, 48),
  },
  {
    target: HOST,
    kind: 'host',
    type: 'ssh',
    status: 'failed',
    message: 'No ROUTE',
    ...times(9, 8, 7.5),
  },
  { target: RANGE, kind: 'range', type: 'sweep', status: 'running', hosts: 1, ...times(3, 2, null) },
  {
    target: LOGIN,
    kind: 'host',
    type: 'wmi',
    status: 'pending',
    run: { id: 'r', name: 'n', cause: 'manual' },
    ...times(1, null, null),
  },
]

function times(created: number, started: number | null, finished: number | null) {
  return { created, started, finished }
}

let ctx: Ctx
beforeAll(async () => {
  ctx = await home().newTenant()
  await addScans(ctx)
  await addScans(await home().newTenant())
})

async function addScans({ db, tenantId, now }: Ctx): Promise<void> {
  const ago = (hours: number | null) => (hours === null ? null : new Date(now().getTime() - hours * HOUR_MS))
  for (const it of rows)
    await db.run(sql`
      insert into scans (tenant_id, target_kind, target_address, type, status, message, asset_count, run, created_at,
        started_at, finished_at)
      values (${tenantId}, ${it.kind}, ${it.target}, ${it.type}, ${it.status}, ${it.message ?? ''}, ${it.hosts ?? 0},
        ${it.run === undefined ? null : JSON.stringify(it.run)}::jsonb, ${ago(it.created)}, ${ago(it.started)},
        ${ago(it.finished)})`)
}

test.each<[string, readonly string[]]>([
  ['has id', [NETWORK, HOST, RANGE, LOGIN]],
  ['type = sweep', [NETWORK, RANGE]],
  ['not type = sweep', [HOST, LOGIN]],
  ['status in (failed, pending)', [HOST, LOGIN]],
  ['state = running', [RANGE]],
  ['target = "DB-1.EXAMPLE.com"', [HOST]],
  ['target : 10.0.0', [NETWORK, LOGIN]],
  ['target_kind = host', [HOST, LOGIN]],
  ['hosts > 1', [NETWORK]],
  ['hosts = 0', [HOST, LOGIN]],
  ['of_discovery = yes', [LOGIN]],
  ['of_discovery = no', [NETWORK, HOST, RANGE]],
  ['created_at < -49h', [NETWORK]],
  ['created > -4h', [RANGE, LOGIN]],
  ['started_at > -5h', [RANGE]],
  ['not has started', [LOGIN]],
  ['finished_at < -8h', [NETWORK]],
  ['not has finished', [RANGE, LOGIN]],
  ['duration >= 3600', [NETWORK]],
  ['duration < 3600', [HOST]],
  ['not has duration', [RANGE, LOGIN]],
  ['"no route"', [HOST]],
  ['db-1', [HOST]],
])('%s', async (where, targets) => {
  const { items, total } = await queryScans(ctx, ALL, { where })
  expect(items.map(({ targetAddress }) => targetAddress).toSorted()).toEqual(targets.toSorted())
  expect(total).toBe(targets.length)
})

test.each([
  ['created_at', [NETWORK, HOST, RANGE, LOGIN]],
  ['target', [NETWORK, LOGIN, RANGE, HOST]],
  [undefined, [LOGIN, RANGE, HOST, NETWORK]],
])('sorted by %s', async (sort, targets) => {
  const query = { where: 'has id', ...(sort !== undefined && { sort }) }
  const found = async (page: typeof ALL) =>
    (await queryScans(ctx, page, query)).items.map(({ targetAddress }) => targetAddress)
  expect(await found(ALL)).toEqual(targets)
  expect(await found({ limit: 2, offset: 1 })).toEqual(targets.slice(1, 3))
})

test.each<[ScanStatus | undefined, readonly string[]]>([
  [undefined, [LOGIN, RANGE, HOST, NETWORK]],
  ['failed', [HOST]],
  ['cancelled', []],
])('listed by the status %s', async (status, targets) => {
  const { items, total } = await listScans(ctx, ALL, status)
  expect(items.map(({ targetAddress }) => targetAddress)).toEqual(targets)
  expect(total).toBe(targets.length)
  const [second] = (await listScans(ctx, { limit: 1, offset: 1 }, status)).items
  expect(second?.targetAddress).toBe(targets[1])
})
