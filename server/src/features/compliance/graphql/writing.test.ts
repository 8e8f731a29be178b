import { sql } from 'kysely'
import { expect, test } from 'vitest'
import type { Ctx } from '#platform/context.ts'
import { sharedTestApp } from '#test/support/app/test-app.ts'
import { asker, believed, fieldAsker, headersOf, type AskField } from '#test/support/http/graphql-client.ts'
import { CSF, FREE, inDays } from '../compliance.fixture.ts'
import { explainControl } from '../compliance.ts'

const shared = sharedTestApp({ contextOf: believed })

async function tenant(): Promise<[Ctx, AskField]> {
  const ctx = await shared().newTenant()
  return [ctx, fieldAsker(asker(shared().as(), headersOf(ctx)))]
}

test('frameworks are adopted and dropped, and a control is attested where no check judges it', async () => {
  const [ctx, ask] = await tenant()
  const adopted = async () =>
    (await ask<{ slug: string; adoptedAt: string | null }[]>('{ complianceFrameworks { slug adoptedAt } }'))
      .filter(({ adoptedAt }) => adoptedAt !== null)
      .map(({ slug }) => slug)
  const args = { of: CSF, id: FREE }
  expect(await ask('mutation ($of: ID!) { adoptFramework(framework: $of) }', { of: CSF })).toBe(CSF)
  expect(await adopted()).toEqual([CSF])
  const validUntil = inDays(90)
  expect(
    await ask(
      `mutation ($of: ID!, $id: ID!, $until: DateTime!) { attestControl(framework: $of, controlId: $id, statement: "signed", validUntil: $until) {
        framework controlId statement validUntil attestedAt } }`,
      { ...args, until: validUntil },
    ),
  ).toMatchObject({ framework: CSF, controlId: FREE, statement: 'signed', validUntil })
  expect(await explainControl(ctx, CSF, FREE)).toMatchObject({ status: 'pass' })
  const withdraw = `mutation ($of: ID!, $id: ID!) { withdrawAttestation(framework: $of, controlId: $id) { id status attestation { id } } }`
  expect(await ask(withdraw, args)).toEqual({ id: FREE, status: 'not_assessed', attestation: null })
  expect(await ask('mutation ($of: ID!) { dropFramework(framework: $of) }', { of: CSF })).toBe(CSF)
  expect(await adopted()).toEqual([])
})

test('a check is made, changed, copied, upgraded, set for a framework and deleted', async () => {
  const [ctx, ask] = await tenant()
  const input = {
    title: 'Has a serial number',
    condition: 'has serial',
    severity: 'high',
    controls: [{ framework: CSF, controlId: FREE }],
  }
  const fields = '{ id title scope condition severity next tolerance revision controls }'
  const stored = { title: input.title, condition: input.condition, severity: input.severity }
  const made = await ask<{ id: string }>(
    `mutation ($check: CheckInput!) { createComplianceCheck(check: $check) ${fields} }`,
    { check: input },
  )
  expect(made).toMatchObject({ ...stored, scope: '', next: '', tolerance: '0', controls: { [CSF]: [FREE] } })
  const changed = { ...input, scope: 'has os', next: 'Ask.', tolerance: '2%', severity: 'low' }
  expect(
    await ask(
      `mutation ($id: ID!, $check: CheckInput!) { updateComplianceCheck(id: $id, check: $check) ${fields} }`,
      { id: made.id, check: changed },
    ),
  ).toMatchObject({ id: made.id, scope: 'has os', next: 'Ask.', tolerance: '2%', severity: 'low' })
  const set = `mutation ($id: ID!, $isOff: Boolean!, $tolerance: String) {
    setComplianceCheck(framework: "${CSF}", checkId: $id, isOff: $isOff, tolerance: $tolerance) { framework isOff tolerance } }`
  expect(await ask(set, { id: 'no-ftp', isOff: true })).toEqual({
    framework: CSF,
    isOff: true,
    tolerance: null,
  })
  expect(await ask(set, { id: 'no-ftp', isOff: false, tolerance: '3' })).toEqual({
    framework: CSF,
    isOff: false,
    tolerance: '3',
  })
  const copy = await ask<{ id: string }>(`mutation { copyComplianceCheck(id: "no-ftp") { id title } }`)
  await ctx.db.run(sql`
    update compliance_checks set copied = copied || '{"next": "Another step."}'
    where tenant_id = ${ctx.tenantId} and id = ${copy.id}`)
  const detail = `query ($id: ID!) { complianceCheck(id: $id) { check { id copiedFrom isOwn } settings { framework isOff tolerance }
    countsFor { framework frameworkTitle controlId title status } asks { name } upgrade { field copied own shipped } } }`
  const found = await ask<{ upgrade: { own: string; shipped: string }[]; countsFor: unknown[] }>(detail, {
    id: copy.id,
  })
  expect(found).toMatchObject({
    check: { id: copy.id, copiedFrom: 'no-ftp', isOwn: true },
    upgrade: [{ field: 'next', copied: 'Another step.' }],
  })
  expect(found.countsFor.length).toBeGreaterThan(1)
  const decide = `mutation ($id: ID!, $take: Boolean!) { decideComplianceCheckUpgrade(id: $id, take: $take) { id next } }`
  expect(await ask(decide, { id: copy.id, take: true })).toEqual({
    id: copy.id,
    next: found.upgrade[0]?.shipped,
  })
  await expect(ask(decide, { id: copy.id, take: true })).rejects.toThrow('conflict')
  expect(await ask('mutation ($id: ID!) { deleteComplianceCheck(id: $id) }', { id: made.id })).toBe(made.id)
  await expect(ask(detail, { id: made.id })).rejects.toThrow('not_found')
})

test('texts that an organisation holds a licence for are imported, listed and removed', async () => {
  const [, ask] = await tenant()
  const put = `mutation ($rows: String!) { importComplianceTexts(framework: "soc-2", rows: $rows, isExported: true) }`
  expect(await ask(put, { rows: 'id,title,text\nCC6.1,Access,Be careful.' })).toBe(1)
  const list = '{ complianceTextImports { framework isExported importedAt importedBy controls } }'
  expect(await ask(list)).toMatchObject([{ framework: 'soc-2', isExported: true, controls: 1 }])
  expect(await ask('{ complianceControl(framework: "soc-2", id: "CC6.1") { text licensedTitle } }')).toEqual({
    text: 'Be careful.',
    licensedTitle: 'Access',
  })
  expect(await ask('mutation { removeComplianceTexts(framework: "soc-2") }')).toBe('soc-2')
  expect(await ask(list)).toEqual([])
})
