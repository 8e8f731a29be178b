import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { adoptFramework, createException, evaluateNow, listChecks } from '#features/compliance/compliance.ts'
import type { Ctx } from '#platform/context.ts'
import { sharedTestApp } from '#test/support/app/test-app.ts'
import { decisions } from './decisions.ts'
import { endings } from './endings.ts'

const home = sharedTestApp()
const NIS2 = 'nis2-article-21'
const DAY_MS = 86_400_000

let ctx: Ctx
let checkId = ''
beforeAll(async () => {
  ctx = await home().newTenant()
  await adoptFramework(ctx, NIS2)
  await evaluateNow(ctx)
  checkId = (await listChecks(ctx, NIS2))[0]?.id ?? ''
  await except('ends after 15 days', 15)
  await except('ends after 13 days', 13)
  await except('ends tomorrow', 1)
  await except('is proposed', 13)
  await ctx.db.run(sql`
    update compliance_exceptions set state = 'proposed'
    where tenant_id = ${ctx.tenantId} and reason = 'is proposed'`)
  // newer ones than those, more than any list of them is read for
  await ctx.db.run(sql`
    insert into compliance_exceptions (tenant_id, id, check_id, reason, state, expires_at, created_at, created_by,
      created_by_name)
    select tenant_id, gen_random_uuid(), check_id, 'ended', 'ended', expires_at, created_at + n * interval '1 ms',
      created_by, created_by_name
    from compliance_exceptions, generate_series(1, 1100) as n
    where tenant_id = ${ctx.tenantId} and reason = 'ends tomorrow'`)
})

const except = (reason: string, days: number) =>
  createException(ctx, {
    checkId,
    reason,
    expiresAt: new Date(ctx.now().getTime() + days * DAY_MS).toISOString(),
  })

const find = (name: string, limit: number) =>
  [...endings, ...decisions].find((it) => it.name === name)?.find(ctx, limit)

test('exceptions that end soon are found behind a thousand newer ones, the soonest first', async () => {
  const all = await find('exception_ends', 10)
  expect(all).toMatchObject({ total: 2, items: [{}, {}] })
  const ends = all?.items.map(({ key }) => key.slice(key.indexOf(':') + 1)) ?? []
  expect(ends.toSorted()).toEqual(ends)
  expect(await find('exception_ends', 1)).toMatchObject({ total: 2, items: [all?.items[0]] })
})

test('so are those that wait for approval', async () => {
  expect(await find('exception_approval', 10)).toMatchObject({ total: 1, items: [{ link: '/compliance' }] })
})
