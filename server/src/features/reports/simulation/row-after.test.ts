import { expect, test } from 'vitest'
import type { Row } from '#platform/conditions/field.ts'
import { riskOf } from '#features/vulnerabilities/vulnerabilities.ts'
import type { SimulatedChange } from './change.ts'
import { findingsOf, rowAfter, softwareOf, type Knowledge } from './row-after.ts'

const knowledge: Knowledge = {
  isEndOfLife: false,
  compareVersion: ({ version }, other) => Number(version) - Number(other),
}
const change = (more: Partial<SimulatedChange>): SimulatedChange => ({
  kind: 'update_software',
  name: 'firefox',
  version: null,
  by: null,
  ...more,
})
const finding = (product: string, fixed: string | null, more: Row = {}): Row => ({
  id: `${product} ${fixed}`,
  product,
  fixed_version: fixed,
  status: 'open',
  cvss: 8,
  epss: null,
  exploited: false,
  match: 'exact',
  ...more,
})
const row: Row = {
  os: 'Windows 10 Pro',
  risk: 50,
  open_findings: 3,
  'software()': [
    { name: 'Mozilla Firefox', version: '120' },
    { name: 'Zoom', version: '5' },
  ],
  'finding()': [
    finding('Mozilla Firefox 120', '121'),
    finding('Mozilla Firefox 120', '125'),
    finding('Mozilla Firefox 120', null),
    finding('Zoom 5', '6'),
    finding('Mozilla Firefox 120', '119', { status: 'accepted' }),
  ],
}
const statuses = (after: ReturnType<typeof rowAfter>) =>
  'row' in after ? findingsOf(after.row)?.map(({ status }) => status) : after.effect

test('an update closes the findings that have a fix, and no others', () => {
  const after = rowAfter(row, change({}), knowledge)
  expect(statuses(after)).toEqual(['resolved', 'resolved', 'open', 'open', 'accepted'])
  if (!('row' in after)) throw new Error(after.effect)
  expect(softwareOf(after.row)?.map(({ version }) => version)).toEqual(['125', '5'])
  expect(after.row['open_findings']).toBe(2)
  const one = { cvssScore: 8, isExploited: false, grade: 'exact' as const }
  expect(after.row['risk']).toBe(riskOf([one, one]))
  expect(after.software).toEqual(['Mozilla Firefox'])
})

test('an update to a version closes what that version fixes; an order that is not known closes nothing', () => {
  const to = change({ version: '122' })
  expect(statuses(rowAfter(row, to, knowledge))).toEqual(['resolved', 'open', 'open', 'open', 'accepted'])
  expect(statuses(rowAfter(row, to, { ...knowledge, compareVersion: () => undefined }))).toBe('unchanged')
  expect(statuses(rowAfter(row, change({ version: '100' }), knowledge))).toBe('unchanged')
})

test('retiring a product closes all of its findings, fixed or not', () => {
  const after = rowAfter(row, change({ kind: 'retire_product' }), knowledge)
  expect(statuses(after)).toEqual(['resolved', 'resolved', 'resolved', 'open', 'accepted'])
  expect('row' in after && softwareOf(after.row)?.map(({ name }) => name)).toEqual(['Zoom'])
})

test('retiring an operating system is about the assets that have it; a replacement about all', () => {
  const retire = (name: string) => rowAfter(row, change({ kind: 'retire_system', name }), knowledge).effect
  expect(retire('Windows 10')).toBe('retired')
  expect(retire('Windows 11')).toBe('unchanged')
  expect(rowAfter(row, change({ kind: 'replace_assets', name: '' }), knowledge).effect).toBe('replaced')
})

test('what nobody looked for stays unknown', () => {
  const silent: Row = { ...row, risk: null, open_findings: null, 'finding()': null }
  const after = rowAfter(silent, change({ kind: 'retire_product' }), knowledge)
  expect('row' in after && [after.row['risk'], after.row['open_findings'], after.row['finding()']]).toEqual([
    null,
    null,
    null,
  ])
})
