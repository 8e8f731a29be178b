import type { ChildProcess } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import { sql } from 'kysely'
import { expect, test, vi } from 'vitest'
import { setFeedAccess, syncFeed } from '#features/advisories/feeds/feeds.ts'
import type { Db } from '#platform/database/database.ts'
import { killChild, startChild } from './support/processes/child.ts'
import type { Orders } from './support/processes/feed-sync-crash-child.ts'
import { testApp } from './support/app/test-app.ts'
import { receiver } from './support/http/webhook-receiver.ts'

const PACKAGES = 6_000
const until = (check: () => Promise<unknown>) => vi.waitFor(check, { timeout: 60_000, interval: 1 })

/** Moments of a sync, each as something that can be seen from outside. */
const moments: Record<string, (db: Db) => Promise<unknown>> = {
  'while the file is read': (db) =>
    until(async () =>
      expect((await db.one(sql<{ n: number }>`select count(*) as n from staged_entries`)).n).toBeGreaterThan(
        0,
      ),
    ),
  'within the transaction that takes it': (db) =>
    until(async () =>
      expect(
        await db.all(sql`
          select 1 from pg_locks where mode = 'RowExclusiveLock' and relation = 'advisory_rules'::regclass
            and database = (select oid from pg_database where datname = current_database())`),
      ).not.toHaveLength(0),
    ),
}

test('kill -9 in a sync leaves the catalogue before or the catalogue after, and the next sync makes it whole', async () => {
  const secretKey = randomBytes(32).toString('hex')
  const { runtime, where } = await testApp({ secretKey })
  const { system } = runtime
  let version = 1
  let isHeld = false
  const { url } = await receiver(() => (response) => sendTracker(response, version, isHeld))
  await setFeedAccess(system, 'debian', { mirrorUrl: new URL('/', url).href })
  await syncFeed(system, 'debian')
  const versions = () =>
    system.db.all(sql`
      select rules -> 0 -> 'ranges' -> 0 ->> 'fixed' as fixed, count(*) as n from advisory_rules group by 1`)
  expect(await versions()).toEqual([{ fixed: '1', n: PACKAGES }])

  for (const [title, moment] of Object.entries(moments)) {
    version++
    isHeld = title.startsWith('while')
    const child = start({ where, secretKey, feed: 'debian' })
    await moment(system.db).catch((error: unknown) => {
      throw new Error(`never came: ${title}`, { cause: error })
    })
    await killChild(child)
    await until(async () => expect(await busy(system.db)).toBe(0))
    const [seen, ...others] = (await versions()) as { fixed: string; n: number }[]
    expect([others, seen?.n]).toEqual([[], PACKAGES])
    expect([String(version - 1), String(version)]).toContain(seen?.fixed)
    isHeld = false
    await system.db.run(sql`update advisory_feeds set leased_until = clock_timestamp() - interval '1 second'`)
    await syncFeed(system, 'debian')
    expect(await versions()).toEqual([{ fixed: String(version), n: PACKAGES }])
  }
})

/** Sessions of the killed process that the server has not noticed yet. */
async function busy(db: Db): Promise<number> {
  const row = await db.one(sql<{ n: number }>`
    select count(*) as n from pg_locks where mode = 'RowExclusiveLock' and relation = 'advisory_rules'::regclass
      and database = (select oid from pg_database where datname = current_database())`)
  return row.n
}

/** Held, the last bytes do not come: the reader is caught in the middle. */
function sendTracker(response: ServerResponse, version: number, isHeld: boolean): void {
  const packages = Array.from({ length: PACKAGES }, (_, at) => {
    const releases = { bookworm: { status: 'resolved', fixed_version: String(version), urgency: 'low' } }
    return [`p${at}`, { [`CVE-2024-${10_000 + at}`]: { description: 'x', releases } }]
  })
  const body = JSON.stringify(Object.fromEntries(packages))
  response.writeHead(200, { etag: `"${version}"`, 'content-length': String(body.length) })
  if (isHeld) response.write(body.slice(0, -1_000))
  else response.end(body)
}

const start = (orders: Orders): ChildProcess => startChild('feed-sync-crash-child.ts', orders)
