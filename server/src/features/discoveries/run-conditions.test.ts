import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import type { Ctx } from '#platform/context.ts'
import { newUuid } from '#platform/uuid.ts'
import { sharedTestApp } from '#test/support/app/test-app.ts'
import { listRuns } from './discoveries.ts'

const home = sharedTestApp()
const ALL = { limit: 50, offset: 0 }
const HOUR_MS = 3_600_000

interface Row {
  readonly name: string
  readonly cause: string
  readonly status: string
  /** Hours ago. */
  readonly created: number
  readonly started: number | null
  readonly finished: number | null
  readonly message?: string
  readonly entries?: readonly string[]
  /** Addresses, hosts, logged in, refused, unanswered, not asked. */
  readonly counts?: readonly number[]
  /** New, changed, gone. */
  readonly changes?: readonly number[]
}

const rows: readonly Row[] = [
  {
    name: 'Nightly  Öst',
    cause: 'schedule',
    status: 'completed',
    created: 50,
    started: 49,
    finished: 48,
    counts: [256, 20, 8, 6, 4, 2],
    changes: [3, 2, 1],
    entries: ['10.9.0.0/24'],
  },
  {
    name: 'failed',
    cause: 'manual',
    status: 'failed',
    created: 9,
    started: 8,
    finished: 7.5,
    message: 'No ROUTE',
  },
  { name: 'waiting', cause: 'manual', status: 'waiting', created: 3, started: 2, finished: null },
  { name: 'pending', cause: 'scan_now', status: 'pending', created: 1, started: null, finished: null },
]

let ctx: Ctx
beforeAll(async () => {
  ctx = await home().newTenant()
  await addRuns(ctx, rows)
  await addRuns(await home().newTenant(), rows)
})

async function addRuns({ db, tenantId, now }: Ctx, added: readonly Row[]): Promise<void> {
  const ago = (hours: number | null) => (hours === null ? null : new Date(now().getTime() - hours * HOUR_MS))
  for (const it of added) {
    const [addresses = 0, found = 0, loggedIn = 0, refused = 0, unanswered = 0, notAsked = 0] =
      it.counts ?? []
    const [fresh = null, changed = null, gone = null] = it.changes ?? []
    await db.run(sql`
      insert into discovery_runs (tenant_id, id, name, normalized_name, cause, entries, exclusions, types, hosts_at_once,
        zone, windows, status, message, addresses_total, hosts_found, logged_in, refused, unanswered, not_asked, new_hosts,
        changed_hosts, gone_hosts, created_at, started_at, finished_at)
      values (${tenantId}, ${newUuid(now())}, ${it.name}, ${it.name.toLowerCase().replaceAll(/\s+/g, ' ')}, ${it.cause},
        ${it.entries ?? ['192.0.2.0/24']}::text[], '{}', '{ssh}', 16, 'UTC', '[]', ${it.status}, ${it.message ?? ''},
        ${addresses}, ${found}, ${loggedIn}, ${refused}, ${unanswered}, ${notAsked}, ${fresh}, ${changed}, ${gone},
        ${ago(it.created)}, ${ago(it.started)}, ${ago(it.finished)})`)
  }
}

const [NIGHTLY, FAILED, WAITING, PENDING] = ['Nightly  Öst', 'failed', 'waiting', 'pending']

test.each<[string, readonly string[]]>([
  ['name = "NIGHTLY öst"', [NIGHTLY]],
  ['discovery : öst', [NIGHTLY]],
  ['status in (failed, pending)', [FAILED, PENDING]],
  ['state = waiting', [WAITING]],
  ['trigger = manual', [FAILED, WAITING]],
  ['not cause = manual', [NIGHTLY, PENDING]],
  ['has id', [NIGHTLY, FAILED, PENDING, WAITING]],
  ['created_at < -49h', [NIGHTLY]],
  ['created > -4h', [PENDING, WAITING]],
  ['started_at > -5h', [WAITING]],
  ['not started > -5h', [NIGHTLY, FAILED]],
  ['not has started', [PENDING]],
  ['finished_at < -8h', [NIGHTLY]],
  ['not has finished', [PENDING, WAITING]],
  ['duration > 3600', []],
  ['duration >= 3600', [NIGHTLY]],
  ['duration < 3600', [FAILED]],
  ['not has duration', [PENDING, WAITING]],
  ['addresses = 256 and hosts = 20', [NIGHTLY]],
  ['logged_in = 8 and refused = 6', [NIGHTLY]],
  ['unanswered = 4 and not_asked = 2', [NIGHTLY]],
  ['refused = 0', [FAILED, PENDING, WAITING]],
  ['new_hosts = 3 and changed_hosts = 2 and gone_hosts = 1', [NIGHTLY]],
  ['not new_hosts = 4', [NIGHTLY]],
  ['not has gone_hosts', [FAILED, PENDING, WAITING]],
  ['10.9.0', [NIGHTLY]],
  ['"no route"', [FAILED]],
  ['ÖST', [NIGHTLY]],
])('%s', async (where, names) => {
  const { items, total } = await listRuns(ctx, ALL, { where })
  expect(items.map(({ name }) => name).toSorted()).toEqual(names.toSorted())
  expect(total).toBe(names.length)
})

test.each([
  [undefined, [PENDING, WAITING, FAILED, NIGHTLY]],
  ['created_at', [NIGHTLY, FAILED, WAITING, PENDING]],
  ['-status', [WAITING, PENDING, FAILED, NIGHTLY]],
  ['name', [FAILED, NIGHTLY, PENDING, WAITING]],
])('sorted by %s', async (sort, names) => {
  const { items } = await listRuns(ctx, ALL, sort === undefined ? {} : { sort })
  expect(items.map(({ name }) => name)).toEqual(names)
  const { items: second } = await listRuns(ctx, { limit: 1, offset: 1 }, sort === undefined ? {} : { sort })
  expect(second.map(({ name }) => name)).toEqual(names.slice(1, 2))
})
