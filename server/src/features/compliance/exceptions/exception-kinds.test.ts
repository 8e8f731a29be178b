import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { addTags, removeTags } from '#features/assets/assets.ts'
import { submit } from '#features/sources/sources.ts'
import type { Ctx } from '#platform/context.ts'
import { sharedTestApp } from '#test/support/app/test-app.ts'
import { createCheck } from '../checks/own-checks.ts'
import { listControlAssets } from '../check-detail.ts'
import { adoptFramework, evaluateNow, explainControl } from '../compliance.ts'
import { driftCorrected } from '../evaluation/due-store.ts'
import { judgeDue } from '../evaluation/judge-due.ts'
import { previewException } from './exception-preview.ts'
import type { NewException } from './exception.ts'
import {
  approveException,
  createException,
  endException,
  listExceptions,
  setExceptionsNeedApproval,
} from './exceptions.ts'

/** Exceptions of assets for which a condition holds, and from a single control. */

const home = sharedTestApp()
const NIS2 = 'nis2-article-21'
/** Controls that no shipped check judges; the same check of this organisation counts for both. */
const [FREE, OTHER] = ['21.2.b', '21.2.c']
const control = { framework: NIS2, controlId: FREE }
const PAGE = { limit: 50, offset: 0 }
let ctx: Ctx
let checkId = ''
let ids: Readonly<Record<'a' | 'b', string>>
beforeAll(async () => {
  ctx = await home().newTenant()
  await adoptFramework(ctx, NIS2)
  ids = { a: await asset('a', ['oven', 'lab']), b: await asset('b', ['oven']) }
  const check = await createCheck(ctx, {
    title: 'Serial numbers are known',
    scope: 'tag = oven',
    condition: 'serial = acme and has serial',
    severity: 'medium',
    next: '',
    controls: [FREE, OTHER].map((controlId) => ({ framework: NIS2, controlId })),
    tolerance: '0',
  })
  checkId = check.id
  await evaluateNow(ctx)
})

async function asset(name: string, tags: string[]): Promise<string> {
  await submit(ctx, { kind: 'csv', name: 'list' }, [
    { sourceKey: name, seenAt: ctx.now(), name, tags, identifiers: [{ type: 'hostname', value: name }] },
  ])
  const { id } = await ctx.db.one(sql<{ id: string }>`
    select id from assets where tenant_id = ${ctx.tenantId} and hostname = ${name}`)
  return id
}

const tomorrow = () => new Date(ctx.now().getTime() + 86_400_000).toISOString()
const except = (input: Partial<NewException>) =>
  createException(ctx, { reason: 'a lab', expiresAt: tomorrow(), ...input })
const stands = async (controlId: string) => {
  const { status, judgedBy } = await explainControl(ctx, NIS2, controlId)
  return [status, judgedBy.find(({ id }) => id === checkId)?.excepted]
}
const excepted = async () =>
  (await listControlAssets(ctx, PAGE, control)).items.filter((it) => it.isExcepted).map((it) => it.name)

test('a condition covers whichever assets it holds for, at once and as they change', async () => {
  expect(await stands(FREE)).toEqual(['fail', 0])
  const made = await except({ checkId, where: ' tag = lab ' })
  expect(made).toMatchObject({ where: 'tag = lab', checkId, title: 'Serial numbers are known', tag: null })
  expect([await stands(FREE), await excepted()]).toEqual([['fail', 1], ['a']])
  await addTags(ctx, { assetIds: [ids.b], tags: ['lab'] })
  await judgeDue(ctx)
  expect([await stands(FREE), await stands(OTHER), await excepted()]).toEqual([
    ['warning', 2],
    ['warning', 2],
    ['a', 'b'],
  ])
  await removeTags(ctx, { assetIds: [ids.b], tags: ['lab'] })
  await judgeDue(ctx)
  expect(await stands(FREE)).toEqual(['fail', 1])
  await evaluateNow(ctx)
  expect([await stands(FREE), await driftCorrected(ctx)]).toEqual([['fail', 1], 0])
  await endException(ctx, made.id, 'over')
  expect(await stands(FREE)).toEqual(['fail', 0])
  await evaluateNow(ctx)
  const left = await ctx.db.all(sql`
    select from compliance_scopes where tenant_id = ${ctx.tenantId} and scope = 'tag = lab'`)
  expect([left, await driftCorrected(ctx)]).toEqual([[], 0])
})

