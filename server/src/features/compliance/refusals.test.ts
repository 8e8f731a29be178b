import { beforeAll, expect, test } from 'vitest'
import type { Ctx } from '#platform/context.ts'
import { sharedTestApp } from '#test/support/app/test-app.ts'
import { refusedBeyond } from '#test/support/refused-beyond.ts'
import { attestControl } from './attestations/attestations.ts'
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
const exception = () => ({ checkId: 'no-telnet', reason: 'r', expiresAt: inDays(3) })

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
  await expect(createException(ctx, { ...exception(), ...wrong })).rejects.toThrow(why)
})

test('who may not write adopts nothing, and who may not read reads nothing', async () => {
  const nobody = { ...ctx, actor: { ...ctx.actor, may: () => false } }
  await expect(adoptFramework(nobody, CSF)).rejects.toThrow('compliance:write')
  await expect(listFrameworks(nobody)).rejects.toThrow('compliance:read')
  await expect(adoptFramework(ctx, 'nothing')).rejects.toThrow('framework')
})

const control = check.controls[0]!
const attestation = () => ({
  framework: CSF,
  controlId: control.controlId,
  statement: 's',
  validUntil: inDays(3),
})
test.each<[string, number, (size: number) => unknown]>([
  ['title', 200, (n) => createCheck(ctx, { ...check, title: 'x'.repeat(n) })],
  ['next', 2_000, (n) => createCheck(ctx, { ...check, next: 'x'.repeat(n) })],
  [
    'controls',
    100,
    (n) => createCheck(ctx, { ...check, controls: Array.from({ length: n }, () => control) }),
  ],
  ['reason', 2_000, (n) => createException(ctx, { ...exception(), reason: 'x'.repeat(n) })],
  ['expiresAt', 365, (n) => createException(ctx, { ...exception(), expiresAt: inDays(n) })],
  ['tag', 512, (n) => createException(ctx, { ...exception(), tag: 'x'.repeat(n) })],
  ['statement', 4_000, (n) => attestControl(ctx, { ...attestation(), statement: 'x'.repeat(n) })],
  ['validUntil', 365, (n) => attestControl(ctx, { ...attestation(), validUntil: inDays(n) })],
])('%s goes to %i, and no further', async (field, most, write) => {
  await adoptFramework(ctx, CSF)
  expect(await refusedBeyond(most, write)).toBe(field)
})
