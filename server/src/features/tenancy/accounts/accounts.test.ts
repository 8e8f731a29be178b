import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { searchAudit, verifyAudit } from '#features/audit/audit.ts'
import type { Ctx } from '#platform/context.ts'
import { newPerson } from '#test/support/http/browser-session.ts'
import { testApp, type TestApp } from '#test/support/app/test-app.ts'
import { issueReset } from './password-reset.ts'

const ROUNDS = 15

const join = ({ runtime }: TestApp, userId: string, { tenantId }: Ctx) =>
  runtime.system.db.run(sql`
    insert into memberships (tenant_id, user_id, role_id)
    select tenant_id, ${userId}, id from roles where tenant_id = ${tenantId} and built_in = 'viewer'`)

test('what happens to an account stands in the log of each of its tenants, however many write at once', async () => {
  const it = await testApp({ connections: 8 })
  const [here, there] = [await it.newTenant(), await it.newTenant()]
  const [ada, bob] = [await newPerson(it, here), await newPerson(it, there)]
  await join(it, ada.id, there)
  await join(it, bob.id, here)
  const resets = Array.from({ length: ROUNDS }, () =>
    [ada, bob].map(({ email }) => issueReset(it.runtime.system, email)),
  )
  await Promise.all(resets.flat())
  for (const ctx of [here, there]) {
    const { total } = await searchAudit(ctx, { limit: 1, offset: 0, action: 'user.password_reset_issued' })
    expect(total).toBe(2 * ROUNDS)
    expect((await verifyAudit(ctx)).faults).toEqual([])
  }
})
