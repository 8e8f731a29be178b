import { beforeAll, expect, test } from 'vitest'
import type { Ctx } from '#platform/context.ts'
import { sharedTestApp } from '#test/support/app/test-app.ts'
import { asker, believed, fieldAsker, headersOf, type AskField } from '#test/support/http/graphql-client.ts'
import { CSF, FREE, inDays, judgedScene, type JudgedScene } from '../compliance.fixture.ts'
import { createException } from '../exceptions/exceptions.ts'

const shared = sharedTestApp({ contextOf: believed })
let ctx: Ctx
let ask: AskField
let scene: JudgedScene

beforeAll(async () => {
  ctx = await shared().newTenant()
  ask = fieldAsker(asker(shared().as(), headersOf(ctx)))
  scene = await judgedScene(ctx)
})

const TARGET = '$checkId: ID, $framework: ID, $controlId: ID, $assetId: ID, $tag: String, $where: String'
const GIVEN =
  'checkId: $checkId, framework: $framework, controlId: $controlId, assetId: $assetId, tag: $tag, where: $where'
const create = `mutation ($expiresAt: DateTime!, ${TARGET}) { createComplianceException(reason: "leased", expiresAt: $expiresAt, ${GIVEN}) {
  id checkId framework controlId title assetId assetName tag where reason state expiresAt approvedAt approvedBy endedAt endedBecause } }`
const list = `query ($checkIds: [ID!], $framework: ID, $controlId: ID, $first: Int, $offset: Int) {
  complianceExceptions(checkIds: $checkIds, framework: $framework, controlId: $controlId, first: $first, offset: $offset) { total items { id state } } }`
const end = `mutation ($id: ID!) { endComplianceException(id: $id, reason: "returned") { id state endedAt endedBecause } }`

test('a preview says what an exception would cover and which controls would change', async () => {
  const preview = `query (${TARGET}) { complianceExceptionPreview(${GIVEN}) {
    assets failing excepted listed { id name } controls { framework frameworkTitle controlId title before after } } }`
  const covered = { failing: 1, excepted: 0, listed: [{ id: scene.failed, name: 'bad' }] }
  const controls = [
    {
      framework: CSF,
      frameworkTitle: 'NIST Cybersecurity Framework',
      controlId: FREE,
      title: expect.any(String),
      before: 'fail',
      after: 'warning',
    },
  ]
  const check = { checkId: scene.checkId }
  const cases: readonly [Record<string, string>, object][] = [
    [check, { ...covered, assets: null, controls }],
    [
      { ...check, assetId: scene.ok },
      { assets: 1, failing: 0, excepted: 0, listed: [], controls: [] },
    ],
    [
      { ...check, assetId: scene.failed },
      { ...covered, assets: 1, controls },
    ],
    [
      { ...check, tag: 'judged' },
      { ...covered, assets: 3, controls },
    ],
    [
      { ...check, where: 'serial : bolt' },
      { ...covered, assets: 1, controls },
    ],
    [
      { framework: CSF, controlId: FREE },
      { ...covered, assets: null, controls },
    ],
  ]
  const found = await Promise.all(cases.map(([target]) => ask(preview, target)))
  expect(found).toEqual(cases.map(([, expected]) => expected))
})

test('an exception is made, listed by its check and its control, and ended', async () => {
  const expiresAt = inDays(9)
  const made = await ask<{ id: string }>(create, {
    checkId: scene.checkId,
    assetId: scene.failed,
    expiresAt,
  })
  expect(made).toEqual({
    id: expect.any(String),
    checkId: scene.checkId,
    framework: null,
    controlId: null,
    title: 'Serial numbers begin with A',
    assetId: scene.failed,
    assetName: 'bad',
    tag: null,
    where: null,
    reason: 'leased',
    state: 'active',
    expiresAt,
    approvedAt: null,
    approvedBy: null,
    endedAt: null,
    endedBecause: null,
  })
  const ofControl = await ask<{ id: string }>(create, {
    framework: CSF,
    controlId: FREE,
    where: 'serial : bolt',
    expiresAt,
  })
  expect(ofControl).toMatchObject({
    checkId: null,
    framework: CSF,
    controlId: FREE,
    assetId: null,
    where: 'serial : bolt',
  })
  const [one, two] = [
    { id: made.id, state: 'active' },
    { id: ofControl.id, state: 'active' },
  ]
  const cases: readonly [Record<string, unknown>, number, object[]][] = [
    [{}, 2, [two, one]],
    [{ first: 1, offset: 1 }, 2, [one]],
    [{ checkIds: [scene.checkId] }, 1, [one]],
    [{ checkIds: ['no-ftp'] }, 0, []],
    [{ checkIds: ['no-ftp'], framework: CSF, controlId: FREE }, 1, [two]],
    // half a control is none
    [{ checkIds: ['no-ftp'], framework: CSF }, 0, []],
    [{ checkIds: ['no-ftp'], controlId: FREE }, 0, []],
  ]
  const found = await Promise.all(cases.map(([args]) => ask(list, args)))
  expect(found).toEqual(cases.map(([, total, items]) => ({ total, items })))
  const covered = await ask<{ items: { assetId: string; isExcepted: boolean }[] }>(
    'query ($id: ID!) { complianceCheckAssets(checkId: $id) { items { assetId isExcepted } } }',
    { id: scene.checkId },
  )
  expect(covered.items.find(({ assetId }) => assetId === scene.failed)?.isExcepted).toBe(true)
  expect(await ask(end, { id: made.id })).toEqual({
    id: made.id,
    state: 'ended',
    endedAt: expect.any(String),
    endedBecause: 'returned',
  })
  await ask(end, { id: ofControl.id })
})

test('where a second person is needed, an exception that somebody proposed is approved', async () => {
  const isNeeded = () => ask('{ complianceExceptionsNeedApproval }')
  const need = 'mutation ($needed: Boolean!) { setComplianceExceptionsNeedApproval(needed: $needed) }'
  expect(await isNeeded()).toBe(false)
  expect(await ask(need, { needed: true })).toBe(true)
  expect(await isNeeded()).toBe(true)
  const ann: Ctx = { ...ctx, actor: { ...ctx.actor, kind: 'user', id: 'ann', name: 'ann@x' } }
  const expiresAt = inDays(3)
  const { id } = await createException(ann, {
    checkId: scene.checkId,
    tag: 'judged',
    reason: 'lab',
    expiresAt,
  })
  const approve = `mutation ($id: ID!) { approveComplianceException(id: $id) { id state tag createdBy approvedAt } }`
  expect(await ask(approve, { id })).toEqual({
    id,
    state: 'active',
    tag: 'judged',
    createdBy: 'ann@x',
    approvedAt: expect.any(String),
  })
  const own = await ask<{ id: string; state: string }>(create, { checkId: scene.checkId, expiresAt })
  expect(own.state).toBe('proposed')
  await expect(ask(approve, { id: own.id })).rejects.toThrow('a second person')
  expect(await ask(need, { needed: false })).toBe(false)
})
