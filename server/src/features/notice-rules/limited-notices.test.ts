import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { listNoticeDeliveries } from '#features/notices/notices.ts'
import { submit } from '#features/sources/sources.ts'
import { createUser } from '#features/tenancy/tenancy.ts'
import type { Ctx } from '#platform/context.ts'
import { sharedTestApp } from '#test/support/app/test-app.ts'
import { createRule, listOpenItems, listRules, noticeSubjects } from './notice-rules.ts'
import { asMember } from './running/owner.ts'
import { runRound } from './running/round.ts'

const app = sharedTestApp()

/** A member whose role is limited, with all permissions. */
async function limitedMember(ctx: Ctx, where: string): Promise<Ctx> {
  const system = { ...app().runtime.system, tenantId: ctx.tenantId }
  const email = `limited-${ctx.tenantId}@example.org`
  const { id } = await createUser(system, { email, password: 'a long pass phrase 4711', isAdmin: true })
  await ctx.db.run(sql`
    insert into roles (tenant_id, name, permissions, limited_to)
    select tenant_id, 'Limited', '{assets:read,sources:read,notices:read,compliance:read,scans:read}', ${where}
    from roles where tenant_id = ${ctx.tenantId} and built_in = 'admin'`)
  await ctx.db.run(sql`
    update memberships set role_id = (
      select r.id from roles r where r.tenant_id = ${ctx.tenantId} and r.name = 'Limited')
    where tenant_id = ${ctx.tenantId} and user_id = ${id}`)
  const member = await asMember(ctx, id)
  if (!member) throw new Error('no member')
  return member
}

const addAssets = (ctx: Ctx, ...names: string[]) =>
  submit(
    ctx,
    { kind: 'csv', name: 'list' },
    names.map((name) => ({
      sourceKey: name,
      seenAt: ctx.now(),
      identifiers: [{ type: 'hostname' as const, value: name }],
    })),
  )

test('a rule tells of assets within the condition alone', async () => {
  const ctx = await app().newTenant()
  const me = await limitedMember(ctx, 'name = near')
  await createRule(me, { name: 'new ones', eventTypes: ['NEW_ASSET'] })
  expect(await listRules(me)).toMatchObject([{ name: 'new ones', active: true }])
  await addAssets(ctx, 'near', 'far')
  await runRound(ctx, AbortSignal.timeout(60_000))
  const { items } = await listNoticeDeliveries(ctx, { limit: 9, offset: 0 })
  expect(items.map(({ subject }) => subject)).toEqual(['New asset: near'])
})

test('a rule that was made before the role was limited tells nothing of the whole organisation', async () => {
  const ctx = await app().newTenant()
  const me = await limitedMember(ctx, 'name = near')
  await createRule({ ...ctx, actor: me.actor }, { name: 'old', eventTypes: ['NEW_SOURCE', 'DELETED_ASSET'] })
  await addAssets(ctx, 'near', 'far')
  await runRound(ctx, AbortSignal.timeout(60_000))
  expect((await listNoticeDeliveries(ctx, { limit: 9, offset: 0 })).total).toBe(0)
})

test('what is about the whole organisation is neither offered nor taken, and the open items are read', async () => {
  const ctx = await app().newTenant()
  const me = await limitedMember(ctx, 'name = near')
  const names = noticeSubjects(me).map(({ name }) => name)
  expect(names).toEqual(expect.arrayContaining(['NEW_ASSET', 'duplicate']))
  for (const name of ['NEW_SOURCE', 'SCAN_COMPLETED', 'scan_failed', 'exception_approval'])
    expect(names).not.toContain(name)
  await expect(createRule(me, { name: 'n', eventTypes: ['SCAN_COMPLETED'] })).rejects.toMatchObject({
    status: 403,
  })
  await expect(createRule(me, { name: 'n', itemKinds: ['scan_failed'] })).rejects.toMatchObject({
    status: 403,
  })
  expect(await listOpenItems(me)).toEqual([])
})
