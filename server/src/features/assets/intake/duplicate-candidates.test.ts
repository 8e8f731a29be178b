import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { submit } from '#features/sources/sources.ts'
import type { Ctx } from '#platform/context.ts'
import { sharedTestApp } from '#test/support/app/test-app.ts'
import { MINUTE, seen, sweep } from '../observations.fixture.ts'

const home = sharedTestApp()
const WEEK = (7 * 24 * 60 * MINUTE) / MINUTE
const week = (n: number) =>
  seen(
    `week-${n}`,
    { mac: `da:a1:19:00:00:0${n}`, hostname: 'jans-phone', ip: '10.0.0.7' },
    { minute: n * WEEK },
  )

const asked = (ctx: Ctx) =>
  ctx.db.all(sql<{ pair: string }>`
    select least(a.source_key, b.source_key) || ' ' || greatest(a.source_key, b.source_key) as pair
    from asset_candidates c
    join asset_observations a on a.tenant_id = ${ctx.tenantId} and a.id = c.a
    join asset_observations b on b.tenant_id = ${ctx.tenantId} and b.id = c.b
    where c.tenant_id = ${ctx.tenantId} order by 1`)

test('a phone with another random MAC address each week is one question a week', async () => {
  const expected = [{ pair: 'week-1 week-2' }, { pair: 'week-2 week-3' }, { pair: 'week-3 week-4' }]
  const ctx = await home().newTenant()
  for (const n of [1, 2, 3, 4]) await submit(ctx, sweep, [week(n)])
  expect(await asked(ctx)).toEqual(expected)
  await submit(ctx, sweep, [{ ...week(1), os: 'Android 17' }])
  expect(await asked(ctx)).toEqual(expected)
  const atOnce = await home().newTenant()
  await submit(atOnce, sweep, [3, 1, 4, 2].map(week))
  expect(await asked(atOnce)).toEqual(expected)
})
