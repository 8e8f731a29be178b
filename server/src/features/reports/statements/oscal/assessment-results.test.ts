import { expect, test } from 'vitest'
import { frameworkOf } from '../../../compliance/catalogue/catalogue.ts'
import { assessmentResultsOf, type Assessment, type AssessedCheck } from './assessment-results.ts'

const AT = '2026-05-01T10:00:00.000Z'
const JUDGED_AT = '2026-05-01T09:30:00.000Z'
const framework = frameworkOf('nist-csf-2.0')
if (!framework) throw new Error('the catalogue has no such framework')

const statuses = {
  'ID.AM-01': 'fail',
  'ID.AM-02': 'warning',
  'ID.AM-03': 'pass',
  'ID.AM-04': 'not_applicable',
}

const check: AssessedCheck = {
  id: 'has-owner',
  title: 'Each machine has an owner',
  scope: '',
  condition: 'has owner',
  freshness: '',
  severity: 'low',
  next: 'Record who is responsible.',
  tolerance: '0',
  revision: 3,
  isOwn: false,
  controlIds: ['ID.AM-01', 'ID.AM-02'],
  status: 'fail',
  inScope: 9,
  ok: 5,
  failed: 3,
  unknown: 1,
  excepted: 1,
  judgedAt: JUDGED_AT,
  fault: null,
  sentence: 'Each machine has an owner: 3 of 9 fail.',
  affected: [
    { assetId: 'a1', name: 'db *1*', outcome: 'failed', since: AT, isExcepted: false },
    { assetId: 'a2', name: 'db 2', outcome: 'failed', since: AT, isExcepted: true },
    { assetId: 'a3', name: '', outcome: 'unknown', since: AT, isExcepted: false },
  ],
}

const assessment: Assessment = {
  tenantId: '0199b1e0-3d4a-7c1e-9c1b-8a6f5e4d3c2b',
  organisation: 'Example',
  framework,
  at: AT,
  controls: framework.controls
    .filter(({ isHeading }) => !isHeading)
    .map((control) => ({
      ...control,
      status: (statuses as Record<string, 'fail'>)[control.id] ?? 'not_assessed',
      since: null,
      checks: 1,
      why: [`why ${control.id}`],
    })),
  checks: [check, { ...check, id: 'never-judged', controlIds: ['ID.AM-05'], judgedAt: null, affected: [] }],
}

const resultOf = (of: Assessment) => assessmentResultsOf(of)['assessment-results'].results[0]

test('what passes is satisfied, what fails or warns is not, and what nobody assessed has no finding', () => {
  const result = resultOf(assessment)
  expect(result?.findings?.map(({ target }) => [target['target-id'], target.status])).toEqual([
    ['id.am-01', { state: 'not-satisfied', reason: 'fail' }],
    ['id.am-02', { state: 'not-satisfied', reason: 'other' }],
    ['id.am-03', { state: 'satisfied', reason: 'pass' }],
  ])
  expect(result?.['reviewed-controls']['control-selections'][0]).toEqual({
    'include-all': {},
    'exclude-controls': [{ 'control-id': 'id.am-04' }],
  })
  expect(result?.remarks).toMatch(/^Not assessed: .*ID\.AM-05/)
})

test('an observation has the counts of its check, the assets that are not in order, and when it ends', () => {
  const [observation, ...others] = resultOf(assessment)?.observations ?? []
  expect(others, 'what was never judged was not observed').toEqual([])
  expect(observation).toMatchObject({
    methods: ['TEST'],
    collected: JUDGED_AT,
    expires: '2026-05-02T09:30:00.000Z',
    remarks: '3 of them are named.',
  })
  const counted = Object.fromEntries(observation?.props.map(({ name, value }) => [name, value]) ?? [])
  expect(counted).toMatchObject({
    'in-scope': '9',
    'in-order': '5',
    failed: '3',
    unknown: '1',
    excepted: '1',
  })
  expect(observation?.subjects?.map(({ props }) => props[0]?.value)).toEqual([
    'failed',
    'failed-excepted',
    'unknown',
  ])
  const named = resultOf(assessment)?.['local-definitions']?.['inventory-items'].map(({ uuid }) => uuid)
  expect(observation?.subjects?.map((it) => it['subject-uuid'])).toEqual(named)
})

test('every reference is to something in the document', () => {
  const result = resultOf(assessment)
  const observed = new Set(result?.observations?.map(({ uuid }) => uuid))
  const related = result?.findings?.flatMap((it) => it['related-observations'] ?? []) ?? []
  expect(related.length).toBeGreaterThan(0)
  expect(related.filter((it) => !observed.has(it['observation-uuid']))).toEqual([])
})

test('no list is empty, which OSCAL refuses', () => {
  const nothing = resultOf({ ...assessment, controls: [], checks: [] })
  for (const name of ['observations', 'findings', 'remarks', 'local-definitions'])
    expect(nothing).not.toHaveProperty(name)
})
