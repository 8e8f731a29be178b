import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { adoptFramework, allChecks } from '#features/compliance/compliance.ts'
import type { Ctx } from '#platform/context.ts'
import { copyCheck } from '../../../src/features/compliance/checks/copies.ts'
import { recordEvidenceOf } from '../../../src/features/compliance/evidence/evidence.ts'
import {
  approveStatement,
  draftStatement,
  editRows,
  listStatements,
  returnStatement,
  statementRows,
  submitStatement,
} from '../../../src/features/compliance/statements/statements.ts'

/** Of each framework one statement is open at a time, so those of each state have a framework of their own. */
export const statementFactories = {
  controlEvidence: (_: unknown, ctx: Ctx) => recordEvidenceOf(ctx, 'nist-csf-2.0', 'GV.PO-01'),
  draftStatement: (_: unknown, ctx: Ctx) => draft(ctx, 'nis2-article-21'),
  reviewedStatement: (_: unknown, ctx: Ctx) => reviewed(ctx, 'cra-annex-1'),
  async approvedStatement(_: unknown, ctx: Ctx) {
    const id = await reviewed(ctx, 'hipaa-security-rule')
    await approveStatement(person(ctx), id, 'CISO')
    return id
  },
  async upgradedCopy(_: unknown, ctx: Ctx) {
    const copies = (await allChecks(ctx)).filter(({ copiedFrom }) => copiedFrom === 'no-telnet')
    const { id } = copies[0] ?? (await copyCheck(ctx, 'no-telnet'))
    await ctx.db.run(sql`
      update compliance_checks set copied = copied || '{"next": "Another step."}'
      where tenant_id = ${ctx.tenantId} and id = ${id}`)
    return id
  },
}

/** The one that is there, as a draft, or a new one; each row has a justification. */
async function draft(ctx: Ctx, framework: string): Promise<string> {
  await adoptFramework(ctx, framework)
  const open = (await listStatements(ctx, framework)).find(({ state }) =>
    ['draft', 'in_review'].includes(state),
  )
  if (open?.state === 'in_review') await returnStatement(ctx, open.id)
  const { id } = open ?? (await draftStatement(ctx, framework))
  const controlIds = (await statementRows(ctx, id)).map(({ controlId }) => controlId)
  await editRows(ctx, id, { controlIds, justification: 'because' })
  return id
}

async function reviewed(ctx: Ctx, framework: string): Promise<string> {
  const id = await draft(ctx, framework)
  await submitStatement(person(ctx), id)
  return id
}

/** Another one each time: who submitted a statement does not approve it. */
const person = (ctx: Ctx): Ctx => ({ ...ctx, actor: { ...ctx.actor, kind: 'user', id: randomUUID() } })
