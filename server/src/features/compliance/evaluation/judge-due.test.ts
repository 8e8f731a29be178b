import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { addTags, deleteAsset, removeTags } from '#features/assets/assets.ts'
import { noteStale } from '#features/assets/archive/stale.ts'
import { archiveAsset } from '#features/assets/archive/archive.ts'
import { setRecords } from '#features/records/records.ts'
import { submit } from '#features/sources/sources.ts'
import { atomically, type Ctx } from '#platform/context.ts'
import { sharedTestApp } from '#test/support/app/test-app.ts'
import { createCheck, deleteCheck } from '../checks/own-checks.ts'
import { adoptFramework, evaluateNow, explainControl, listChecks } from '../compliance.ts'
import { driftCorrected, tryJudgeDue } from './due-store.ts'
import { judgeDue } from './judge-due.ts'

const home = sharedTestApp()
/** A framework that asks for few checks, and a control that none of them judges. */
const NIS2 = 'nis2-article-21'
const FREE = '21.2.b'

let ctx: Ctx
beforeAll(async () => {
  ctx = await home().newTenant()
  await adoptFramework(ctx, NIS2)
})

async function asset(name: string, serial?: string, seenAt = ctx.now()): Promise<string> {
  await submit(ctx, { kind: 'csv', name: 'list' }, [
    {
      sourceKey: name,
      seenAt,
      name,
      ...(serial === undefined ? {} : { serial }),
      identifiers: [
        { type: 'hostname', value: name },
        ...(serial ? [{ type: 'serial' as const, value: serial }] : []),
      ],
    },
  ])
  const { id } = await ctx.db.one(sql<{ id: string }>`
    select id from assets where tenant_id = ${ctx.tenantId} and hostname = ${name}`)
  return id
}

