import { readFileSync } from 'node:fs'
import { Ajv } from 'ajv'
import formats from 'ajv-formats'
import { expect, test } from 'vitest'
import { frameworkOf, frameworks } from '../../../compliance/catalogue/catalogue.ts'
import { securityPlanOf, type Stated } from './security-plan.ts'
import { markup, oneLine, oscalId } from './oscal-text.ts'

const ajv = new Ajv({ strict: false, allErrors: true })
formats.default(ajv)
const validate = Object.fromEntries(
  (['system-security-plan', 'profile', 'catalog'] as const).map((name) => {
    const url = new URL(`../../../../../test/support/oscal/oscal-${name}-schema.json`, import.meta.url)
    return [name, ajv.compile(JSON.parse(readFileSync(url, 'utf8')) as object)]
  }),
)
const faultsOf = (name: string, document: unknown) => {
  const check = validate[name]
  if (!check) throw new Error(`no schema of ${name}`)
  return check(JSON.parse(JSON.stringify(document)))
    ? []
    : check.errors?.map((it) => it.instancePath + it.message)
}

interface Embedded {
  readonly 'back-matter': { readonly resources: { uuid: string; base64: { value: string } }[] }
}
const embeddedIn = (document: Embedded): unknown =>
  JSON.parse(Buffer.from(document['back-matter'].resources[0]?.base64.value ?? '', 'base64').toString())

function stated(slug: string, texts = ''): Stated {
  const framework = frameworkOf(slug)
  if (!framework) throw new Error(slug)
  const implementations = ['', 'planned', 'partly', 'implemented', 'alternative'] as const
  return {
    tenantId: '0199b1e0-3d4a-7c1e-9c1b-8a6f5e4d3c2b',
    organisation: `Example ${texts}`,
    framework,
    statement: {
      id: '0199b1e0-3d4a-7c1e-9c1b-8a6f5e4d3c2c',
      framework: slug,
      version: 2,
      state: 'approved',
      createdAt: '2026-01-01T00:00:00.000Z',
      createdByName: 'ann',
      submittedAt: '2026-01-02T00:00:00.000Z',
      submittedBy: 'u1',
      submittedByName: 'ann',
      approvedAt: '2026-01-03T00:00:00.000Z',
      approvedByName: `Bob ${texts}`,
      approvedRole: 'CISO',
      digest: 'ab'.repeat(32),
    },
    rows: framework.controls
      .filter(({ isHeading }) => !isHeading)
      .map(({ id, title }, at) => ({
        controlId: id,
        title,
        status: 'fail',
        isApplicable: at % 4 !== 0,
        justification: at % 7 === 0 ? '' : `because ${texts}`,
        implementation: implementations[at % implementations.length] ?? '',
        owner: at % 3 === 0 ? '' : `Owner ${at % 4} ${texts}`,
        measures: at % 2 === 0 ? '' : `measures ${texts}`,
        evidence: texts,
        risks: texts,
        reviewedOn: at % 2 === 0 ? '' : '2026-01-01',
        nextReviewOn: '',
        isNew: false,
        exceptions: [],
      })),
  }
}

test.each(frameworks.map(({ slug }) => slug))(
  '%s is a plan, a profile and a catalogue that OSCAL takes',
  (slug) => {
    const plan = securityPlanOf(stated(slug))
    expect(faultsOf('system-security-plan', plan)).toEqual([])
    const profile = embeddedIn(plan['system-security-plan']) as { profile: Embedded }
    expect(faultsOf('profile', profile)).toEqual([])
    expect(faultsOf('catalog', embeddedIn(profile.profile))).toEqual([])
  },
)

test.each([
  '',
  ' ',
  '\n\t',
  'two\nlines\r\n',
  '*x* <b> [a](javascript:x)',
  '\ud800 é 漢',
  'x'.repeat(4_000),
  '"',
])('texts such as %j stay valid', (texts) => {
  expect(faultsOf('system-security-plan', securityPlanOf(stated('nis2-article-21', texts)))).toEqual([])
})

