import { expect, test } from 'vitest'
import { setRecords } from '#features/records/records.ts'
import { createRole, listRoles } from '#features/tenancy/roles/roles.ts'
import { removeUser, setUserRole } from '#features/tenancy/members/members.ts'
import { memberPermissions, grants } from '#features/tenancy/tenancy.ts'
import type { Ctx } from '#platform/context.ts'
import { sharedTestApp } from '#test/support/app/test-app.ts'
import { newPerson } from '#test/support/http/browser-session.ts'
import { addDevices, assetNamed, bytesOf, latest, work } from '../reports.fixture.ts'
import { createReport, previewReport, runReport } from '../reports.ts'

const app = sharedTestApp()

/** A member with a role of these permissions, and with `operator` if none are given. */
async function memberWith(
  ctx: Ctx,
  permissions?: readonly string[],
): Promise<Ctx & { readonly userId: string }> {
  await newPerson(app(), ctx)
  const { id, email } = await newPerson(app(), ctx, { isAdmin: false })
  const role =
    permissions === undefined
      ? (await listRoles(ctx)).find(({ name }) => name === 'Operator')
      : await createRole(ctx, { name: 'own', permissions })
  await setUserRole(ctx, id, role?.id ?? '')
  const member = await memberPermissions(ctx, id)
  const may = (permission: string) => grants(member?.permissions ?? [], permission)
  return { ...ctx, userId: id, actor: { kind: 'user', id, name: email, may } }
}

/** An asset that a person changed, as the audit log has it. */
async function changedAsset(ctx: Ctx): Promise<string> {
  await addDevices(ctx, 'web-1')
  const id = await assetNamed(ctx, 'web-1')
  await setRecords(ctx, { assetIds: [id], values: { owner: 'Erika' } })
  return id
}

const audit = { name: 'audit', type: 'asset_audit', format: 'xml' }

test('an audit by who may not read the audit log has nothing of it, and says so', async () => {
  const ctx = await app().newTenant()
  await changedAsset(ctx)
  const whole = await createReport(ctx, audit)
  await work(ctx, whole.id)
  expect((await bytesOf(ctx, whole.id)).toString()).toContain('<cell of="kind">person</cell>')
  const operator = await memberWith(ctx)
  const { id } = await createReport(operator, audit)
  expect((await work(ctx, id)).status).toBe('available')
  const file = (await bytesOf(ctx, id)).toString()
  expect(file).toContain('<row><cell of="id">')
  expect(file).not.toContain('<cell of="kind">person</cell>')
  expect(file.match(/may not read the audit log/g)).toHaveLength(1)
})

test('sections that need a permission the creator does not have are left out by name', async () => {
  const ctx = await app().newTenant()
  await changedAsset(ctx)
  const narrow = await memberWith(ctx, ['reports:write', 'assets:read'])
  const { id } = await createReport(narrow, audit)
  await work(ctx, id)
  const file = (await bytesOf(ctx, id)).toString()
  expect(file).toContain(
    'Left out, because who made the report may not read it: Open findings, Failing checks.',
  )
  expect(file).not.toMatch(/<section name="(findings|controls)"/)
  expect(file).toContain('The number of open findings is left out')
})

test.each([
  ['asset_audit', 'assets:read'],
  ['compliance_report', 'compliance:read'],
])('a %s needs %s to be made, previewed or generated again', async (type, permission) => {
  const ctx = await app().newTenant()
  const { id } = await createReport(ctx, { name: 'n', type })
  await work(ctx, id)
  const narrow = await memberWith(ctx, ['reports:write'])
  for (const attempt of [
    () => createReport(narrow, { name: 'n', type }),
    () => previewReport(narrow, { type }),
    () => runReport(narrow, id),
  ])
    await expect(attempt()).rejects.toMatchObject({
      status: 403,
      message: expect.stringContaining(permission),
    })
})

test('what was ordered before its creator left is not collected any more', async () => {
  const ctx = await app().newTenant()
  await changedAsset(ctx)
  const operator = await memberWith(ctx)
  const { id } = await createReport(operator, audit)
  await removeUser(ctx, operator.userId)
  expect((await work(ctx, id)).status).toBe('failed')
  expect((await latest(ctx, id)).message).toContain('no longer a member')
})
