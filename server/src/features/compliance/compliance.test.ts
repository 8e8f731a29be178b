import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { submit } from '#features/sources/sources.ts'
import { deleteAsset } from '#features/assets/assets.ts'
import type { Ctx } from '#platform/context.ts'
import { sharedTestApp } from '#test/support/app/test-app.ts'
import { createCheck, deleteCheck, previewCheck, updateCheck, type CheckInput } from './checks/own-checks.ts'
import {
  adoptFramework,
  dropFramework,
  evaluateNow,
  explainControl,
  listAffectedAssets,
  listChecks,
  listFrameworks,
} from './compliance.ts'
import { attestControl, withdrawAttestation } from './attestations/attestations.ts'
import {
  approveException,
  createException,
  endException,
  endExpired,
  setExceptionsNeedApproval,
} from './exceptions/exceptions.ts'

const home = sharedTestApp()
const CSF = 'nist-csf-2.0'
const PAGE = { limit: 50, offset: 0 }
/** A control that no shipped check judges. */
const FREE = 'GV.PO-01'
const HEADING = 'GV.PO'
const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString()
const person = (of: Ctx, id: string): Ctx => ({
  ...of,
  actor: { ...of.actor, kind: 'user', id, name: `${id}@x` },
})
const own = (condition: string, more: Partial<CheckInput> = {}): CheckInput => ({
  title: 'Serial numbers begin with A',
  scope: 'tag = judged',
  condition,
  severity: 'medium',
  next: 'Look at the label.',
  controls: [{ framework: CSF, controlId: FREE }],
  tolerance: '0',
  ...more,
})

async function asset(of: Ctx, name: string, serial?: string): Promise<string> {
  await submit(of, { kind: 'csv', name: 'list' }, [
    {
      sourceKey: name,
      seenAt: of.now(),
      name,
      tags: ['judged'],
      identifiers: [
        { type: 'hostname', value: name },
        ...(serial === undefined ? [] : [{ type: 'serial' as const, value: serial }]),
      ],
      ...(serial === undefined ? {} : { serial }),
    },
  ])
  const { id } = await of.db.one(sql<{ id: string }>`
    select id from assets where tenant_id = ${of.tenantId} and hostname = ${name}`)
  return id
}

async function updates(of: Ctx): Promise<Record<string, unknown>[]> {
  const rows = await of.db.all(sql<{ body: Buffer }>`
    select body from events where tenant_id = ${of.tenantId} and type = 'COMPLIANCE_UPDATED' order by created_at, id`)
  return rows.map(({ body }) => JSON.parse(body.toString()) as Record<string, unknown>)
}
const updatesOf = async (of: Ctx, controlId: string) =>
  (await updates(of)).filter((it) => it['control_id'] === controlId)

test('a control fails, is excepted, fails again and passes; each change is told once with its assets', async () => {
  const of = await home().newTenant()
  const [good, bad, silent] = [
    await asset(of, 'good', 'ACME10017'),
    await asset(of, 'bad', 'BOLT20018'),
    await asset(of, 'silent'),
  ]
  await adoptFramework(of, CSF)
  const check = await createCheck(of, own('serial : acme'))
  await evaluateNow(of)
  await evaluateNow(of)
  const control = await explainControl(of, CSF, FREE)
  expect(control).toMatchObject({
    status: 'fail',
    why: ['Serial numbers begin with A: 1 of 3 assets fails; for one other it is not known.'],
    judgedBy: [{ id: check.id, inScope: 3, ok: 1, failed: 1, unknown: 1, next: 'Look at the label.' }],
    history: [{ from: 'not_assessed', to: 'fail' }],
  })
  expect((await listAffectedAssets(of, PAGE, check.id)).items).toMatchObject([
    { assetId: bad, outcome: 'failed' },
    { assetId: silent, outcome: 'unknown' },
  ])
  const exception = await createException(of, {
    checkId: check.id,
    assetId: bad,
    reason: 'leased',
    expiresAt: inDays(9),
  })
  expect(await explainControl(of, CSF, FREE)).toMatchObject({
    status: 'warning',
    judgedBy: [{ excepted: 1 }],
  })
  await endException(of, exception.id, 'returned')
  await updateCheck(of, check.id, own('has serial', { scope: 'tag = judged and has serial' }))
  await evaluateNow(of)
  const told = await updatesOf(of, FREE)
  expect(
    told.map((it) => [it['previous_status'], it['status'], it['asset_ids'], it['recovered_asset_ids']]),
  ).toEqual([
    ['not_assessed', 'fail', [bad], []],
    ['fail', 'warning', [bad, silent].sort(), []],
    ['warning', 'fail', [bad], []],
    ['fail', 'pass', [], [bad]],
  ])
  expect(told[0]).toEqual({
    compliance_id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-5/),
    asset_id: '',
    asset_ids: [bad],
    asset_count: 1,
    recovered_asset_ids: [],
    tenant_id: of.tenantId,
    framework: CSF,
    control_id: FREE,
    status: 'fail',
    previous_status: 'not_assessed',
    updated_at: expect.any(String),
  })
  expect(new Set(told.map((it) => it['compliance_id'])).size).toBe(1)
  expect(good).not.toBe(bad)
})

