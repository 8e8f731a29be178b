import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { submit } from '#features/sources/sources.ts'
import type { Ctx } from '#platform/context.ts'
import { sharedTestApp } from '#test/support/app/test-app.ts'
import { createCheck, updateCheck } from '../checks/own-checks.ts'
import { adoptFramework, evaluateNow, explainControl } from '../compliance.ts'
import { driftCorrected } from './due-store.ts'
import { evaluateInTurn } from './look-at-part.ts'

/** Large estates are looked at in parts; what a round over all would find is found as well. */

const home = sharedTestApp()
const CSF = 'nist-csf-2.0'
const FREE = 'GV.PO-01'
const ASSETS = 24
const DAY_MS = 86_400_000
/** As if a dozen assets were many. */
const LARGE = { smallEstate: 10 }
let ctx: Ctx
let checkId = ''

const own = (condition: string) => ({
  title: 'Seen lately',
  scope: '',
  condition,
  severity: 'medium' as const,
  next: '',
  controls: [{ framework: CSF, controlId: FREE }],
  tolerance: '0',
})
const at = (of: Ctx, days: number): Ctx => {
  const now = new Date(of.now().getTime() + days * DAY_MS)
  return { ...of, now: () => now }
}

beforeAll(async () => {
  ctx = await home().newTenant()
  await adoptFramework(ctx, CSF)
  // each was seen an hour after the one before
  for (let n = 0; n < ASSETS; n++)
    await submit(ctx, { kind: 'csv', name: 'list' }, [
      {
        sourceKey: `a${n}`,
        seenAt: new Date(ctx.now().getTime() - n * 3_600_000),
        identifiers: [{ type: 'hostname', value: `a${n}` }],
      },
    ])
  checkId = (await createCheck(ctx, own('last_seen > -2d and has hostname'))).id
  await evaluateNow(ctx)
  await forgetRounds()
})

/** Rounds that are asked for are done here. */
const judgeAll = async (of: Ctx) => {
  await evaluateNow(of)
  await forgetRounds()
}
const forgetRounds = () =>
  ctx.db.run(sql`delete from jobs where tenant_id = ${ctx.tenantId} and name = 'compliance.evaluate'`)

const found = (of: Ctx) =>
  of.db.all(sql`
    select check_id, asset_id, outcome from compliance_results where tenant_id = ${of.tenantId} order by 1, 2`)
const failing = async (of: Ctx) =>
  (
    await of.db.one(sql<{ n: number }>`
      select failed as n from compliance_check_states where tenant_id = ${of.tenantId} and check_id = ${checkId}`)
  ).n

test('time alone changes verdicts, and is seen whichever part is at its turn', async () => {
  const failed: number[] = []
  for (const days of [1.1, 1.15, 1.16, 1.2, 1.27, 1.3]) {
    const later = at(ctx, days)
    expect(await evaluateInTurn(later, undefined, LARGE)).toBe('part')
    const looked = await found(later)
    failed.push(await failing(later))
    await evaluateNow(later)
    expect(await found(later)).toEqual(looked)
  }
  expect([failed, await driftCorrected(ctx)]).toEqual([[2, 3, 3, 4, 6, 7], 0])
})

test('where it passed for many, all are judged', async () => {
  expect(await evaluateInTurn(at(ctx, 1.9), undefined, LARGE)).toBe('all')
  await judgeAll(at(ctx, 1.9))
  expect(await failing(ctx)).toBe(21)
})

test('what is wrong in the database is healed within four looks, and said', async () => {
  const later = at(ctx, 1.91)
  await evaluateNow(later)
  const before = await found(later)
  await ctx.db.run(sql`
    delete from compliance_results where tenant_id = ${ctx.tenantId} and check_id = ${checkId}`)
  const drift = await driftCorrected(ctx)
  for (let look = 0; look < 4; look++) expect(await evaluateInTurn(later, undefined, LARGE)).toBe('part')
  expect(await found(later)).toEqual(before)
  expect(await driftCorrected(ctx)).toBeGreaterThan(drift)
})

test('a check that changed, feeds that are too old or new again, and a small estate are judged over all', async () => {
  const later = at(ctx, 1.92)
  await updateCheck(later, checkId, own('last_seen > -90d'))
  await forgetRounds()
  expect(await evaluateInTurn(later, undefined, LARGE)).toBe('all')
  await judgeAll(later)
  expect((await explainControl(later, CSF, FREE)).status).toBe('pass')
  expect(await evaluateInTurn(later, undefined, LARGE)).toBe('part')
  await ctx.db.run(sql`
    update compliance_rounds set feeds_read_at = ${later.now()} where tenant_id = ${ctx.tenantId}`)
  expect(await evaluateInTurn(later, undefined, LARGE)).toBe('all')
  await judgeAll(later)
  expect(await evaluateInTurn(later)).toBe('all')
})

test('a round that waits does what a look would', async () => {
  await updateCheck(ctx, checkId, own('last_seen > -91d'))
  expect(await evaluateInTurn(ctx, undefined, LARGE)).toBe('left to a round')
})
