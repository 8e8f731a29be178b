import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { sql } from 'kysely'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import {
  auditExtract,
  canonicalJson,
  listCheckpoints,
  signCheckpoint,
  verifyProof,
} from '#features/audit/audit.ts'
import { uploadAttachment } from '#features/records/records.ts'
import { submit } from '#features/sources/sources.ts'
import { atomically, type Ctx } from '#platform/context.ts'
import { sharedTestApp } from '#test/support/app/test-app.ts'
import { lockAdoptions } from '../adoption-store.ts'
import { attestControl, withdrawAttestation } from '../attestations/attestations.ts'
import { adoptFramework, evaluateNow, listControls } from '../compliance.ts'
import { unnoticedChanges } from '#test/support/unnoticed-changes.ts'
import {
  enqueueMonthlyEvidence,
  evidenceProof,
  listEvidence,
  recordEvidence,
  recordEvidenceOf,
} from './evidence.ts'

const home = sharedTestApp()
const NIS2 = 'nis2-article-21'
let ctx: Ctx
let controlId = ''
let text = ''
beforeAll(async () => {
  ctx = await home().newTenant()
  await submit(ctx, { kind: 'csv', name: 'list' }, [
    { sourceKey: 'a', seenAt: ctx.now(), identifiers: [{ type: 'hostname', value: 'a' }] },
  ])
  await adoptFramework(ctx, NIS2)
  await evaluateNow(ctx)
  controlId = (await listControls(ctx, NIS2, { statuses: ['fail', 'warning'] }))[0]?.id ?? ''
  await recordEvidence(ctx, { framework: NIS2, controlIds: [controlId] })
  const [evidence] = await listEvidence(ctx, { framework: NIS2, controlId })
  text = JSON.stringify(await evidenceProof(ctx, evidence?.id ?? ''))
})
const published = async () => (await fetch(`${await home().address()}/.well-known/rollcall.json`)).text()

test('evidence says what a control was judged on, and is proved without the installation', async () => {
  expect(JSON.parse(text)).toMatchObject({
    kind: 'evidence',
    document: { framework: NIS2, control: controlId, checks: expect.any(Array) },
  })
  const keys = await published()
  expect(verifyProof(text, { keys })).toEqual({
    facts: [
      expect.stringMatching(/^evidence: entries/),
      expect.stringContaining('which was published'),
      expect.stringContaining('the log names the digest'),
      expect.stringMatching(
        new RegExp(`^compliance_evidence.recorded at .* by .*"control":"${controlId}".*"status":"`),
      ),
    ],
    faults: [],
  })
})

