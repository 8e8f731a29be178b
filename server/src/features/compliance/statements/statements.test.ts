import { beforeAll, expect, test } from 'vitest'
import { verifyProof } from '#features/audit/audit.ts'
import { exportAssessment } from '#features/reports/statements/export-assessment.ts'
import { exportStatement } from '#features/reports/statements/export-statement.ts'
import type { Ctx } from '#platform/context.ts'
import { sql } from 'kysely'
import { sharedTestApp } from '#test/support/app/test-app.ts'
import { adoptFramework, dropFramework, evaluateNow, explainControl, frameworkId } from '../compliance.ts'
import { unnoticedChanges } from '#test/support/unnoticed-changes.ts'
import { readPasted } from './pasted-rows.ts'
import {
  approveStatement,
  compareStatements,
  draftStatement,
  editRows,
  listStatements,
  pasteRows,
  returnStatement,
  statementProof,
  statementRows,
  submitStatement,
} from './statements.ts'

const home = sharedTestApp()
const NIS2 = 'nis2-article-21'
const OUT = '21.2.b'
let ctx: Ctx
const person = (id: string): Ctx => ({ ...ctx, actor: { ...ctx.actor, kind: 'user', id, name: `${id}@x` } })
const statusOf = async () => (await explainControl(ctx, NIS2, OUT)).status

beforeAll(async () => {
  ctx = await home().newTenant()
  await adoptFramework(ctx, NIS2)
  await evaluateNow(ctx)
})

async function filled(): Promise<string> {
  const { id } = await draftStatement(ctx, NIS2)
  const rows = await statementRows(ctx, id)
  const lines = rows.map(
    ({ controlId }) => `${controlId}\t${controlId === OUT ? 'no' : 'yes'}\t"because\n""so"""`,
  )
  await pasteRows(ctx, id, ['Control\tApplicable\tJustification', ...lines].join('\r\n'))
  return id
}

test('from a draft to approved by a second person; only then what it excludes is not applicable', async () => {
  const { id } = await draftStatement(ctx, NIS2)
  await expect(draftStatement(ctx, NIS2)).rejects.toThrow('one at a time')
  await expect(editRows(ctx, id, { controlIds: ['21.2.z'] })).rejects.toThrow(
    'controlIds: there is no control 21.2.z',
  )
  await expect(submitStatement(ctx, id)).rejects.toThrow(/^justification: is missing of 16 controls/)
  const rows = await statementRows(ctx, id)
  const lines = rows.map(({ controlId }) => `${controlId}\t${controlId === OUT ? 'no' : 'yes'}\tbecause`)
  await pasteRows(ctx, id, ['control\tapplicable\tjustification', ...lines].join('\n'))
  await submitStatement(person('ann'), id)
  await expect(pasteRows(ctx, id, 'control\n')).rejects.toThrow('only a draft')
  await returnStatement(ctx, id)
  await submitStatement(person('ann'), id)
  await expect(approveStatement(person('ann'), id, 'CISO')).rejects.toThrow('a second person')
  expect(await statusOf()).toBe('not_assessed')
  const approved = await approveStatement(person('bob'), id, 'CISO')
  expect(approved).toMatchObject({
    state: 'approved',
    version: 1,
    approvedByName: 'bob@x',
    approvedRole: 'CISO',
  })
  expect(await explainControl(ctx, NIS2, OUT)).toMatchObject({
    status: 'not_applicable',
    why: ['The approved statement of applicability excludes it.'],
  })
  expect((await statementRows(ctx, id)).find((it) => it.controlId === OUT)?.status).toBe('not_applicable')
  const before = await statementRows(ctx, id)
  await ctx.db.run(sql`
    update compliance_statement_rows set owner = 'mallory' where tenant_id = ${ctx.tenantId} and statement_id = ${id}`)
  expect(await statementRows(ctx, id)).toEqual(before)
  await ctx.db.run(sql`
    update compliance_statement_rows set owner = '' where tenant_id = ${ctx.tenantId} and statement_id = ${id}`)
  const proof = JSON.stringify(await statementProof(ctx, id))
  expect(verifyProof(proof).faults).toEqual([])
  expect(unnoticedChanges(proof)).toEqual([])
})

