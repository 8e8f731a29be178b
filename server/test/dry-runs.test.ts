import { expect, test } from 'vitest'
import { addTags } from '#features/assets/assets.ts'
import {
  defineCustomField,
  deleteCustomField,
  listCustomFields,
} from '#features/assets/editing/custom-fields.ts'
import { setCustomField } from '#features/assets/assets.ts'
import { createGroup, deleteGroup } from '#features/assets/groups/groups.ts'
import { tried, wouldChange } from '#features/changes/changes.ts'
import {
  createCheck,
  deleteCheck,
  updateCheck,
  type CheckInput,
} from '#features/compliance/checks/own-checks.ts'
import { addTag, liveFlow, newAsset, onNewAsset } from '#features/flows/flows.fixture.ts'
import { createFlow, getFlow, publishFlow } from '#features/flows/flows.ts'
import { createRule } from '#features/notice-rules/notice-rules.ts'
import { asMember } from '#features/notice-rules/running/owner.ts'
import { createUser } from '#features/tenancy/tenancy.ts'
import type { Ctx } from '#platform/context.ts'
import { sharedTestApp } from '#test/support/app/test-app.ts'

/** What verbs of several rooms would change: each is tried and undone. */

const home = sharedTestApp()

async function person(ctx: Ctx): Promise<Ctx> {
  const system = { ...home().runtime.system, tenantId: ctx.tenantId }
  const email = `${ctx.tenantId}@example.org`
  const { id } = await createUser(system, { email, password: 'a long pass phrase 4711', isAdmin: true })
  const member = await asMember(ctx, id)
  if (!member) throw new Error('no member')
  return member
}

const check = (condition: string): CheckInput => ({
  title: 'Our check',
  scope: '',
  condition,
  severity: 'low',
  next: '',
  controls: [{ framework: 'nist-csf-2.0', controlId: 'GV.PO-01' }],
  tolerance: '0',
})

test('deleting a custom field names the values that go, and the conditions that could not be read any more', async () => {
  const ctx = await home().newTenant()
  const me = await person(ctx)
  const field = await defineCustomField(ctx, { name: 'stage', kind: 'text' })
  const asset = await newAsset(ctx, 'a')
  await setCustomField(ctx, { assetId: asset, fieldId: field.id, value: 'live' })
  const condition = 'asset.custom.stage = live'
  const flow = await liveFlow(ctx, { trigger: onNewAsset, condition, steps: [addTag('x')] }, 'Staging')
  await liveFlow(ctx, { trigger: onNewAsset, steps: [addTag('x')] }, 'Without')
  const { id: ruleId } = await createRule(me, { name: 'Mine', eventTypes: ['NEW_ASSET'], condition })
  const own = await createCheck(ctx, check('custom.stage = live'))
  const changes = await wouldChange(me, (inner) => deleteCustomField(inner, field.id))
  expect(changes.isWhole).toBe(true)
  const told = changes.subjects.map(({ type, id, becomesFalse }) => [type, id, becomesFalse])
  expect(told).toHaveLength(4)
  expect(told).toEqual(
    expect.arrayContaining([
      ['asset', asset, [expect.stringContaining('live')]],
      ['flow', flow.id, ['condition can be read']],
      ['notice_rule', ruleId, ['condition can be read']],
      ['compliance_check', own.id, ['condition can be read']],
    ]),
  )
  expect((await listCustomFields(ctx)).map(({ id }) => id)).toEqual([field.id])
})

test('deleting a group names the flows that ask about it', async () => {
  const ctx = await home().newTenant()
  const group = await createGroup(ctx, { name: 'Servers', condition: 'type = server', description: '' })
  const steps = [{ action: 'if', condition: 'asset.group = Servers', steps: [addTag('x')] }]
  const flow = await liveFlow(ctx, { trigger: onNewAsset, steps }, 'For servers')
  const changes = await wouldChange(ctx, (inner) => deleteGroup(inner, group.id))
  expect(changes.subjects).toMatchObject([
    { type: 'flow', id: flow.id, name: 'For servers', becomesFalse: ['steps[0].condition can be read'] },
  ])
})

test('publishing a flow names the assets for which it would have run', async () => {
  const ctx = await home().newTenant()
  const assets = [await newAsset(ctx, 'a'), await newAsset(ctx, 'b')]
  const definition = { trigger: onNewAsset, condition: 'event.asset_name = a', steps: [addTag('x')] }
  const { id } = await createFlow(ctx, { name: 'Tagging', definition })
  const { result, changes } = await tried(ctx, (inner) => publishFlow(inner, id))
  expect(result.publishedVersion).toBe(1)
  expect(changes).toMatchObject({ total: 1, isWhole: true, counts: [{ kind: 'flow_run', count: 1 }] })
  expect(changes.subjects).toMatchObject([
    {
      type: 'asset',
      id: assets[0],
      name: 'a',
      becomesTrue: ['Tagging would have run in the last 30 days'],
    },
  ])
  expect(await getFlow(ctx, id)).toMatchObject({ publishedVersion: null })
})

test('writing, changing and deleting a check names the assets that are judged otherwise', async () => {
  const ctx = await home().newTenant()
  const [a] = [await newAsset(ctx, 'a'), await newAsset(ctx, 'b')]
  await addTags(ctx, { assetIds: [a], tags: ['good'] })
  const statesOf = async (work: (inner: Ctx) => Promise<unknown>) =>
    Object.fromEntries(
      (await wouldChange(ctx, work)).subjects.map(({ name, becomesFalse, becomesTrue }) => [
        name,
        [...becomesFalse, ...becomesTrue],
      ]),
    )
  expect(await statesOf((inner) => createCheck(inner, check('tag = good')))).toEqual({
    a: ['Our check: not_in_scope', 'Our check: ok'],
    b: ['Our check: not_in_scope', 'Our check: failed'],
  })
  const { id } = await createCheck(ctx, check('tag = good'))
  expect(await statesOf((inner) => updateCheck(inner, id, check('name in (a, b)')))).toEqual({
    b: ['Our check: failed', 'Our check: ok'],
  })
  expect(Object.keys(await statesOf((inner) => deleteCheck(inner, id))).toSorted()).toEqual(['a', 'b'])
})