test('a changed byte anywhere fails, and says where', () => {
  const seq = (JSON.parse(text) as { links: { seq: number }[] }).links[0]?.seq ?? 0
  const changed: [string | RegExp, string, string][] = [
    ['"status":"', '"status":"x', 'names the digest of the document'],
    [/("text":"\[)/, '$1 ', `entry ${seq}: is not as it was written`],
    [/"signed_at":"2/, '"signed_at":"3', `checkpoint ${seq}: its signature`],
    [/"signature":"(.)/, '"signature":"/$1', 'parts of a proof'],
  ]
  for (const [before, after, fault] of changed)
    expect(verifyProof(text.replace(before, after)).faults.join()).toContain(fault)
  expect(unnoticedChanges(text)).toEqual([])
})

test('the key must be one that was published, when those are given', async () => {
  const others = (await published()).replace(/"public_key":"[^"]{8}/, '"public_key":"AAAAAAAA')
  expect(verifyProof(text, { keys: others }).faults.join()).toContain('none of those that were published')
})

test('an extract of the log holds as a whole; an entry that is missing is named', async () => {
  const until = new Date(ctx.now().getTime() + 60_000).toISOString()
  const proof = await auditExtract(ctx, '2000-01-01T00:00:00Z', until)
  expect(proof.links.length).toBeGreaterThan(2)
  expect(verifyProof(JSON.stringify(proof)).faults).toEqual([])
  const without = { ...proof, links: proof.links.filter((_, at) => at !== 1) }
  expect(verifyProof(JSON.stringify(without)).faults.join()).toContain(
    `entry ${proof.links[1]?.seq}: is missing`,
  )
})

test('the program is one file that runs alone', () => {
  const folder = mkdtempSync(join(tmpdir(), 'proof-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const script = new URL('../../audit/proof/verify-proof.ts', import.meta.url).pathname
  const file = join(folder, 'evidence.json')
  const run = () => execFileSync(process.execPath, [script, file], { encoding: 'utf8', stdio: 'pipe' })
  writeFileSync(file, text)
  expect(run()).toMatch(/^PROVED/)
  writeFileSync(file, text.replace('"control":"', '"control":"x'))
  expect(run).toThrow('Command failed')
})

test.each([
  '',
  'null',
  '[]',
  '{}',
  '{"format":"rollcall-proof/1"}',
  '{"format":"rollcall-proof/1","links":[1]}',
])('a file that holds %j is refused, not a crash', (content) => {
  expect(verifyProof(content).faults).not.toEqual([])
})

test('a checkpoint is signed once for each last entry', async () => {
  await signCheckpoint(ctx)
  await signCheckpoint(ctx)
  expect(await listCheckpoints(ctx)).toHaveLength(1)
})

test.each([
  [{ b: 1, a: [1.5, 'é\n', null, true] }, '{"a":[1.5,"é\\n",null,true],"b":1}'],
  [{ '\u20ac': 1, '\r': 2, '1': 3 }, '{"\\r":2,"1":3,"€":1}'],
  [1e21, '1e+21'],
  [-0, '0'],
])('canonical JSON of %j', (value, expected) => {
  expect(canonicalJson(value)).toBe(expected)
})

test('of two changes before the first is recorded, each is recorded with its own status', async () => {
  const of = await home().newTenant()
  await adoptFramework(of, NIS2)
  const control = { framework: NIS2, controlId: '21.2.b' }
  await attestControl(of, {
    ...control,
    statement: 'written down',
    validUntil: new Date(of.now().getTime() + 90 * 86_400_000).toISOString(),
  })
  await withdrawAttestation({ ...of, now: () => new Date(Date.now() + 1_000) }, control)
  const jobs = await of.db.all(sql<{ payload: Parameters<typeof recordEvidence>[1] }>`
    select payload from jobs where tenant_id = ${of.tenantId} and name = 'compliance.recordEvidence' order by id`)
  for (const { payload } of jobs)
    if (payload.controlIds.includes(control.controlId)) await recordEvidence(of, payload)
  const proofs = []
  for (const it of await listEvidence(of, control)) proofs.push(await evidenceProof(of, it.id))
  const statuses = proofs.map(({ document }) => (document as { status: string }).status)
  expect(statuses.toSorted()).toEqual(['not_assessed', 'pass'])
})

test('every control with a status has evidence of each month, and the change that it was recorded for names it', async () => {
  const of = await home().newTenant()
  await adoptFramework(of, NIS2)
  const control = { framework: NIS2, controlId: '21.2.b' }
  const validUntil = new Date(of.now().getTime() + 90 * 86_400_000).toISOString()
  await attestControl(of, { ...control, statement: 'written down', validUntil })
  const recorded = async () => {
    const jobs = await of.db.all(sql<{ payload: Parameters<typeof recordEvidence>[1] }>`
      delete from jobs where tenant_id = ${of.tenantId} and name = 'compliance.recordEvidence' returning payload`)
    for (const { payload } of jobs) await recordEvidence(of, payload)
    return (await listEvidence(of, control)).length
  }
  expect(await recorded()).toBe(1)
  const [change] = await of.db.all(sql<{ id: string }>`
    select evidence_id as id from compliance_control_changes where tenant_id = ${of.tenantId} and control_id = '21.2.b'`)
  expect(change?.id).toBe((await listEvidence(of, control))[0]?.id)
  await enqueueMonthlyEvidence(of)
  expect(await recorded()).toBe(1)
  const month = new Date(Date.UTC(of.now().getUTCFullYear(), of.now().getUTCMonth() + 1, 1, 0, 5))
  await enqueueMonthlyEvidence({ ...of, now: () => month })
  expect(await recorded()).toBe(2)
})

test('recording waits for nobody who judges meanwhile', async () => {
  await atomically(ctx, async (judging) => {
    await lockAdoptions(judging)
    const id = await recordEvidenceOf(ctx, NIS2, controlId)
    expect((await listEvidence(judging, { framework: NIS2, controlId }))[0]?.id).toBe(id)
  })
})

test('files that an attestation rests on are named by their digests', async () => {
  const of = await home().newTenant()
  const control = { framework: NIS2, controlId: '21.2.g' }
  await adoptFramework(of, NIS2)
  await attestControl(of, {
    ...control,
    statement: 'trained',
    validUntil: new Date(of.now().getTime() + 60 * 86_400_000).toISOString(),
  })
  const content = Buffer.from('who was there')
  const file = { key: 'k', name: 'list.txt', bytes: content.length, at: 0, content: Readable.from([content]) }
  await uploadAttachment(of, { control: `${NIS2} 21.2.g`, ...file })
  const id = await recordEvidenceOf(of, NIS2, '21.2.g')
  const sha256 = createHash('sha256').update(content).digest('hex')
  expect(await evidenceProof(of, id)).toMatchObject({
    document: { attestation: { files: [{ name: 'list.txt', bytes: content.length, sha256 }] } },
  })
})
