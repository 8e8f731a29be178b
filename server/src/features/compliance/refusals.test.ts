import { beforeAll, expect, test } from 'vitest'
import type { Ctx } from '#platform/context.ts'
import { sharedTestApp } from '#test/support/app/test-app.ts'
import { createCheck } from './checks/own-checks.ts'
import { adoptFramework, listFrameworks } from './compliance.ts'
import { createException } from './exceptions/exceptions.ts'

const home = sharedTestApp()
const CSF = 'nist-csf-2.0'
let ctx: Ctx
beforeAll(async () => {
  ctx = await home().newTenant()
})

const check = {
  title: 'Serial numbers are known',
  scope: '',
  condition: 'has serial',
  severity: 'low' as const,
  next: '',
  controls: [{ framework: CSF, controlId: 'GV.PO-01' }],
  tolerance: '0',
}
const inDays = (days: number) => new Date(ctx.now().getTime() + days * 86_400_000).toISOString()

test.each([
  [{ title: ' ' }, 'title'],
  [{ condition: 'nothing = 1' }, 'condition'],
  [{ scope: 'os <' }, 'scope'],
  [{ tolerance: '200%' }, 'tolerance'],
  [{ controls: [] }, 'controls'],
  [{ controls: [{ framework: CSF, controlId: 'XX' }] }, 'controls'],
])('a check with %j is refused for its %s', async (wrong, field) => {
  await expect(createCheck(ctx, { ...check, ...wrong })).rejects.toThrow(new RegExp(`^${field}:`))
})

test.each([
  [{ reason: '' }, 'reason:'],
  [{ expiresAt: '2001-01-01T00:00:00Z' }, 'expiresAt:'],
  [{ expiresAt: '2999-01-01T00:00:00Z' }, 'expiresAt:'],
  [{ tag: '' }, 'tag:'],
  [{ checkId: 'nothing' }, 'check'],
])('an exception with %j is refused: %s', async (wrong, why) => {
  const input = { checkId: 'no-telnet', reason: 'r', expiresAt: inDays(3) }
  await expect(createException(ctx, { ...input, ...wrong })).rejects.toThrow(why)
})

test('who may not write adopts nothing, and who may not read reads nothing', async () => {
  const nobody = { ...ctx, actor: { ...ctx.actor, may: () => false } }
  await expect(adoptFramework(nobody, CSF)).rejects.toThrow('compliance:write')
  await expect(listFrameworks(nobody)).rejects.toThrow('compliance:read')
  await expect(adoptFramework(ctx, 'nothing')).rejects.toThrow('framework')
})
