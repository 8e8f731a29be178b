import { expect, test } from 'vitest'
import { defineCustomField, deleteCustomField } from '#features/assets/editing/custom-fields.ts'
import { wouldChange } from '#features/changes/changes.ts'
import { sharedTestApp } from '#test/support/app/test-app.ts'
import { addTag, newAsset, onNewAsset } from './flows.fixture.ts'
import { createFlow, getFlow, publishFlow } from './flows.ts'

const home = sharedTestApp()

test('trying to publish a flow tells of which assets it would have run for, and publishes nothing', async () => {
  const ctx = await home().newTenant()
  const printers = [await newAsset(ctx, 'print-1'), await newAsset(ctx, 'print-2')]
  await newAsset(ctx, 'laptop')
  const { id } = await createFlow(ctx, {
    name: 'tagging',
    definition: { trigger: onNewAsset, condition: 'event.asset_name : print', steps: [addTag('x')] },
  })
  const { total, isWhole, counts, subjects } = await wouldChange(ctx, (inner) => publishFlow(inner, id))
  expect({ total, isWhole, counts }).toEqual({
    total: 2,
    isWhole: true,
    counts: [{ kind: 'flow_run', count: 2 }],
  })
  expect(subjects).toEqual(
    printers.map((asset, at) => ({
      type: 'asset',
      id: asset,
      name: `print-${at + 1}`,
      becomesTrue: ['tagging would have run in the last 30 days'],
      becomesFalse: [],
    })),
  )
  expect((await getFlow(ctx, id)).publishedVersion).toBeNull()
})

test('trying to take a field away tells which flows could not be read any more', async () => {
  const ctx = await home().newTenant()
  const [gone, kept] = [
    await defineCustomField(ctx, { name: 'gone', kind: 'text' }),
    await defineCustomField(ctx, { name: 'kept', kind: 'text' }),
  ]
  const flow = async (name: string, condition: string, inside = '') => {
    const steps = [{ action: 'if', condition: inside || 'has asset.name', steps: [{ action: 'stop' }] }]
    return (await createFlow(ctx, { name, definition: { trigger: onNewAsset, condition, steps } })).id
  }
  const [byCondition, byStep] = [
    await flow('by condition', 'asset.custom.gone = x'),
    await flow('by step', '', 'asset.custom.gone = x'),
  ]
  await flow('other', 'asset.custom.kept = x')
  const told = async (id: string, of = ctx) =>
    (await wouldChange(of, (inner) => deleteCustomField(inner, id))).subjects.filter(
      ({ type }) => type === 'flow',
    )
  expect(await told(gone.id)).toEqual(
    expect.arrayContaining([
      {
        type: 'flow',
        id: byCondition,
        name: 'by condition',
        becomesTrue: [],
        becomesFalse: ['condition can be read'],
      },
      {
        type: 'flow',
        id: byStep,
        name: 'by step',
        becomesTrue: [],
        becomesFalse: ['steps[0].condition can be read'],
      },
    ]),
  )
  expect(await told(gone.id)).toHaveLength(2)
  expect((await told(kept.id)).map(({ name }) => name)).toEqual(['other'])
  const may = (permission: string) => permission !== 'flows:read'
  expect(await told(gone.id, { ...ctx, actor: { ...ctx.actor, may } })).toEqual([])
})