test('a requirement says whether it applies, why, how far it is implemented, and how it was evaluated', () => {
  const requirements = securityPlanOf(stated('nis2-article-21'))['system-security-plan'][
    'control-implementation'
  ]['implemented-requirements']
  expect(requirements).toHaveLength(16)
  expect(requirements[0]).toMatchObject({
    'control-id': 'nis2-21.1',
    props: expect.arrayContaining([expect.objectContaining({ name: 'applicable', value: 'no' })]),
    'by-components': [{ 'implementation-status': { state: 'not-applicable' } }],
  })
  expect(requirements[2]).toMatchObject({
    props: expect.arrayContaining([expect.objectContaining({ name: 'evaluated-status', value: 'fail' })]),
    'responsible-roles': [{ 'role-id': 'owner' }],
    'by-components': [{ 'implementation-status': { state: 'partial' } }],
    remarks: 'Included: because',
  })
  expect(requirements[5]?.['by-components'][0], 'nobody said how far').not.toHaveProperty(
    'implementation-status',
  )
})

test('the parties are the owners and who approved it, each once, and all that is said of people leads to them', () => {
  const plan = securityPlanOf(stated('nis2-article-21'))['system-security-plan']
  const parties = new Map(plan.metadata.parties?.map(({ name, uuid }) => [name, uuid]))
  expect([...parties.keys()].toSorted()).toEqual(['Bob', 'Owner 0', 'Owner 1', 'Owner 2', 'Owner 3'])
  expect(plan.metadata['responsible-parties']).toEqual([
    { 'role-id': 'approver', 'party-uuids': [parties.get('Bob')], remarks: 'CISO' },
  ])
  const owners = plan['control-implementation']['implemented-requirements'].map(
    (it) => it['responsible-roles']?.[0]?.['party-uuids'][0],
  )
  expect(owners.slice(0, 3)).toEqual([undefined, parties.get('Owner 1'), parties.get('Owner 2')])
})

test('a draft that names nobody has no parties, and nobody who approved it', () => {
  const { statement, rows, ...more } = stated('nis2-article-21')
  const draft = {
    ...more,
    statement: { ...statement, approvedByName: null, approvedRole: null },
    rows: rows.map((row) => ({ ...row, owner: ' ' })),
  }
  const plan = securityPlanOf(draft)
  expect(faultsOf('system-security-plan', plan)).toEqual([])
  expect(plan['system-security-plan'].metadata).not.toHaveProperty('parties')
  expect(plan['system-security-plan'].metadata).not.toHaveProperty('responsible-parties')
})

test('a plan that is wrong is found: the schema is not empty', () => {
  const plan = securityPlanOf(stated('nis2-article-21'))
  const { metadata: _, ...rest } = plan['system-security-plan']
  expect(faultsOf('system-security-plan', { 'system-security-plan': rest })).not.toEqual([])
})

test('the same statement is the same bytes', () => {
  expect(JSON.stringify(securityPlanOf(stated('cis-8.1')))).toBe(
    JSON.stringify(securityPlanOf(stated('cis-8.1'))),
  )
})

test.each(frameworks.map(({ slug }) => slug))('no two controls of %s have the same id in OSCAL', (slug) => {
  const ids = frameworkOf(slug)?.controls.map(({ id }) => oscalId(slug, id)) ?? []
  expect(new Set(ids).size).toBe(ids.length)
  expect(ids.filter((id) => !/^(\p{L}|_)(\p{L}|\p{N}|[.\-_])*$/u.test(id))).toEqual([])
})

test.each([
  ['nist-sp-800-53-r5', 'CM-8(3)', 'cm-8.3'],
  ['nist-csf-2.0', 'ID.AM-01', 'id.am-01'],
  ['cis-8.1', '1.1', 'cis-1.1'],
])('of %s %s is %s', (slug, id, expected) => {
  expect(oscalId(slug, id)).toBe(expected)
})

test('Markdown in texts is text', () => {
  expect(markup('*a* [b](c) <d>')).toBe(String.raw`\*a\* \[b\](c) \<d\>`)
  expect(oneLine(' a\n b ')).toBe('a b')
})
