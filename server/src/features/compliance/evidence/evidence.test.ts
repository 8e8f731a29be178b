import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import {
  auditExtract,
  canonicalJson,
  listCheckpoints,
  signCheckpoint,
  verifyProof,
} from '#features/audit/audit.ts'
import { submit } from '#features/sources/sources.ts'
import type { Ctx } from '#platform/context.ts'
import { sharedTestApp } from '#test/support/app/test-app.ts'
import { adoptFramework, evaluateNow, listControls } from '../compliance.ts'
import { evidenceProof, listEvidence, recordEvidence } from './evidence.ts'

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
  controlId = (await listControls(ctx, NIS2, ['fail', 'warning']))[0]?.id ?? ''
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
    ],
    faults: [],
  })
})

test('a changed byte anywhere fails, and says where', () => {
  const seq = (JSON.parse(text) as { links: { seq: number }[] }).links[0]?.seq ?? 0
  const changed: [string | RegExp, string, string][] = [
    ['"status":"', '"status":"x', `entry ${seq}: names another digest`],
    [/("text":"\[)/, '$1 ', `entry ${seq}: is not as it was written`],
    [/"signed_at":"2/, '"signed_at":"3', `checkpoint ${seq}: its signature`],
    [/"signature":"(.)/, '"signature":"/$1', 'parts of a proof'],
  ]
  for (const [before, after, fault] of changed)
    expect(verifyProof(text.replace(before, after)).faults.join()).toContain(fault)
  const unnoticed = Array.from({ length: text.length }, (_, at) => text[at]).flatMap((letter, at) => {
    const changed = `${text.slice(0, at)}${letter === 'x' ? 'y' : 'x'}${text.slice(at + 1)}`
    return verifyProof(changed).faults.length > 0 ? [] : [changed.slice(Math.max(0, at - 30), at + 10)]
  })
  expect(unnoticed).toEqual([])
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
