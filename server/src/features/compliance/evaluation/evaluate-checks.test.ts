import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { submit } from '#features/sources/sources.ts'
import { composeSubject } from '#platform/conditions/compose-subject.ts'
import type { Subject } from '#platform/conditions/subject.ts'
import type { Ctx } from '#platform/context.ts'
import { sharedTestApp } from '#test/support/app/test-app.ts'
import { createCheck, deleteCheck, updateCheck } from '../checks/own-checks.ts'
import { adoptFramework, evaluateNow, listChecks } from '../compliance.ts'
import { driftCorrected } from './due-store.ts'
import { evaluateAll } from './evaluate-checks.ts'
import { judgeDue } from './judge-due.ts'
import { states } from './result-store.ts'

const home = sharedTestApp()
/** A framework that asks for few checks, and a control that none of them judges. */
const NIS2 = 'nis2-article-21'
const FREE = '21.2.b'

let ctx: Ctx
beforeAll(async () => {
  ctx = await home().newTenant()
  await adoptFramework(ctx, NIS2)
  await asset('a', 'ACME10017')
  await asset('b', 'BOLT20018')
})

const asset = (name: string, serial: string) =>
  submit(ctx, { kind: 'csv', name: 'list' }, [
    {
      sourceKey: name,
      seenAt: ctx.now(),
      name,
      identifiers: [
        { type: 'hostname', value: name },
        { type: 'serial', value: serial },
      ],
    },
  ])

const own = (condition: string, scope: string) => ({
  title: 'one',
  scope,
  condition,
  severity: 'medium' as const,
  next: '',
  controls: [{ framework: NIS2, controlId: FREE }],
  tolerance: '0',
})

async function counts(id: string) {
  const found = (await listChecks(ctx, NIS2)).find((it) => it.id === id)
  return found && [found.inScope, found.ok, found.failed, found.unknown]
}

/** Does `work` once in a round that has begun to judge a check, before that many of its transactions are over. */
async function roundWith(checkId: string, after: number, work: () => Promise<unknown>): Promise<void> {
  let [passed, isBegun] = [0, false]
  const transaction: Ctx['db']['transaction'] = async (inner) => {
    if (isBegun && passed++ === after) await work()
    const answer = await ctx.db.transaction(inner)
    isBegun ||= (await states(ctx)).some((it) => it.checkId === checkId && it.revision === null)
    return answer
  }
  await evaluateAll({ ...ctx, db: { ...ctx.db, transaction } })
  expect(passed).toBeGreaterThan(after)
}

test('what changes while a round is under way, and what another round finds meanwhile, is not undone', async () => {
  const { id } = await createCheck(ctx, own('serial : acme', 'name = a'))
  await roundWith(id, 0, async () => {
    await updateCheck(ctx, id, own('serial : bolt', 'name = a'))
    await evaluateNow(ctx)
    expect(await counts(id)).toEqual([1, 0, 1, 0])
  })
  expect(await counts(id)).toEqual([1, 0, 1, 0])
  expect(await driftCorrected(ctx)).toBe(0)
  await deleteCheck(ctx, id)
})

test('a check that was changed waits for its round, in which assets that change are judged by it', async () => {
  const { id } = await createCheck(ctx, own('serial : acme', 'name = a'))
  await evaluateNow(ctx)
  await updateCheck(ctx, id, own('serial : bolt', 'name = a'))
  await asset('a', 'ACME10018')
  await judgeDue(ctx)
  expect(await counts(id)).toEqual([1, 1, 0, 0])
  await roundWith(id, 1, async () => {
    expect(await counts(id)).toEqual([1, 0, 1, 0])
    await asset('a', 'BOLT10018')
    await judgeDue(ctx)
  })
  expect(await counts(id)).toEqual([1, 1, 0, 0])
  await asset('a', 'ACME10017')
  await deleteCheck(ctx, id)
})

test('a check that the database cannot decide is at fault alone, until it can', async () => {
  const number = sql`(1 / (length(a.serial) - 11))`
  const part = { subject: 'asset', permission: 'assets:read' }
  const fields = [{ name: 'broken', type: 'number' as const, sentence: '', source: '', sql: number }]
  const rows = { from: sql`assets a`, where: sql`true`, id: sql`a.id` }
  const { vocabulary } = composeSubject([{ ...part, fields, rows }], 'asset')
  const withBroken = (subject: Subject): Subject => ({
    ...subject,
    vocabulary: { ...subject.vocabulary, fields: [...subject.vocabulary.fields, ...vocabulary.fields] },
  })
  const on: Ctx['conditions']['on'] = async (of, name) => withBroken(await ctx.conditions.on(of, name))
  const failing = { ...ctx, conditions: { ...ctx.conditions, on } }
  await asset('c', 'CARG30019000')
  const good = await createCheck(ctx, own('serial : acme', 'name in (a, b)'))
  const bad = await createCheck(failing, own('broken > 0', 'name = c'))
  await evaluateNow(failing)
  expect([await counts(good.id), await counts(bad.id)]).toEqual([
    [2, 1, 1, 0],
    [1, 1, 0, 0],
  ])
  await asset('c', 'CARG3001900')
  await judgeDue(failing)
  await evaluateNow(failing)
  const fault = async () => (await states(ctx)).find(({ checkId }) => checkId === bad.id)?.fault
  expect(await fault()).toContain('cannot decide')
  expect(await counts(good.id)).toEqual([2, 1, 1, 0])
  await asset('b', 'ACME20018')
  await judgeDue(failing)
  expect(await counts(good.id)).toEqual([2, 2, 0, 0])
  await asset('c', 'CARG30019000')
  await evaluateNow(failing)
  expect([await fault(), await counts(bad.id)]).toEqual([null, [1, 1, 0, 0]])
  for (const { id } of [good, bad]) await deleteCheck(ctx, id)
})

test('checks that ask more than one statement can hold are judged in several', async () => {
  const day = (check: number, term: number) =>
    new Date(Date.UTC(2000 + check, 0, term)).toISOString().slice(0, 'YYYY-MM-DD'.length)
  const terms = (check: number) =>
    Array.from({ length: 45 }, (_, at) => `any certificate(expires < ${day(check, at + 1)})`).join(' or ')
  const ids: string[] = []
  for (let at = 0; at < 13; at++) {
    const scope = `name ${at % 2 === 0 ? '= a' : 'in (a, c)'} or ${terms(at)}`
    ids.push((await createCheck(ctx, own(`serial : acme or ${terms(20 + at)}`, scope))).id)
  }
  await evaluateNow(ctx)
  const expected = ids.map((_, at) => (at % 2 === 0 ? [1, 1, 0, 0] : [2, 1, 0, 1]))
  const found = async () => Promise.all(ids.map(counts))
  expect(await found()).toEqual(expected)
  await asset('c', 'ACME30019')
  await judgeDue(ctx)
  expect(await found()).toEqual(ids.map((_, at) => (at % 2 === 0 ? [1, 1, 0, 0] : [2, 2, 0, 0])))
})
