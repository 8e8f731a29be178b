import { beforeAll, expect, test } from 'vitest'
import type { Ctx } from '#platform/context.ts'
import { sharedTestApp } from '#test/support/app/test-app.ts'
import { asker, believed, fieldAsker, headersOf, type AskField } from '#test/support/http/graphql-client.ts'
import { CSF, FREE, judgedScene, type JudgedScene } from '../compliance.fixture.ts'
import { explainControl } from '../compliance.ts'

const shared = sharedTestApp({ contextOf: believed })
let ctx: Ctx
let ask: AskField
let scene: JudgedScene

beforeAll(async () => {
  ctx = await shared().newTenant()
  ask = fieldAsker(asker(shared().as(), headersOf(ctx)))
  scene = await judgedScene(ctx)
})

const JUDGED = {
  title: 'Serial numbers begin with A',
  severity: 'medium',
  status: 'fail',
  next: 'Look at the label.',
  sentence: 'Serial numbers begin with A: 1 of 3 assets fails; for one other it is not known.',
  isOwn: true,
  copiedFrom: null,
  inScope: 3,
  ok: 1,
  failed: 1,
  unknown: 1,
  excepted: 0,
}
const JUDGED_FIELDS = Object.keys(JUDGED).join(' ')
const WHOLE = { ...JUDGED, scope: 'tag = judged', condition: 'serial : acme', freshness: '', tolerance: '0' }
const WHOLE_FIELDS = Object.keys(WHOLE).join(' ')

test('a framework tells how many of its controls are in which status', async () => {
  const frameworks = await ask<Record<string, unknown>[]>(
    `{ complianceFrameworks { slug title version controls judgeable adoptedAt pass warning fail notApplicable notAssessed score coverage } }`,
  )
  const csf = frameworks.find(({ slug }) => slug === CSF) ?? {}
  const count = async (status: string) =>
    (
      await ask<unknown[]>(
        `query ($of: ID!, $in: [ControlStatus!]) { complianceControls(framework: $of, statuses: $in) { id } }`,
        { of: CSF, in: [status] },
      )
    ).length
  expect(csf).toMatchObject({
    title: 'NIST Cybersecurity Framework',
    version: '2.0',
    controls: 106,
    adoptedAt: expect.any(String),
    pass: await count('pass'),
    warning: await count('warning'),
    fail: await count('fail'),
    notApplicable: await count('not_applicable'),
    notAssessed: await count('not_assessed'),
  })
  const counted = ['pass', 'warning', 'fail', 'notApplicable', 'notAssessed'].map((it) => Number(csf[it]))
  expect(counted.reduce((sum, n) => sum + n, 0)).toBe(106)
  expect(Number(csf['judgeable'])).toBeGreaterThan(10)
  expect(csf['coverage']).toBeCloseTo((106 - Number(csf['notAssessed'])) / 106)
})

test('a control says why it has its status, by which checks, and since when', async () => {
  const why = [WHOLE.sentence]
  const detail = `{ id frameworkTitle parentId title licensedTitle status since why judgedBy { id controlIds ${WHOLE_FIELDS} } attestation { statement } history { from to changedAt why evidenceId } }`
  const found = await ask(
    `query ($of: ID!, $id: ID!) { complianceControl(framework: $of, id: $id) ${detail} }`,
    {
      of: CSF,
      id: FREE,
    },
  )
  expect(found).toEqual({
    id: FREE,
    frameworkTitle: 'NIST Cybersecurity Framework',
    parentId: 'GV.PO',
    title: (await explainControl(ctx, CSF, FREE)).title,
    licensedTitle: null,
    status: 'fail',
    since: expect.any(String),
    why,
    judgedBy: [{ id: scene.checkId, controlIds: [FREE], ...WHOLE }],
    attestation: null,
    history: [{ from: 'not_assessed', to: 'fail', changedAt: expect.any(String), why, evidenceId: null }],
  })
  const listed = await ask<{ id: string; isHeading: boolean }[]>(
    'query ($of: ID!) { complianceControls(framework: $of) { id isHeading status checks why } }',
    { of: CSF },
  )
  expect(listed.find(({ id }) => id === FREE)).toEqual({
    id: FREE,
    isHeading: false,
    status: 'fail',
    checks: 1,
    why,
  })
  expect(listed.find(({ id }) => id === 'GV.PO')).toMatchObject({ isHeading: true, status: null, checks: 0 })
  const narrowed = await ask(
    'query ($of: ID!, $where: String) { complianceControls(framework: $of, where: $where) { id isHeading } }',
    { of: CSF, where: `control = "${FREE}"` },
  )
  expect(narrowed).toEqual([{ id: FREE, isHeading: false }])
})