const own = (condition: string, scope: string) => ({
  title: condition,
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
const jobsWaiting = async () =>
  (
    await ctx.db.one(sql<{ n: number }>`
      select count(*) as n from jobs where tenant_id = ${ctx.tenantId} and name = 'compliance.judgeDue'`)
  ).n

test('each change of an asset is judged alone, and the counts are those that a round over all finds', async () => {
  const { id } = await createCheck(ctx, own('serial : acme', 'tag = judged'))
  await evaluateNow(ctx)
  expect(await counts(id)).toEqual([0, 0, 0, 0])
  const a = await asset('a', 'ACME10017')
  const [b, c] = [await asset('b', 'BOLT20018'), await asset('c')]
  const steps: [string, () => Promise<unknown>, number[]][] = [
    [
      'tags bring it into the scope',
      () => addTags(ctx, { assetIds: [a, b], tags: ['judged'] }),
      [2, 1, 1, 0],
    ],
    ['what is not known', () => addTags(ctx, { assetIds: [c], tags: ['judged'] }), [3, 1, 1, 1]],
    ['a source says something else', () => asset('b', 'ACME20018'), [3, 2, 0, 1]],
    ['and something else again', () => asset('a', 'BOLT10017'), [3, 1, 1, 1]],
    [
      'tags take it out of the scope',
      () => removeTags(ctx, { assetIds: [a], tags: ['judged'] }),
      [2, 1, 0, 1],
    ],
    ['archived', () => archiveAsset(ctx, c), [1, 1, 0, 0]],
    ['deleted', () => deleteAsset(ctx, b), [0, 0, 0, 0]],
  ]
  for (const [title, change, expected] of steps) {
    await change()
    expect([title, await jobsWaiting()]).toEqual([title, expect.any(Number)])
    await judgeDue(ctx)
    expect([title, await counts(id)]).toEqual([title, expected])
  }
  await evaluateNow(ctx)
  expect(await counts(id)).toEqual([0, 0, 0, 0])
  expect(await driftCorrected(ctx)).toBe(0)
  await deleteCheck(ctx, id)
})

test('a second one does not wait for the one at work, and one job looks again', async () => {
  const id = await asset('waiting', 'DRUM40020')
  const { id: checkId } = await createCheck(ctx, own('not tag = late', 'name = waiting'))
  await evaluateNow(ctx)
  await ctx.db.run(sql`delete from jobs where tenant_id = ${ctx.tenantId} and name = 'compliance.judgeDue'`)
  await atomically(ctx, async (atWork) => {
    expect(await tryJudgeDue(atWork)).toBe(true)
    await addTags(ctx, { assetIds: [id], tags: ['late'] })
    await ctx.db.run(sql`delete from jobs where tenant_id = ${ctx.tenantId} and name = 'compliance.judgeDue'`)
    await judgeDue(ctx)
    await judgeDue(ctx)
    expect([await counts(checkId), await jobsWaiting()]).toEqual([[1, 1, 0, 0], 1])
  })
  await judgeDue(ctx)
  expect(await counts(checkId)).toEqual([1, 0, 1, 0])
  await deleteCheck(ctx, checkId)
})

test('a round over all leaves nothing due of what changed before it', async () => {
  const due = async () =>
    (
      await ctx.db.one(sql<{ n: number }>`
      select count(*) as n from compliance_due where tenant_id = ${ctx.tenantId}`)
    ).n
  const id = await asset('before', 'EARL50021')
  expect(await due()).toBeGreaterThan(0)
  await atomically(ctx, async (atWork) => {
    await tryJudgeDue(atWork)
    await evaluateNow(ctx)
    expect(await due()).toBe(0)
    await addTags(ctx, { assetIds: [id], tags: ['after'] })
    expect(await due()).toBe(1)
  })
  await judgeDue(ctx)
})

test('what people record counts at once, in the status of the control', async () => {
  const id = await asset('owned', 'CARG30019')
  const check = await createCheck(ctx, own('has owner', 'name = owned'))
  await evaluateNow(ctx)
  expect(await explainControl(ctx, NIS2, FREE)).toMatchObject({ status: 'fail' })
  await setRecords(ctx, { assetIds: [id], values: { owner: 'ann' } })
  expect(await jobsWaiting()).toBeGreaterThan(0)
  await judgeDue(ctx)
  expect(await explainControl(ctx, NIS2, FREE)).toMatchObject({ status: 'pass' })
  await deleteCheck(ctx, check.id)
})

test('an asset that is seen again after days is judged again', async () => {
  const day = 86_400_000
  await asset('lost', 'DELT40020', new Date(ctx.now().getTime() - 40 * day))
  const { id } = await createCheck(ctx, own('last_seen > -30d', 'name = lost'))
  await evaluateNow(ctx)
  expect(await counts(id)).toEqual([1, 0, 1, 0])
  await asset('lost', 'DELT40020')
  await judgeDue(ctx)
  expect(await counts(id)).toEqual([1, 1, 0, 0])
  await deleteCheck(ctx, id)
})

test('a stale asset is in no scope until it is seen again, but for checks that ask about sightings', async () => {
  const days = (n: number) => new Date(ctx.now().getTime() - n * 86_400_000)
  await asset('quiet', 'FOXT60022', days(40))
  await asset('recent', 'FOXT60023', days(20))
  const { id } = await createCheck(ctx, own('has serial', 'name in (quiet, recent)'))
  const seen = await createCheck(ctx, own('last_seen > -30d', 'name in (quiet, recent)'))
  const asked = await createCheck(ctx, own('has serial', 'name in (quiet, recent) and stale = yes'))
  await evaluateNow(ctx)
  const all = async () => [await counts(id), await counts(seen.id), await counts(asked.id)]
  expect(await all()).toEqual([
    [2, 2, 0, 0],
    [2, 1, 1, 0],
    [0, 0, 0, 0],
  ])
  await noteStale(ctx)
  await judgeDue(ctx)
  const whileStale = [
    [1, 1, 0, 0],
    [2, 1, 1, 0],
    [1, 1, 0, 0],
  ]
  expect(await all()).toEqual(whileStale)
  await evaluateNow(ctx)
  expect(await all()).toEqual(whileStale)
  await asset('quiet', 'FOXT60022')
  await judgeDue(ctx)
  expect(await all()).toEqual([
    [2, 2, 0, 0],
    [2, 2, 0, 0],
    [0, 0, 0, 0],
  ])
  expect(await driftCorrected(ctx)).toBe(0)
  for (const check of [id, seen.id, asked.id]) await deleteCheck(ctx, check)
})

test('an asset that was counted and is gone without a trace leaves the counts with the next round', async () => {
  const gone = await asset('gone')
  const { id } = await createCheck(ctx, own('has serial', 'name = gone'))
  await evaluateNow(ctx)
  expect(await counts(id)).toEqual([1, 0, 1, 0])
  await ctx.db.run(sql`delete from assets where tenant_id = ${ctx.tenantId} and id = ${gone}`)
  await evaluateNow(ctx)
  expect(await counts(id)).toEqual([0, 0, 0, 0])
  await deleteCheck(ctx, id)
})

test('counts that are wrong are corrected by the next round, which says by how many', async () => {
  await asset('x', 'ECHO50021')
  const { id } = await createCheck(ctx, own('serial : acme', 'name = x'))
  await evaluateNow(ctx)
  const before = await driftCorrected(ctx)
  await ctx.db.run(sql`
    update compliance_check_states set failed = failed + 7 where tenant_id = ${ctx.tenantId} and check_id = ${id}`)
  await ctx.db.run(sql`
    update compliance_scopes set assets = assets + 5 where tenant_id = ${ctx.tenantId} and scope = '(name = x) and stale = no'`)
  await evaluateNow(ctx)
  expect(await counts(id)).toEqual([1, 0, 1, 0])
  expect((await driftCorrected(ctx)) - before).toBe(12)
  await deleteCheck(ctx, id)
})

test('where no framework is adopted, a change costs no job and no mark', async () => {
  const of = await home().newTenant()
  await submit(of, { kind: 'csv', name: 'list' }, [
    { sourceKey: 'a', seenAt: of.now(), identifiers: [{ type: 'hostname', value: 'a' }] },
  ])
  const { n } = await of.db.one(sql<{ n: number }>`
    select (select count(*) from compliance_due where tenant_id = ${of.tenantId}) + (select count(*) from jobs
      where tenant_id = ${of.tenantId} and name like 'compliance.%') as n`)
  expect(n).toBe(0)
})
