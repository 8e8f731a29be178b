import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { recordEvidenceOf } from '#features/compliance/evidence/evidence.ts'
import { createCheck } from '#features/compliance/checks/own-checks.ts'
import { adoptFramework, evaluateNow } from '#features/compliance/compliance.ts'
import { submit } from '#features/sources/sources.ts'
import { sharedTestApp } from '#test/support/app/test-app.ts'
import { generated } from '../reports.fixture.ts'

const app = sharedTestApp()
const NIS2 = 'nis2-article-21'

test('each control of an adopted framework is a row with its status, counts and what fails', async () => {
  const ctx = await app().newTenant()
  await submit(ctx, { kind: 'csv', name: 'list' }, [
    { sourceKey: 'web', seenAt: ctx.now(), name: 'web', identifiers: [{ type: 'hostname', value: 'web' }] },
  ])
  await adoptFramework(ctx, NIS2)
  await createCheck(ctx, {
    title: 'Has a serial number',
    scope: '',
    condition: 'has serial',
    severity: 'high',
    next: 'Scan it.',
    controls: [{ framework: NIS2, controlId: '21.2.b' }],
    tolerance: '0',
  })
  await evaluateNow(ctx)
  const period = `${ctx.now().getUTCFullYear()}`
  const csv = await generated(ctx, { name: 'n', type: 'compliance_report', period })
  const lines = csv.file.toString().trimEnd().split('\r\n')
  expect(lines).toHaveLength(17)
  expect(lines.find((it) => it.includes('21.2.b'))).toMatch(
    /^nis2-article-21,21\.2\.b,Incident handling,fail,not_assessed,[^,]+,1,0,1,0,0,1\.0000,,,$/,
  )
  expect(lines.find((it) => it.includes('21.2.f'))).toMatch(/,not_assessed,not_assessed,,,,,,,,,,$/)
  const { file } = await generated(ctx, { name: 'n', type: 'compliance_report' })
  expect(file.toString()).toContain('Incident handling,fail,not_assessed,')
  expect(file.toString()).toMatch(/,not_assessed,,,,,,,,,,,\r\n/)
  const evidenceId = await recordEvidenceOf(ctx, NIS2, '21.2.b')
  const xml = await generated(ctx, { name: 'n', type: 'compliance_report', format: 'xml' })
  expect(xml.file.toString()).toContain(`<cell of="evidence">${evidenceId}</cell>`)
  const { id } = await ctx.db.one(
    sql<{ id: string }>`select id from assets where tenant_id = ${ctx.tenantId}`,
  )
  expect(xml.file.toString()).toContain(id)
  expect(xml.file.toString()).toContain('Scan it.')
})

test('with nothing adopted the report has its header alone, and says so', async () => {
  const ctx = await app().newTenant()
  const { file } = await generated(ctx, { name: 'n', type: 'compliance_report', format: 'xml' })
  expect(file.toString()).toContain('No framework is adopted')
})