test('checks are listed with what their last round found, of one framework or of all, by a condition', async () => {
  const ofFramework = await ask<{ id: string }[]>(
    `query ($of: ID!) { complianceChecks(framework: $of, where: "failed > 0 and severity = medium") { id ${JUDGED_FIELDS} } }`,
    { of: CSF },
  )
  expect(ofFramework.find(({ id }) => id === scene.checkId)).toEqual({ id: scene.checkId, ...JUDGED })
  const list = `query ($where: String, $sort: String, $first: Int, $offset: Int) {
    checks(where: $where, sort: $sort, first: $first, offset: $offset) { total items { id frameworks controls judgedAt ${JUDGED_FIELDS} } } }`
  type Page = { total: number; items: { id: string; title: string; status: string | null }[] }
  const own = await ask<Page>(list, { where: 'title : "begin with A"' })
  expect(own).toEqual({
    total: 1,
    items: [
      {
        id: scene.checkId,
        frameworks: ['NIST Cybersecurity Framework'],
        controls: 1,
        judgedAt: expect.any(String),
        ...JUDGED,
      },
    ],
  })
  const byTitle = await ask<Page>(list, { sort: 'title', first: 3, offset: 1 })
  const titles = byTitle.items.map(({ title }) => title)
  expect(titles).toHaveLength(3)
  expect(titles).toEqual(titles.toSorted((a, b) => a.localeCompare(b)))
  expect(byTitle.total).toBeGreaterThan(20)
  const [first] = (await ask<Page>(list)).items
  expect(first?.status).toBe('fail')
  expect(await ask<Page>(list, { where: 'failed > 99999' })).toEqual({ total: 0, items: [] })
})

test('controls are listed of the adopted frameworks, what fails first', async () => {
  const list = `query ($where: String, $sort: String) { controls(where: $where, sort: $sort) { total items {
    id framework frameworkTitle controlId parentId title status since checks why } } }`
  type Page = { total: number; items: { id: string; framework: string; controlId: string; status: string }[] }
  expect(await ask<Page>(list, { where: `control = "${FREE}"` })).toEqual({
    total: 1,
    items: [
      {
        id: `${CSF} ${FREE}`,
        framework: CSF,
        frameworkTitle: 'NIST Cybersecurity Framework',
        controlId: FREE,
        parentId: 'GV.PO',
        title: expect.any(String),
        status: 'fail',
        since: expect.any(String),
        checks: 1,
        why: [WHOLE.sentence],
      },
    ],
  })
  const all = await ask<Page>(list)
  expect(all.total).toBe(106)
  expect(all.items[0]?.status).toBe('fail')
  expect(new Set(all.items.map(({ framework }) => framework))).toEqual(new Set([CSF]))
  const { items: last } = await ask<Page>(list, { sort: '-control' })
  expect(last[0]?.controlId).toBe('RS.MI-02')
})

test('assets that a check or a control does not find in order are listed, those that fail first', async () => {
  const of = (id: string, name: string, outcome: string) => ({
    assetId: id,
    name,
    outcome,
    since: expect.any(String),
    isExcepted: false,
  })
  const expected = {
    total: 2,
    items: [of(scene.failed, 'bad', 'failed'), of(scene.unknown, 'silent', 'unknown')],
  }
  const fields = '{ total items { assetId name outcome since isExcepted } }'
  expect(
    await ask(`query ($id: ID!) { complianceCheckAssets(checkId: $id) ${fields} }`, { id: scene.checkId }),
  ).toEqual(expected)
  expect(
    await ask(`query ($of: ID!, $id: ID!) { complianceControlAssets(framework: $of, id: $id) ${fields} }`, {
      of: CSF,
      id: FREE,
    }),
  ).toEqual(expected)
  const second = await ask(
    `query ($id: ID!) { complianceCheckAssets(checkId: $id, first: 1, offset: 1) ${fields} }`,
    { id: scene.checkId },
  )
  expect(second).toEqual({ total: 2, items: expected.items.slice(1) })
})

