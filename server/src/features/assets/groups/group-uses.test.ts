import { expect, test } from 'vitest'
import { createKey } from '#features/api-keys/api-keys.ts'
import { createCheck } from '#features/compliance/checks/own-checks.ts'
import { createFlow } from '#features/flows/flows.ts'
import { createRole } from '#features/tenancy/roles/roles.ts'
import { sharedTestApp } from '#test/support/app/test-app.ts'
import { listGroupUses } from './group-uses.ts'
import { createGroup, deleteGroup, updateGroup } from './groups.ts'

const shared = sharedTestApp()

test('what asks about a group is named, and it is not deleted while roles and keys are limited by it', async () => {
  const ctx = await shared().newTenant()
  const group = await createGroup(ctx, { name: 'Oslo servers', condition: 'tag = oslo' })
  const other = await createGroup(ctx, { name: 'Idle', condition: 'tag = idle' })
  await updateGroup(ctx, group.id, { name: 'Oslo' })
  const where = 'group = "oslo SERVERS" and has serial'
  const role = await createRole(ctx, { name: 'Operators of Oslo', permissions: ['assets:read'], where })
  const key = await createKey(ctx, { name: 'oslo key', scopes: ['read'], where: 'not group = Oslo' })
  const check = await createCheck(ctx, {
    title: 'Oslo has serials',
    scope: 'group = Oslo',
    condition: 'has serial',
    severity: 'low',
    next: '',
    controls: [{ framework: 'nis2-article-21', controlId: '21.2.b' }],
    tolerance: '0',
  })
  const flow = await createFlow(ctx, {
    name: 'Oslo grows',
    definition: {
      trigger: { kind: 'query', condition: 'group = Oslo', on: 'enter', per: 'asset' },
      condition: '',
      coolDownMinutes: 0,
      runsPerMinute: 60,
      steps: [{ action: 'if', condition: 'asset.group = Oslo', steps: [{ action: 'stop' }], otherwise: [] }],
    },
  })
  const uses = await listGroupUses(ctx)
  expect(uses.filter(({ groupId }) => groupId === other.id)).toEqual([])
  expect(new Map(uses.map(({ kind, id, name }) => [`${kind} ${id}`, name]))).toEqual(
    new Map([
      [`role ${role.id}`, 'Operators of Oslo'],
      [`api_key ${key.key.id}`, 'oslo key'],
      [`check ${check.id}`, 'Oslo has serials'],
      [`flow ${flow.id}`, 'Oslo grows'],
    ]),
  )
  await expect(deleteGroup(ctx, group.id)).rejects.toThrow(
    /the role Operators of Oslo and 1 more ask about it: change that first/,
  )
  await deleteGroup(ctx, other.id)
  const reader = { ...ctx, actor: { ...ctx.actor, may: (it: string) => it === 'assets:read' } }
  expect((await listGroupUses(reader)).map(({ name }) => name)).toEqual(['', '', '', ''])
})
