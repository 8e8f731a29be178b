import { beforeAll, expect, test } from 'vitest'
import { defineCustomField, deleteCustomField } from '#features/assets/editing/custom-fields.ts'
import { wouldChange } from '#features/changes/changes.ts'
import type { Ctx } from '#platform/context.ts'
import { sharedTestApp } from '#test/support/app/test-app.ts'
import { explainCheck } from '../check-detail.ts'
import { CSF, FREE, judgedScene, type JudgedScene } from '../compliance.fixture.ts'
import { createCheck, deleteCheck, updateCheck } from './own-checks.ts'

const home = sharedTestApp()
let ctx: Ctx
let scene: JudgedScene
beforeAll(async () => {
  ctx = await home().newTenant()
  scene = await judgedScene(ctx)
})

const TITLE = 'Serial numbers begin with A'
const input = (condition: string, more: object = {}) => ({
  title: TITLE,
  scope: 'tag = judged',
  condition,
  severity: 'medium' as const,
  next: '',
  controls: [{ framework: CSF, controlId: FREE }],
  tolerance: '0',
  ...more,
})

/** Of each asset, from which verdict to which. */
async function verdicts(work: (of: Ctx) => Promise<unknown>) {
  const { subjects, counts, isWhole } = await wouldChange(ctx, work)
  const moved = subjects
    .filter(({ type }) => type === 'asset')
    .map(({ name, becomesFalse, becomesTrue }) => [name, ...becomesFalse, ...becomesTrue])
  return { moved, isWhole, count: counts.find(({ kind }) => kind === 'check_verdict')?.count }
}

test('trying to make, change or delete a check tells which assets would be judged otherwise', async () => {
  const of = (name: string, before: string, after: string) => [
    name,
    `${TITLE}: ${before}`,
    `${TITLE}: ${after}`,
  ]
  expect(await verdicts((inner) => createCheck(inner, input('serial : acme')))).toEqual({
    moved: expect.arrayContaining([
      of('bad', 'not_in_scope', 'failed'),
      of('good', 'not_in_scope', 'ok'),
      of('silent', 'not_in_scope', 'unknown'),
    ]),
    isWhole: true,
    count: 3,
  })
  expect(await verdicts((inner) => updateCheck(inner, scene.checkId, input('has serial')))).toEqual({
    moved: expect.arrayContaining([of('bad', 'failed', 'ok'), of('silent', 'unknown', 'failed')]),
    isWhole: true,
    count: 2,
  })
  const removed = await verdicts((inner) => deleteCheck(inner, scene.checkId))
  expect(removed).toEqual({
    moved: expect.arrayContaining([
      of('bad', 'failed', 'not_in_scope'),
      of('good', 'ok', 'not_in_scope'),
      of('silent', 'unknown', 'not_in_scope'),
    ]),
    isWhole: true,
    count: 3,
  })
  expect((await explainCheck(ctx, scene.checkId)).condition, 'nothing is written').toBe('serial : acme')
})

test('trying to take a field away tells which checks could not be judged any more', async () => {
  const gone = await defineCustomField(ctx, { name: 'gone', kind: 'text' })
  const { id } = await createCheck(ctx, input('custom.gone = x', { title: 'names it' }))
  const told = async (of: Ctx) =>
    (await wouldChange(of, (inner) => deleteCustomField(inner, gone.id))).subjects.filter(
      ({ type }) => type === 'compliance_check',
    )
  expect(await told(ctx)).toEqual([
    {
      type: 'compliance_check',
      id,
      name: 'names it',
      becomesTrue: [],
      becomesFalse: ['condition can be read'],
    },
  ])
  const may = (permission: string) => permission !== 'compliance:read'
  expect(await told({ ...ctx, actor: { ...ctx.actor, may } })).toEqual([])
  await deleteCustomField(ctx, gone.id)
  expect((await explainCheck(ctx, id)).asks, 'what cannot be read asks for nothing').toEqual([])
})
