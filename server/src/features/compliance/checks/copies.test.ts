import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { submit } from '#features/sources/sources.ts'
import type { Ctx } from '#platform/context.ts'
import { sharedTestApp } from '#test/support/app/test-app.ts'
import { explainCheck } from '../check-detail.ts'
import { adoptFramework, evaluateNow, explainControl } from '../compliance.ts'
import { setCheckSetting } from './check-settings.ts'
import { copyCheck, decideUpgrade } from './copies.ts'
import { deleteCheck, updateCheck } from './own-checks.ts'

const home = sharedTestApp()
const CSF = 'nist-csf-2.0'
const CIS = 'cis-8.1'
/** Telnet and FTP are open: these fail, and `no-ftp` counts for the same controls. */
const CHECK = 'no-telnet'
let ctx: Ctx

beforeAll(async () => {
  ctx = await home().newTenant()
  await submit(ctx, { kind: 'agent', name: 'a' }, [
    {
      sourceKey: 'k',
      seenAt: new Date(),
      assetType: 'device',
      identifiers: [{ type: 'hostname', value: 'srv-1' }],
      facts: { listening: ['tcp 0.0.0.0 23', 'tcp 0.0.0.0 443'] },
    },
  ])
  for (const slug of [CSF, CIS]) await adoptFramework(ctx, slug)
  await evaluateNow(ctx)
})

const judging = async (framework: string, controlId: string) =>
  (await explainControl(ctx, framework, controlId)).judgedBy.map(({ id }) => id)

test('a check is switched off for one framework, and counts for the others', async () => {
  await setCheckSetting(ctx, { framework: CIS, checkId: CHECK, isOff: true, tolerance: null })
  await evaluateNow(ctx)
  expect(await judging(CIS, '4.6')).not.toContain(CHECK)
  expect(await judging(CSF, 'PR.DS-02')).toContain(CHECK)
  expect((await explainCheck(ctx, CHECK)).settings).toMatchObject([{ framework: CIS, isOff: true }])
  await setCheckSetting(ctx, { framework: CIS, checkId: CHECK, isOff: false, tolerance: null })
  expect(await judging(CIS, '4.6')).toContain(CHECK)
})

test('a framework tolerates failures that another one does not', async () => {
  const found = async (framework: string, controlId: string) =>
    (await explainControl(ctx, framework, controlId)).judgedBy.find(({ id }) => id === CHECK)
  expect(await found(CSF, 'PR.DS-02')).toMatchObject({ status: 'fail', failed: 1 })
  await setCheckSetting(ctx, { framework: CSF, checkId: CHECK, isOff: false, tolerance: '1' })
  expect(await found(CSF, 'PR.DS-02')).toMatchObject({ status: 'warning', tolerance: '1' })
  expect(await found(CIS, '4.6')).toMatchObject({ status: 'fail', tolerance: '0' })
  await setCheckSetting(ctx, { framework: CSF, checkId: CHECK, isOff: false, tolerance: null })
})

test.each([
  [{ framework: 'x' }, 'framework'],
  [{ checkId: 'x' }, 'check'],
  [{ tolerance: 'some' }, 'tolerance'],
  [{ framework: 'cra-annex-1', checkId: 'seen-30d' }, 'framework'],
])('a setting of %j is refused', async (change, field) => {
  const setting = { framework: CSF, checkId: CHECK, isOff: true, tolerance: null, ...change }
  await expect(setCheckSetting(ctx, setting)).rejects.toThrow(field)
})

test('a copy takes the place of the original, and an upgrade of the original is shown until it is decided', async () => {
  const { id } = await copyCheck(ctx, CHECK)
  await expect(copyCheck(ctx, CHECK)).rejects.toThrow('copied already')
  await evaluateNow(ctx)
  expect(await judging(CSF, 'PR.DS-02')).toContain(id)
  expect(await judging(CSF, 'PR.DS-02')).not.toContain(CHECK)
  const copy = await explainCheck(ctx, id)
  expect(copy).toMatchObject({ copiedFrom: CHECK, upgrade: [], failed: 1 })
  await expect(decideUpgrade(ctx, id, { take: true })).rejects.toThrow('has not been changed')
  const controls = copy.countsFor.map(({ framework, controlId }) => ({ framework, controlId }))
  const { title, scope, condition, severity, next } = copy
  const input = {
    scope,
    condition,
    severity,
    next,
    controls,
    tolerance: '3',
    title: `${title}, as we see it`,
  }
  await updateCheck(ctx, id, input)
  // as if it had been copied from a version of the product that asked otherwise
  await ctx.db.run(sql`
    update compliance_checks set condition = 'not port = 2323', copied = copied || '{"condition": "not port = 2323"}'
    where tenant_id = ${ctx.tenantId} and id = ${id}`)
  expect((await explainCheck(ctx, id)).upgrade).toEqual([
    { field: 'condition', copied: 'not port = 2323', own: 'not port = 2323', shipped: condition },
  ])
  const taken = await decideUpgrade(ctx, id, { take: true })
  expect(taken).toMatchObject({ condition, tolerance: '3', title: `${title}, as we see it`, revision: 3 })
  expect((await explainCheck(ctx, id)).upgrade).toEqual([])
})

test('what is kept is not shown again, and a copy that is deleted gives its place back', async () => {
  const [own] = await ctx.db.all(sql<{ id: string }>`
    select id from compliance_checks where tenant_id = ${ctx.tenantId} and copied_from = ${CHECK}`)
  const id = own?.id ?? ''
  await ctx.db.run(sql`
    update compliance_checks set copied = copied || '{"severity": "low"}'
    where tenant_id = ${ctx.tenantId} and id = ${id}`)
  const before = await explainCheck(ctx, id)
  expect(before.upgrade).toMatchObject([{ field: 'severity', copied: 'low' }])
  await decideUpgrade(ctx, id, { take: false })
  expect(await explainCheck(ctx, id)).toMatchObject({ upgrade: [], severity: before.severity })
  await deleteCheck(ctx, id)
  expect(await judging(CSF, 'PR.DS-02')).toContain(CHECK)
})
