import { expect, test } from 'vitest'
import { listAssets } from '#features/assets/assets.ts'
import { createGroup } from '#features/assets/groups/groups.ts'
import { submit } from '#features/sources/sources.ts'
import type { Ctx } from '#platform/context.ts'
import type { Db } from '#platform/database/db.ts'
import { openDatabase } from '#platform/database/database.ts'
import { compileUnnamed } from '#platform/database/sql.ts'
import { sharedTestApp } from '#test/support/app/test-app.ts'

const home = sharedTestApp()
const page = { limit: 100, offset: 0 }
const MINUTE_MS = 60_000
const DAY_MS = 1_440 * MINUTE_MS
const START_MS = Date.parse('2026-03-01T12:00:00Z')
const ASSETS = 40

/** Spans that an index is asked for; they need one pass, whatever the time. */
const moving = [
  'seen < -30d',
  'not seen >= -10d',
  'seen < -30d or first_seen > -36h',
  'seen in (-30d, -10d) or seen > -12h',
  'seen != -20d and not (seen < -40d)',
  'group = Quiet',
]
/** Those that are asked anew in each minute. */
const others = ['archived = no and seen < -30d', 'seen < -30d and booted < -30d']

/** The same numbers each time. */
function randomNumbers(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

const seen = (n: number, at: number) => ({
  sourceKey: `${n}`,
  seenAt: new Date(at),
  assetType: 'device' as const,
  identifiers: [{ type: 'serial' as const, value: `MOVING-${n}` }],
  facts: { bootedAt: new Date(at - DAY_MS).toISOString() },
})

async function lists(ctx: Ctx) {
  const found: Record<string, unknown> = {}
  for (const where of [...moving, ...others]) {
    const { items, total } = await listAssets(ctx, page, { where })
    found[where] = { total, ids: items.map(({ id }) => id) }
  }
  return found
}

/** As a process says it that has just been started; inside of a transaction no matches are remembered. */
async function anew(ctx: Ctx) {
  const fresh = openDatabase(home().where, { connections: 1 })
  try {
    return await fresh.tenant(ctx.tenantId).transaction((db) => lists({ ...ctx, db }))
  } finally {
    await fresh.close()
  }
}

test('spans are right at every time, and time alone makes nobody look at all assets again', async () => {
  const random = randomNumbers(11)
  let time = START_MS
  const tenant = await home().newTenant()
  const passes = new Set<string>()
  const repeated: string[] = []
  const matches: Db['matches'] = (query) => {
    const all: typeof query.all = (of) => {
      const key = JSON.stringify(compileUnnamed(query.key))
      if (query.moved && passes.has(key)) repeated.push(key)
      passes.add(key)
      return query.all(of)
    }
    return tenant.db.matches?.({ ...query, all }) ?? Promise.reject(new Error('answers are not shared'))
  }
  const db: Db = { ...tenant.db, matches }
  const ctx = { ...tenant, db, now: () => new Date(time) }
  const anytime = () => START_MS - random(60 * 1_440) * MINUTE_MS
  await submit(
    ctx,
    { kind: 'csv', name: 'list' },
    Array.from({ length: ASSETS }, (_, n) => seen(n, anytime())),
  )
  await createGroup(ctx, { name: 'Quiet', condition: 'seen < -20d' })
  await lists(ctx)
  for (let step = 0; step < 15; step += 1) {
    time += [MINUTE_MS, -MINUTE_MS, 90 * MINUTE_MS, 2 * DAY_MS, -3 * DAY_MS, 17_000][random(6)] ?? 0
    if (random(3) === 0) await submit(ctx, { kind: 'csv', name: 'list' }, [seen(random(ASSETS), time)])
    expect({ step, ...(await lists(ctx)) }).toEqual({ step, ...(await anew(ctx)) })
  }
  expect(repeated).toEqual([])
}, 120_000)
