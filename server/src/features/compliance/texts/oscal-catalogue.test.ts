import { expect, test } from 'vitest'
import { readCatalogue } from './oscal-catalogue.ts'

const NIST = 'nist-sp-800-53-r5'
const label = (value: string) => [{ name: 'label', value }]
const catalogue = (controls: readonly unknown[], more: object = {}) =>
  JSON.stringify({ catalog: { uuid: 'x', metadata: {}, groups: [{ id: 'ac', controls }], ...more } })

/** In the form of NIST's catalogues. */
const control = {
  id: 'ac-1',
  title: 'Policy and Procedures',
  params: [
    { id: 'ac-1_prm_1', label: 'organization-defined roles' },
    { id: 'ac-1_prm_2', select: { choice: ['weekly', 'by {{ insert: param, ac-1_prm_1 }}'] } },
  ],
  props: [...label('AC-1'), { name: 'label', class: 'zero-padded', value: 'AC-01' }],
  parts: [
    { name: 'guidance', prose: 'It matters.' },
    {
      id: 'ac-1_smt',
      name: 'statement',
      parts: [
        {
          name: 'item',
          props: label('a.'),
          prose: 'Disseminate to {{ insert: param, ac-1_prm_1 }}:',
          parts: [{ name: 'item', props: label('1.'), prose: 'A policy {{ insert: param, ac-1_prm_2 }}' }],
        },
        { name: 'item', props: label('b.'), prose: 'Review {{ insert: param, gone }}' },
      ],
    },
  ],
  controls: [],
}

test('a control has its statement with labels and parameters, then its guidance', () => {
  expect(readCatalogue(NIST, catalogue([control]))).toEqual([
    {
      controlId: 'AC-1',
      title: 'Policy and Procedures',
      text: [
        'a. Disseminate to [organization-defined roles]:',
        '  1. A policy [weekly or by [organization-defined roles]]',
        'b. Review [gone]',
        '',
        'It matters.',
      ].join('\n'),
    },
  ])
})

test('ids are found however they are written, enhancements too; what is withdrawn is left out', () => {
  const withdrawn = { id: 'ac-13', title: 'W', props: [{ name: 'status', value: 'withdrawn' }] }
  const controls = [
    { id: 'ac-2', title: 'Accounts', controls: [{ id: 'ac-2.1', title: 'Automated' }] },
    { id: 'x', title: 'Padded', props: label('CM-08(03)') },
    withdrawn,
  ]
  expect(readCatalogue(NIST, catalogue(controls)).map((it) => it.controlId)).toEqual([
    'AC-2',
    'AC-2(1)',
    'CM-8(3)',
  ])
  const own = catalogue([], { controls: [{ id: 'cis-1.1', title: 'T' }] })
  expect(readCatalogue('cis-8.1', own).map((it) => it.controlId)).toEqual(['1.1'])
  const ofNist = catalogue([{ id: 'id.am-01', title: 'T' }])
  expect(readCatalogue('nist-csf-2.0', ofNist).map((it) => it.controlId)).toEqual(['ID.AM-01'])
})

function nested(depth: number): object {
  return depth === 0 ? { id: 'ac-1', title: 'T' } : { id: 'ac-1', title: 'T', controls: [nested(depth - 1)] }
}

test.each([
  ['{', 'rows: are not JSON'],
  ['{"profile":{}}', 'rows: must be an OSCAL catalogue'],
  ['{"catalog":[]}', 'rows: must be an OSCAL catalogue'],
  [catalogue([{ id: 'zz-1', title: 'T' }]), 'rows: name controls that nist-sp-800-53-r5 does not have: zz-1'],
  [
    catalogue(['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((id) => ({ id, title: 'T' }))),
    'a, b, c, d, e and 2 more',
  ],
  [catalogue([control, control]), 'rows: the catalogue has AC-1 twice'],
  [catalogue([nested(30)]), 'rows: are nested more than 20 deep'],
  [
    catalogue(Array.from({ length: 5_001 }, () => ({ id: 'ac-1', title: 'T' }))),
    'rows: have more than 5000 controls',
  ],
])('%.60s is refused', (text, why) => {
  expect(() => readCatalogue(NIST, text)).toThrow(why)
})