test('an asset that is gone has not recovered, and warnings count for no score', async () => {
  const of = await home().newTenant()
  const [gone, mended] = [await asset(of, 'gone', 'BOLT30019'), await asset(of, 'mended', 'BOLT40020')]
  await adoptFramework(of, CSF)
  await createCheck(of, own('serial : acme'))
  await evaluateNow(of)
  await deleteAsset(of, gone)
  await asset(of, 'mended', 'ACME40020')
  await evaluateNow(of)
  const told = await updatesOf(of, FREE)
  expect(told.map((it) => [it['status'], it['recovered_asset_ids']])).toEqual([
    ['fail', []],
    ['pass', [mended]],
  ])
  const { statuses, score } = (await listFrameworks(of)).find(({ slug }) => slug === CSF) ?? {}
  expect(statuses?.warning).toBeGreaterThan(0)
  expect(score).toBe((statuses?.pass ?? 0) / ((statuses?.pass ?? 0) + (statuses?.fail ?? 0)))
})

test('unknown is no pass: a check over what was never collected is a warning', async () => {
  const of = await home().newTenant()
  await asset(of, 'silent')
  await adoptFramework(of, CSF)
  await createCheck(of, own('port = 22'))
  await evaluateNow(of)
  expect(await explainControl(of, CSF, FREE)).toMatchObject({ status: 'warning' })
})

test('every change has one event and one row of history, however many rounds run at the same time', async () => {
  const of = await home().newTenant()
  await asset(of, 'one', 'ACME10017')
  await adoptFramework(of, CSF)
  const { id } = await createCheck(of, own('serial : acme'))
  for (const condition of ['serial : acme', 'serial : bolt', 'serial : acme']) {
    await updateCheck(of, id, own(condition))
    await Promise.all([evaluateNow(of), evaluateNow(of)])
  }
  const { history } = await explainControl(of, CSF, FREE)
  const told = await updatesOf(of, FREE)
  expect(told.map((it) => it['status'])).toEqual(['pass', 'fail', 'pass'])
  expect(history.map(({ to }) => to).toReversed()).toEqual(told.map((it) => it['status']))
  const [{ changes }, all] = [
    await of.db.one(sql<{ changes: number }>`
      select count(*) as changes from compliance_control_changes where tenant_id = ${of.tenantId}`),
    await updates(of),
  ]
  expect(all).toHaveLength(changes)
})

test('an exception needs a second person where the organisation says so, and ends by itself', async () => {
  const of = await home().newTenant()
  const id = await asset(of, 'bad', 'BOLT20018')
  await adoptFramework(of, CSF)
  const check = await createCheck(of, own('serial : acme'))
  await evaluateNow(of)
  await setExceptionsNeedApproval(of, true)
  const input = { checkId: check.id, tag: 'judged', reason: 'lab', expiresAt: inDays(2) }
  const asked = await createException(person(of, 'ann'), input)
  expect(asked.state).toBe('proposed')
  expect(await explainControl(of, CSF, FREE)).toMatchObject({ status: 'fail' })
  await expect(approveException(person(of, 'ann'), asked.id)).rejects.toThrow('a second person')
  expect(await approveException(person(of, 'bob'), asked.id)).toMatchObject({
    state: 'active',
    approvedByName: 'bob@x',
  })
  expect(await explainControl(of, CSF, FREE)).toMatchObject({ status: 'warning' })
  const later = new Date(of.now().getTime() + 3 * 86_400_000)
  await endExpired({ ...of, now: () => later }, asked)
  expect((await updatesOf(of, FREE)).at(-1)).toMatchObject({ status: 'fail', asset_ids: [id] })
})

