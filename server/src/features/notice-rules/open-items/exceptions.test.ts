import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import {
  adoptFramework,
  attestControl,
  createException,
  evaluateNow,
  listChecks,
  listControls,
} from '#features/compliance/compliance.ts'
import type { Ctx } from '#platform/context.ts'
import { sharedTestApp } from '#test/support/app/test-app.ts'
import { decisions } from './decisions.ts'
import { endings } from './endings.ts'

const home = sharedTestApp()
const NIS2 = 'nis2-article-21'
const DAY_MS = 86_400_000

let ctx: Ctx
let checkId = ''
let last = { id: '' }
beforeAll(async () => {
  ctx = await home().newTenant()
  await adoptFramework(ctx, NIS2)
  await evaluateNow(ctx)
  checkId = (await listChecks(ctx, NIS2))[0]?.id ?? ''
  last = await except('ends after 31 days', 31)
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

const find = (name: string, limit: number, from = ctx) =>
  [...endings, ...decisions].find((it) => it.name === name)?.find(from, limit)
const inDays = (days: number): Ctx => ({ ...ctx, now: () => new Date(ctx.now().getTime() + days * DAY_MS) })

test('exceptions that end soon are found behind a thousand newer ones, the soonest first', async () => {
  const all = await find('exception_ends', 10)
  expect(all).toMatchObject({ total: 2, items: [{}, {}] })
  const ends = all?.items.map(({ subject }) => subject.slice(-10)) ?? []
  expect(ends.toSorted()).toEqual(ends)
  expect(await find('exception_ends', 1)).toMatchObject({ total: 2, items: [all?.items[0]] })
})

test('so are those that wait for approval', async () => {
  expect(await find('exception_approval', 10)).toMatchObject({ total: 1, items: [{ link: '/compliance' }] })
})

test('an exception is told of when a month, a week and a day are left, and not in between', async () => {
  const endsIn = async (days: number) => {
    const { items = [] } = (await find('exception_ends', 10, inDays(31 - days))) ?? {}
    return items.find(({ key }) => key.startsWith(`${last.id}:`))?.key.split('Z')[1]
  }
  const stages = []
  for (const days of [30.5, 29, 8, 6.9, 1.1, 0.9, 0.1]) stages.push(await endsIn(days))
  expect(stages).toEqual([undefined, '', '', ':7', ':7', ':1', ':1'])
})

test('attestations that end soon are told of with the control, until they are made anew', async () => {
  const controls = await listControls(ctx, NIS2, {
    statuses: ['pass', 'warning', 'fail', 'not_applicable', 'not_assessed'],
  })
  const controlId = controls.find(({ status }) => status !== null)?.id ?? ''
  const attest = (days: number) =>
    attestControl(ctx, {
      framework: NIS2,
      controlId,
      statement: 'Talked through in October.',
      validUntil: inDays(days).now().toISOString(),
    })
  await attest(31)
  expect(await find('attestation_ends', 10)).toMatchObject({ total: 0 })
  await attest(20)
  const { items = [], total } = (await find('attestation_ends', 10)) ?? {}
  expect([total, items[0]?.link]).toEqual([
    1,
    `/compliance/${NIS2}/controls/${encodeURIComponent(controlId)}`,
  ])
  const later = await find('attestation_ends', 10, inDays(14))
  expect(later?.items[0]?.key).toBe(`${items[0]?.key}:7`)
  await attest(365)
  expect(await find('attestation_ends', 10)).toMatchObject({ total: 0 })
})
