import { sql } from 'kysely'
import { expect, test } from 'vitest'
import type { Ctx } from '#platform/context.ts'
import { sharedTestApp } from '#test/support/app/test-app.ts'
import { adoptFramework, createException, evaluateNow } from '../compliance.ts'
import {
  approveStatement,
  draftStatement,
  editRows,
  listStatements,
  statementRows,
  submitStatement,
} from './statements.ts'

const home = sharedTestApp()
const NIS2 = 'nis2-article-21'
const JUSTIFIED = { justification: 'because' }
const person = (ctx: Ctx, id: string): Ctx => ({
  ...ctx,
  actor: { ...ctx.actor, kind: 'user', id, name: id },
})

async function approved(ctx: Ctx): Promise<string> {
  await adoptFramework(ctx, NIS2)
  const { id } = await draftStatement(ctx, NIS2)
  const controlIds = (await statementRows(ctx, id)).map(({ controlId }) => controlId)
  await editRows(ctx, id, { controlIds, ...JUSTIFIED })
  await submitStatement(person(ctx, 'ann'), id)
  await approveStatement(person(ctx, 'bob'), id, 'CISO')
  return id
}

test('a framework that has changed since its statement was approved opens a draft with its new controls marked', async () => {
  const ctx = await home().newTenant()
  const id = await approved(ctx)
  await evaluateNow(ctx)
  expect(await listStatements(ctx, NIS2)).toHaveLength(1)
  // as if it had been approved with a version of the framework that lacked one control and had another
  await ctx.db.run(sql`
    update compliance_statement_rows set control_id = '21.2.z'
    where tenant_id = ${ctx.tenantId} and statement_id = ${id} and control_id = '21.2.j'`)
  await evaluateNow(ctx)
  await evaluateNow(ctx)
  const [draft, before] = await listStatements(ctx, NIS2)
  expect([draft?.state, before?.state]).toEqual(['draft', 'approved'])
  const rows = await statementRows(ctx, draft?.id ?? '')
  expect(rows.filter(({ isNew }) => isNew).map(({ controlId }) => controlId)).toEqual(['21.2.j'])
  expect(rows.map(({ controlId }) => controlId)).not.toContain('21.2.z')
  await expect(submitStatement(ctx, draft?.id ?? '')).rejects.toThrow('21.2.j')
  await editRows(ctx, draft?.id ?? '', { controlIds: ['21.2.j'], ...JUSTIFIED })
  expect((await statementRows(ctx, draft?.id ?? '')).some(({ isNew }) => isNew)).toBe(false)
})

test('a row names the exceptions from its checks, also when they have ended after the approval', async () => {
  const ctx = await home().newTenant()
  const expiresAt = new Date(Date.now() + 86_400_000).toISOString()
  await createException(ctx, { checkId: 'seen-30d', reason: 'the ship is at sea', expiresAt })
  const id = await approved(ctx)
  const named = async () =>
    (await statementRows(ctx, id)).flatMap(({ controlId, exceptions }) =>
      exceptions.map((it) => `${controlId} ${it}`),
    )
  const line = `21.2.i Every asset was seen within 30 days, until ${expiresAt.slice(0, 10)}: the ship is at sea`
  expect(await named()).toEqual([line])
  await ctx.db.run(sql`update compliance_exceptions set state = 'ended' where tenant_id = ${ctx.tenantId}`)
  expect(await named()).toEqual([line])
})

test('who writes statements cannot approve them without the permission for it', async () => {
  const ctx = await home().newTenant()
  await adoptFramework(ctx, NIS2)
  const { id } = await draftStatement(ctx, NIS2)
  const writer = { ...ctx, actor: { ...ctx.actor, may: (it: string) => it !== 'statements:approve' } }
  await expect(approveStatement(writer, id, 'CISO')).rejects.toThrow('statements:approve')
})
