import { expect, test } from 'vitest'
import type { Ctx } from '#platform/context.ts'
import { sharedTestApp } from '#test/support/app/test-app.ts'
import { asker, believed, fieldAsker, headersOf } from '#test/support/http/graphql-client.ts'
import { adoptFramework } from '../compliance.ts'
import { submitStatement } from '../statements/statements.ts'

const shared = sharedTestApp({ contextOf: believed })
const NIS2 = 'nis2-article-21'

test('a statement is drafted, edited, pasted, reviewed, approved, compared and proved', async () => {
  const ctx = await shared().newTenant()
  const ask = fieldAsker(asker(shared().as(), headersOf(ctx)))
  const ann: Ctx = { ...ctx, actor: { ...ctx.actor, kind: 'user', id: 'ann', name: 'ann@x' } }
  await adoptFramework(ctx, NIS2)
  const fields = '{ id framework frameworkTitle version state submittedBy approvedBy approvedRole digest }'
  const draft = `mutation ($of: ID!) { draftComplianceStatement(framework: $of) ${fields} }`
  const drafted = await ask<{ id: string }>(draft, { of: NIS2 })
  const { id } = drafted
  const about = { id, framework: NIS2, frameworkTitle: expect.stringContaining('NIS2'), version: 1 }
  const open = { submittedBy: null, approvedBy: null, approvedRole: null, digest: null }
  expect(drafted).toEqual({ ...about, ...open, state: 'draft' })

  const rows = `query ($id: ID!) { complianceStatementRows(id: $id) { controlId title status isApplicable justification implementation
    owner measures evidence risks reviewedOn nextReviewOn exceptions isNew } }`
  type Row = { controlId: string }
  const rowOf = async (control: string, of = id) =>
    (await ask<Row[]>(rows, { id: of })).find(({ controlId }) => controlId === control)
  const first = await rowOf('21.2.a')
  expect(first).toEqual({
    controlId: '21.2.a',
    title: expect.any(String),
    status: 'not_assessed',
    isApplicable: true,
    justification: '',
    implementation: 'unstated',
    owner: '',
    measures: '',
    evidence: '',
    risks: '',
    reviewedOn: '',
    nextReviewOn: '',
    exceptions: [],
    isNew: false,
  })
  const all = (await ask<Row[]>(rows, { id })).map(({ controlId }) => controlId)
  const edit = `mutation ($id: ID!, $ids: [ID!]!, $edit: StatementRowsEdit!) { editComplianceStatement(id: $id, controlIds: $ids, edit: $edit) }`
  expect(await ask(edit, { id, ids: all, edit: { justification: 'because' } })).toBe(all.length)
  const whole = {
    isApplicable: false,
    justification: 'elsewhere',
    implementation: 'planned',
    owner: 'Ann',
    measures: 'a list',
    evidence: 'the wiki',
    risks: 'R1',
    reviewedOn: '2026-01-02',
    nextReviewOn: '2027-01-02',
  }
  expect(await ask(edit, { id, ids: ['21.2.a'], edit: whole })).toBe(1)
  expect(await rowOf('21.2.a')).toEqual({ ...(first as object), ...whole })
  expect(await ask(edit, { id, ids: ['21.2.a'], edit: { implementation: 'unstated', owner: 'Bob' } })).toBe(1)
  expect(await rowOf('21.2.a')).toMatchObject({ implementation: 'unstated', owner: 'Bob', risks: 'R1' })
  const paste = 'mutation ($id: ID!, $rows: String!) { pasteComplianceStatement(id: $id, rows: $rows) }'
  expect(await ask(paste, { id, rows: 'control\towner\n21.2.b\tCarol\n21.2.c\tDan' })).toBe(2)
  expect(await rowOf('21.2.c')).toMatchObject({ owner: 'Dan', isApplicable: true })

  const one = `query ($id: ID!) { complianceStatement(id: $id) ${fields} }`
  const step = (name: string, args = '') => `mutation ($id: ID!) { ${name}(id: $id${args}) ${fields} }`
  expect(await ask(step('submitComplianceStatement'), { id })).toMatchObject({ ...about, state: 'in_review' })
  await expect(ask(step('approveComplianceStatement', ', role: "CISO"'), { id })).rejects.toThrow(
    'a second person',
  )
  expect(await ask(step('returnComplianceStatement'), { id })).toMatchObject({ ...about, state: 'draft' })
  await submitStatement(ann, id)
  expect(await ask(one, { id })).toMatchObject({ state: 'in_review', submittedBy: 'ann@x' })
  expect(await ask(step('approveComplianceStatement', ', role: "CISO"'), { id })).toMatchObject({
    ...about,
    state: 'approved',
    submittedBy: 'ann@x',
    approvedRole: 'CISO',
    digest: expect.stringMatching(/^[0-9a-f]{64}$/),
  })
  expect(await ask('query ($id: ID!) { complianceStatementProof(id: $id) }', { id })).toMatchObject({
    kind: 'statement',
  })

  const next = await ask<{ id: string }>(draft, { of: NIS2 })
  expect(next).toMatchObject({ version: 2, state: 'draft' })
  await ask(edit, { id: next.id, ids: ['21.2.b'], edit: { owner: 'Eve' } })
  const fieldsOf =
    '{ isApplicable justification implementation owner measures evidence risks reviewedOn nextReviewOn }'
  const compare = `query ($before: ID!, $after: ID!) { complianceStatementDifferences(before: $before, after: $after) {
    controlId before ${fieldsOf} after ${fieldsOf} } }`
  const rowOfCarol = {
    isApplicable: true,
    justification: 'because',
    implementation: 'unstated',
    owner: 'Carol',
    measures: '',
    evidence: '',
    risks: '',
    reviewedOn: '',
    nextReviewOn: '',
  }
  expect(await ask(compare, { before: id, after: next.id })).toEqual([
    { controlId: '21.2.b', before: rowOfCarol, after: { ...rowOfCarol, owner: 'Eve' } },
  ])
  const list = 'query ($of: ID) { complianceStatements(framework: $of) { id } }'
  expect(await ask(list, { of: NIS2 })).toEqual([{ id: next.id }, { id }])
  expect(await ask(list)).toHaveLength(2)
  expect(await ask(list, { of: 'soc-2' })).toEqual([])
  await expect(ask(one, { id: '00000000-0000-4000-8000-000000000000' })).rejects.toThrow('not_found')
})
