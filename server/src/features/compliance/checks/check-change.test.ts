import { beforeAll, expect, test } from 'vitest'
import { submit } from '#features/sources/sources.ts'
import type { Ctx } from '#platform/context.ts'
import { sharedTestApp } from '#test/support/app/test-app.ts'
import { explainCheck, listControlAssets, listMonths } from '../check-detail.ts'
import { adoptFramework, evaluateNow } from '../compliance.ts'
import { previewChange } from './check-change.ts'
import { createCheck } from './own-checks.ts'

const home = sharedTestApp()
const CSF = 'nist-csf-2.0'
/** A control that no shipped check judges. */
const FREE = 'GV.PO-01'
let ctx: Ctx
let checkId: string

beforeAll(async () => {
  ctx = await home().newTenant()
  const of = (name: string, serial?: string) => ({
    sourceKey: name,
    seenAt: ctx.now(),
    name,
    tags: ['judged'],
    identifiers: [
      { type: 'hostname' as const, value: name },
      ...(serial === undefined ? [] : [{ type: 'serial' as const, value: serial }]),
    ],
    ...(serial === undefined ? {} : { serial }),
  })
  await submit(ctx, { kind: 'csv', name: 'list' }, [
    of('one', 'ACME10017'),
    of('two', 'BOLT20018'),
    of('three'),
  ])
  const check = await createCheck(ctx, {
    title: 'Serial numbers begin with A',
    scope: 'tag = judged',
    condition: 'serial = acme10017',
    severity: 'medium',
    next: '',
    controls: [{ framework: CSF, controlId: FREE }],
    tolerance: '0',
  })
  checkId = check.id
  await adoptFramework(ctx, CSF)
  await evaluateNow(ctx)
})

test('the preview of a change says how many assets go from which verdict to which, and names them', async () => {
  const found = await previewChange(ctx, { checkId, scope: 'tag = judged', condition: 'serial = bolt20018' })
  expect(found.before).toEqual({ inScope: 3, ok: 1, failed: 1, unknown: 1 })
  expect(found.after).toEqual({ inScope: 3, ok: 1, failed: 1, unknown: 1 })
  expect(found.moves).toEqual(
    expect.arrayContaining([
      { before: 'ok', after: 'failed', assets: 1 },
      { before: 'failed', after: 'ok', assets: 1 },
      { before: 'unknown', after: 'unknown', assets: 1 },
    ]),
  )
  expect(found.assets.map(({ name, before, after }) => [name, before, after])).toEqual([
    ['one', 'ok', 'failed'],
    ['two', 'failed', 'ok'],
  ])
  expect((await explainCheck(ctx, checkId)).condition, 'nothing is written').toBe('serial = acme10017')
})

test('assets that leave the scope are told, and those that come into that of a new check', async () => {
  const left = await previewChange(ctx, { checkId, scope: 'tag = nowhere', condition: 'serial = acme10017' })
  expect(left.after.inScope).toBe(0)
  expect(left.assets.every(({ after }) => after === 'not_in_scope')).toBe(true)
  expect(left.assets).toHaveLength(3)
  const fresh = await previewChange(ctx, { scope: 'tag = judged', condition: 'has serial' })
  expect(fresh.before.inScope).toBe(0)
  expect(fresh.after).toEqual({ inScope: 3, ok: 2, failed: 1, unknown: 0 })
})

test('a preview refuses what cannot be read, naming the field, and a check that is not there', async () => {
  await expect(previewChange(ctx, { checkId, scope: '', condition: 'nonsense >' })).rejects.toThrow(
    /^condition: /,
  )
  await expect(previewChange(ctx, { checkId, scope: 'os <', condition: 'has os' })).rejects.toThrow(
    /^scope: /,
  )
  await expect(
    previewChange(ctx, { checkId: 'nothing', scope: '', condition: 'has os' }),
  ).rejects.toMatchObject({
    status: 404,
  })
})

test('a check tells for which controls it counts; a control its assets, each once; a framework its months', async () => {
  const detail = await explainCheck(ctx, checkId)
  expect(detail).toMatchObject({ status: 'fail', failed: 1, unknown: 1 })
  expect(detail.countsFor).toMatchObject([{ framework: CSF, controlId: FREE, status: 'fail' }])
  const page = { limit: 10, offset: 0 }
  const { items, total } = await listControlAssets(ctx, page, { framework: CSF, controlId: FREE })
  expect(items.map(({ name, outcome }) => [name, outcome])).toEqual([
    ['two', 'failed'],
    ['three', 'unknown'],
  ])
  expect(total).toBe(2)
  const months = await listMonths(ctx, CSF)
  expect(months).toHaveLength(13)
  expect(months[0]).toMatchObject({ pass: 0, warning: 0, fail: 0 })
  expect(months.at(-1)?.fail).toBeGreaterThan(0)
})