test('an asset tells which checks do not find it in order, and what is not known about it', async () => {
  const of = (assetId: string) =>
    ask<{ checkId: string }[]>(
      `query ($id: ID!) { complianceOfAsset(assetId: $id) { checkId title severity next outcome isExcepted controls { framework controlId } asks { name sentence source } } }`,
      { id: assetId },
    ).then((checks) => checks.find(({ checkId }) => checkId === scene.checkId))
  const failing = {
    checkId: scene.checkId,
    title: JUDGED.title,
    severity: 'medium',
    next: JUDGED.next,
    outcome: 'failed',
    isExcepted: false,
    controls: [{ framework: CSF, controlId: FREE }],
    asks: [],
  }
  expect(await of(scene.failed)).toEqual(failing)
  const serial = { name: 'serial', sentence: expect.any(String), source: expect.any(String) }
  expect(await of(scene.unknown)).toEqual({ ...failing, outcome: 'unknown', asks: [serial] })
  expect(await of(scene.ok)).toBeUndefined()
})

test('what a check would find is counted before it is saved, and what its change would move', async () => {
  const counts = '{ inScope ok failed unknown }'
  const preview = (args: string) => ask(`{ complianceCheckPreview(${args}) ${counts} }`)
  expect(await preview('condition: "has serial"')).toEqual({ inScope: 3, ok: 2, failed: 1, unknown: 0 })
  expect(await preview('scope: "has serial", condition: "serial : acme"')).toEqual({
    inScope: 2,
    ok: 1,
    failed: 1,
    unknown: 0,
  })
  const change = await ask(
    `query ($id: ID, $scope: String, $condition: String!) { complianceCheckChange(checkId: $id, scope: $scope, condition: $condition) {
      before ${counts} after ${counts} moves { before after assets } assets { assetId name before after } } }`,
    { id: scene.checkId, scope: 'has serial', condition: 'serial : acme' },
  )
  expect(change).toEqual({
    before: { inScope: 3, ok: 1, failed: 1, unknown: 1 },
    after: { inScope: 2, ok: 1, failed: 1, unknown: 0 },
    moves: expect.arrayContaining([
      { before: 'ok', after: 'ok', assets: 1 },
      { before: 'failed', after: 'failed', assets: 1 },
      { before: 'unknown', after: 'not_in_scope', assets: 1 },
    ]),
    assets: [{ assetId: scene.unknown, name: 'silent', before: 'unknown', after: 'not_in_scope' }],
  })
  const fresh = await ask(
    '{ complianceCheckChange(condition: "has serial") { before { inScope } after { inScope } } }',
  )
  expect(fresh).toEqual({ before: { inScope: 0 }, after: { inScope: 3 } })
})

test('evidence of a control is recorded, listed and proved, and months count controls by status', async () => {
  const args = { of: CSF, id: FREE }
  const id = await ask(
    'mutation ($of: ID!, $id: ID!) { recordComplianceEvidence(framework: $of, id: $id) }',
    args,
  )
  const list = await ask(
    'query ($of: ID!, $id: ID!) { complianceEvidence(framework: $of, id: $id) { id framework controlId recordedAt effectiveOn digest } }',
    args,
  )
  expect(list).toMatchObject([
    { id, framework: CSF, controlId: FREE, digest: expect.stringMatching(/^[0-9a-f]{64}$/) },
  ])
  expect(await ask('query ($id: ID!) { complianceEvidenceProof(id: $id) }', { id })).toMatchObject({
    kind: 'evidence',
    document: { framework: CSF, control: FREE },
  })
  const months = await ask<{ fail: number; at: string }[]>(
    'query ($of: ID!) { complianceMonths(framework: $of) { at pass warning fail } }',
    { of: CSF },
  )
  expect(months).toHaveLength(13)
  expect(months[0]).toMatchObject({ pass: 0, warning: 0, fail: 0 })
  expect(months.at(-1)?.fail).toBeGreaterThan(0)
})