test('the next version begins with the rows of the last, differs by what was changed, and takes its place', async () => {
  const [first] = await listStatements(ctx, NIS2)
  const { id } = await draftStatement(ctx, NIS2)
  expect(await compareStatements(ctx, first?.id ?? '', id)).toEqual([])
  await pasteRows(
    ctx,
    id,
    [
      'control\tapplicable\timplementation\tevidence\trisks\treviewed on\tnext review on',
      `${OUT}\tyes\tplanned\twiki\tR-7\t2026-01-31\t2027-01-31`,
    ].join('\n'),
  )
  expect(await compareStatements(ctx, first?.id ?? '', id)).toMatchObject([
    {
      controlId: OUT,
      before: { isApplicable: false },
      after: {
        isApplicable: true,
        implementation: 'planned',
        evidence: 'wiki',
        risks: 'R-7',
        reviewedOn: '2026-01-31',
        nextReviewOn: '2027-01-31',
      },
    },
  ])
  await submitStatement(person('ann'), id)
  expect(await statusOf()).toBe('not_applicable')
  await approveStatement(person('bob'), id, 'CISO')
  expect(await statusOf()).toBe('not_assessed')
  expect((await listStatements(ctx, NIS2)).map(({ state }) => state)).toEqual(['approved', 'superseded'])
})

test.each(['csv', 'pdf', 'excel', 'xml', 'oscal'] as const)(
  'exported as %s, which one event tells',
  async (format) => {
    const [statement] = await listStatements(ctx, NIS2)
    const { content, fileName } = await exportStatement(ctx, statement?.id ?? '', format)
    expect(content.length).toBeGreaterThan(300)
    const events = await ctx.db.all(sql<{ body: Buffer }>`
    select body from events where tenant_id = ${ctx.tenantId} and type = 'EXPORT_COMPLETED' order by created_at desc, id desc`)
    const told = events.map(({ body }) => JSON.parse(body.toString()) as Record<string, unknown>)
    expect(told.filter((it) => it['format'] === format)).toMatchObject([
      {
        kind: 'statement_of_applicability',
        resource_id: frameworkId(NIS2),
        framework: NIS2,
        filename: fileName,
        row_count: 16,
      },
    ])
  },
)

test('assessment results are told as the export of a compliance report', async () => {
  const { fileName } = await exportAssessment(ctx, NIS2)
  const events = await ctx.db.all(sql<{ body: Buffer }>`
    select body from events where tenant_id = ${ctx.tenantId} and type = 'EXPORT_COMPLETED'`)
  const told = events.map(({ body }) => JSON.parse(body.toString()) as Record<string, unknown>)
  expect(told.filter((it) => it['kind'] === 'compliance_report')).toMatchObject([
    {
      format: 'oscal',
      resource_id: frameworkId(NIS2),
      framework: NIS2,
      filename: fileName,
      row_count: 16,
    },
  ])
})

test.each([
  ['', 'must name the column control'],
  ['control\tcolour\n', 'there is no column colour'],
  ['control\tapplicable\n21.2.a\tperhaps', 'line 2: applicable'],
  ['control\timplementation\n21.2.a\tsoon', 'line 2: implementation'],
  ['control\towner\n\tann', 'line 2: names no control'],
  ['control\treviewed on\n21.2.a\t2026-02-30', 'line 2: reviewed on must be a day'],
  ['control\tnext review on\n21.2.a\tsoon', 'line 2: next review on must be a day'],
  ['control\tApplicable\tapplicable\n21.2.a\tyes\tno', 'line 1: names the column applicable twice'],
  ['control\tapplicable\n21.2.a\tyes\n\n21.2.a\tno', 'line 4: 21.2.a is in line 2 already'],
  ['control\towner\n21.2.a\ta\0b', 'rows: must not contain the NUL character'],
  [`control\towner${'\n'.repeat(1_000_000)}`, 'are more than 5000'],
])('rows %j are refused', (text, why) => {
  expect(() => readPasted(text)).toThrow(why)
})

test('cells in quotes have line breaks and quotes', async () => {
  await dropFramework(ctx, NIS2)
  await adoptFramework(ctx, NIS2)
  const id = await filled()
  expect((await statementRows(ctx, id))[0]?.justification).toBe('because\n"so"')
})

test('an exported CSV file can be given back, and changes nothing', async () => {
  const id = (await listStatements(ctx, NIS2))[0]?.id ?? ''
  const { content } = await exportStatement(ctx, id, 'csv')
  expect(await pasteRows(ctx, id, content.toString('utf8'))).toBe(0)
  const titled = ['Control\tTitle\tEvaluated status\tReviewed on', `${OUT}\tx\tpass\t2026-02-01`].join('\n')
  expect(await pasteRows(ctx, id, titled)).toBe(1)
})