test('from a control, it is excepted there and nowhere else', async () => {
  const made = await except({ ...control, tag: 'oven' })
  expect(made).toMatchObject({ checkId: null, ...control, title: expect.stringContaining(` ${FREE} `) })
  expect([await stands(FREE), await stands(OTHER)]).toEqual([
    ['warning', 2],
    ['fail', 0],
  ])
  const events = await ctx.db.all(sql<{ body: Buffer }>`
    select body from events where tenant_id = ${ctx.tenantId} and type = 'COMPLIANCE_UPDATED' order by created_at desc, id desc`)
  expect(JSON.parse(events[0]?.body.toString() ?? '{}')).toMatchObject({
    control_id: FREE,
    status: 'warning',
    asset_ids: Object.values(ids).toSorted(),
    recovered_asset_ids: [],
  })
  expect(await excepted()).toEqual(['a', 'b'])
  await evaluateNow(ctx)
  expect([await stands(FREE), await stands(OTHER)]).toEqual([
    ['warning', 2],
    ['fail', 0],
  ])
  const ofCheck = await listExceptions(ctx, PAGE, { checkIds: [checkId] })
  const withControl = await listExceptions(ctx, PAGE, { checkIds: [checkId], control })
  expect([withControl.total - ofCheck.total, withControl.items[0]?.id]).toEqual([1, made.id])
  await endException(ctx, made.id, 'over')
  expect(await stands(FREE)).toEqual(['fail', 0])
})

test('before it is made it says how many assets it covers, who they are, and what becomes of controls', async () => {
  const listed = [{ id: ids.a, name: 'a' }]
  expect(await previewException(ctx, { checkId, where: 'tag = lab' })).toEqual({
    assets: 1,
    failing: 1,
    excepted: 0,
    listed,
    controls: [],
  })
  const both = [FREE, OTHER].map((controlId) => ({ controlId, before: 'fail', after: 'warning' }))
  expect(await previewException(ctx, { checkId, tag: 'oven' })).toMatchObject({ failing: 2, controls: both })
  expect(await previewException(ctx, { checkId })).toMatchObject({ assets: null, failing: 2, controls: both })
  expect(await previewException(ctx, { ...control, where: 'tag = oven' })).toMatchObject({
    assets: 2,
    failing: 2,
    controls: [both[0]],
  })
  const made = await except({ checkId, assetId: ids.a })
  expect(await previewException(ctx, { checkId, tag: 'lab' })).toMatchObject({
    failing: 1,
    excepted: 1,
    listed,
  })
  await endException(ctx, made.id, 'over')
})

test('from a check, what an exception from a control covers already is not counted there again', async () => {
  const made = await except({ ...control, assetId: ids.a })
  expect([await stands(FREE), await stands(OTHER)]).toEqual([
    ['fail', 1],
    ['fail', 0],
  ])
  const of = async (target: Partial<NewException>) => (await previewException(ctx, target)).controls
  expect(await of({ checkId, assetId: ids.a })).toEqual([])
  const both = [FREE, OTHER].map((controlId) => ({ controlId, before: 'fail', after: 'warning' }))
  expect(await of({ checkId, assetId: ids.b })).toMatchObject([both[0]])
  expect(await of({ checkId, tag: 'oven' })).toMatchObject(both)
  await endException(ctx, made.id, 'over')
})

test('what is proposed covers nothing until it is approved', async () => {
  await setExceptionsNeedApproval(ctx, true)
  const made = await except({ ...control, where: 'tag = oven' })
  expect([made.state, await stands(FREE)]).toEqual(['proposed', ['fail', 0]])
  const second: Ctx = { ...ctx, actor: { ...ctx.actor, kind: 'user', id: 'second', name: 'second@x' } }
  await approveException(second, made.id)
  expect(await stands(FREE)).toEqual(['warning', 2])
  await setExceptionsNeedApproval(ctx, false)
  await endException(ctx, made.id, 'over')
})

test('who is limited to some assets sees those of conditions that hold for one of them', async () => {
  const made = [await except({ checkId, where: 'tag = lab' }), await except({ checkId, where: 'name = b' })]
  const limited = ctx.conditions.limit(ctx, 'name = b')
  const seen = (await listExceptions(limited, PAGE)).items.map(({ id }) => id)
  expect(made.map(({ id }) => seen.includes(id))).toEqual([false, true])
  expect(await previewException(limited, { checkId, where: 'tag = oven' })).toMatchObject({
    assets: 1,
    failing: 1,
    excepted: 1,
    controls: null,
  })
  for (const { id } of made) await endException(ctx, id, 'over')
})

test.each([
  [{}, 'checkId: must name'],
  [{ framework: NIS2 }, 'checkId: must name'],
  [{ checkId: 'no-telnet', ...control }, 'checkId: cannot be given together with a control'],
  [{ framework: NIS2, controlId: 'XX' }, 'control not found'],
  [{ checkId: 'no-telnet', where: ' ' }, 'where: must say'],
  [{ checkId: 'no-telnet', where: 'tga = lab' }, 'where: '],
  [{ checkId: 'no-telnet', where: 'tag = lab', tag: 'lab' }, 'where: cannot be given together'],
] as const)('an exception with %j is refused: %s', async (wrong, why) => {
  await expect(except(wrong)).rejects.toThrow(why)
  await expect(previewException(ctx, wrong)).rejects.toThrow(why)
})