test('an attestation stands in where no check judges, until it is withdrawn', async () => {
  const of = await home().newTenant()
  const attestation = { framework: CSF, controlId: FREE, statement: 'The policy is signed.' }
  await expect(attestControl(of, { ...attestation, validUntil: inDays(90) })).rejects.toThrow(
    'framework: must be adopted',
  )
  await adoptFramework(of, CSF)
  await expect(
    attestControl(of, { ...attestation, controlId: HEADING, validUntil: inDays(90) }),
  ).rejects.toThrow('control not found')
  await attestControl(of, { ...attestation, validUntil: inDays(90) })
  expect(await explainControl(of, CSF, FREE)).toMatchObject({
    status: 'pass',
    attestation: { statement: 'The policy is signed.' },
  })
  await attestControl(of, { ...attestation, validUntil: inDays(20) })
  expect(await explainControl(of, CSF, FREE)).toMatchObject({ status: 'warning' })
  await withdrawAttestation(of, attestation)
  expect(await explainControl(of, CSF, FREE)).toMatchObject({ status: 'not_assessed', attestation: null })
  await expect(withdrawAttestation(of, attestation)).rejects.toThrow('attestation')
  expect((await updatesOf(of, FREE)).map((it) => it['status'])).toEqual(['pass', 'warning', 'not_assessed'])
})

test('dropping a framework tells that its controls are not assessed any more, and clears what only it asked for', async () => {
  const of = await home().newTenant()
  const id = await asset(of, 'bad', 'BOLT20018')
  await adoptFramework(of, CSF)
  await adoptFramework(of, CSF)
  await createCheck(of, own('serial : acme'))
  await evaluateNow(of)
  const before = (await listFrameworks(of)).find(({ slug }) => slug === CSF)
  expect(before).toMatchObject({ controls: 106, statuses: { fail: expect.any(Number) } })
  expect((await listChecks(of, CSF))[0]).toMatchObject({ status: 'fail' })
  await dropFramework(of, CSF)
  await evaluateNow(of)
  expect((await updatesOf(of, FREE)).at(-1)).toMatchObject({
    status: 'not_assessed',
    previous_status: 'fail',
    asset_ids: [],
  })
  expect((await listFrameworks(of)).find(({ slug }) => slug === CSF)).toMatchObject({
    adoptedAt: null,
    score: null,
    coverage: 0,
  })
  const { n } = await of.db.one(sql<{ n: number }>`
    select count(*) as n from compliance_results where tenant_id = ${of.tenantId}`)
  expect(n).toBe(0)
  await expect(dropFramework(of, CSF)).rejects.toThrow('framework')
  expect(id).toBeTruthy()
})

test('a deleted asset is in no result, and a deleted check judges nothing', async () => {
  const of = await home().newTenant()
  const id = await asset(of, 'bad', 'BOLT20018')
  await adoptFramework(of, CSF)
  const check = await createCheck(of, own('serial : acme'))
  await evaluateNow(of)
  await deleteAsset(of, id)
  expect(await listAffectedAssets(of, PAGE, check.id)).toEqual({ items: [], total: 0 })
  await evaluateNow(of)
  expect(await explainControl(of, CSF, FREE)).toMatchObject({ status: 'not_applicable' })
  await deleteCheck(of, check.id)
  await evaluateNow(of)
  expect(await explainControl(of, CSF, FREE)).toMatchObject({ status: 'not_assessed' })
})

test('a check that cannot be read any more is a fault of its own and no pass', async () => {
  const of = await home().newTenant()
  await asset(of, 'good', 'ACME10017')
  await adoptFramework(of, CSF)
  const { id } = await createCheck(of, own('has serial'))
  await evaluateNow(of)
  await of.db.run(sql`
    update compliance_checks set condition = 'gone = 1' where tenant_id = ${of.tenantId} and id = ${id}`)
  await evaluateNow(of)
  expect(await explainControl(of, CSF, FREE)).toMatchObject({
    status: 'not_assessed',
    judgedBy: [{ fault: expect.stringContaining('there is no field gone') }],
  })
})

test('a preview counts and writes nothing', async () => {
  const of = await home().newTenant()
  await asset(of, 'good', 'ACME10017')
  await asset(of, 'silent')
  expect(await previewCheck(of, { scope: '', condition: 'serial : acme' })).toEqual({
    inScope: 2,
    ok: 1,
    failed: 0,
    unknown: 1,
  })
})
