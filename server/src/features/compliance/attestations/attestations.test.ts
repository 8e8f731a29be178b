import { beforeAll, expect, test } from 'vitest'
import type { Ctx } from '#platform/context.ts'
import { sharedTestApp } from '#test/support/app/test-app.ts'
import { CSF, FREE, inDays } from '../compliance.fixture.ts'
import { adoptFramework, dropFramework } from '../compliance.ts'
import { listControls } from '../overview.ts'
import { attestationsEndingWithin, attestControl, withdrawAttestation } from './attestations.ts'

const OTHER = 'GV.PO-02'
const home = sharedTestApp()
let ctx: Ctx
let other: Ctx
beforeAll(async () => {
  ctx = await home().newTenant()
  other = await home().newTenant()
  for (const each of [ctx, other]) await adoptFramework(each, CSF)
})

const attest = (of: Ctx, controlId: string, days: number) =>
  attestControl(of, { framework: CSF, controlId, statement: ' It is written. ', validUntil: inDays(days) })

const endingWithin = async (of: Ctx, days: number, limit = 10) => {
  const { items, total } = await attestationsEndingWithin(of, days, limit)
  return { of: items.map((it) => it.controlId), total }
}

const statusOf = async (of: Ctx, id: string) =>
  (await listControls(of, CSF)).find((it) => it.id === id)?.status

test('a control is as attested until that is withdrawn, and only one is in force', async () => {
  const before = await statusOf(ctx, FREE)
  expect(await attest(ctx, FREE, 200)).toMatchObject({ controlId: FREE, statement: 'It is written.' })
  await attest(ctx, FREE, 100)
  await attest(ctx, OTHER, 300)
  expect(before).not.toBe('pass')
  expect([await statusOf(ctx, FREE), await statusOf(ctx, OTHER)]).toEqual(['pass', 'pass'])
  expect(await endingWithin(ctx, 301)).toEqual({ of: [FREE, OTHER], total: 2 })
  expect(await endingWithin(ctx, 301, 1)).toEqual({ of: [FREE], total: 2 })
  expect(await endingWithin(ctx, 101)).toEqual({ of: [FREE], total: 1 })
  expect(await endingWithin(ctx, 99)).toEqual({ of: [], total: 0 })
  await withdrawAttestation(ctx, { framework: CSF, controlId: FREE })
  expect([await statusOf(ctx, FREE), await statusOf(ctx, OTHER)]).toEqual([before, 'pass'])
  expect(await endingWithin(ctx, 301)).toEqual({ of: [OTHER], total: 1 })
  await expect(withdrawAttestation(ctx, { framework: CSF, controlId: FREE })).rejects.toThrow(
    'attestation not found',
  )
})

test('those of another organisation and of a framework that was dropped are not told of', async () => {
  await attest(other, FREE, 5)
  expect(await endingWithin(ctx, 6)).toEqual({ of: [], total: 0 })
  expect(await endingWithin(other, 6)).toEqual({ of: [FREE], total: 1 })
  await dropFramework(other, CSF)
  expect(await endingWithin(other, 6)).toEqual({ of: [], total: 0 })
  await expect(attest(other, FREE, 5)).rejects.toThrow('framework: must be adopted first')
})

test.each([
  [{ statement: ' ' }, 'statement: must have 1 to 4000 characters'],
  [{ statement: 'x'.repeat(4_001) }, 'statement: must have 1 to 4000 characters'],
  [{ validUntil: inDays(-1) }, 'validUntil: must lie in the future'],
  [{ validUntil: inDays(366) }, 'validUntil: must lie in the future'],
  [{ controlId: 'GV.PO-99' }, 'control not found'],
])('%o is refused', async (wrong, message) => {
  const right = { framework: CSF, controlId: FREE, statement: 'x'.repeat(4_000), validUntil: inDays(364) }
  await expect(attestControl(ctx, { ...right, ...wrong })).rejects.toThrow(message)
})

test('controls are chosen by a condition, also of a framework that is not adopted', async () => {
  const reader = await home().newTenant()
  const chosen = await listControls(reader, CSF, { where: `control = ${FREE}` })
  expect(chosen.map((it) => it.id)).toEqual([FREE])
  expect(await listControls(reader, CSF, { where: 'control = nothing' })).toEqual([])
})
