import { expect, test } from 'vitest'
import {
  expiryError,
  NO_END,
  scopeText,
  scopeOf,
  softwareIn,
  variablesOf,
  type OverrideValues,
} from './override.ts'

const subject = {
  cveId: 'CVE-2024-6387',
  finding: { id: 'f', software: 'Visual Studio Code 1.86.0', assetName: 'pc1' },
}
const values: OverrideValues = {
  kind: 'accepted_risk',
  scope: 'finding',
  tag: '',
  condition: '',
  severity: 'low',
  reason: ' behind the firewall ',
  endsOn: '2027-02-19',
}

test('the name of software may hold spaces, its version none', () => {
  expect(softwareIn('Visual Studio Code 1.86.0')).toEqual({ name: 'Visual Studio Code', version: '1.86.0' })
  expect(softwareIn('openssl')).toEqual({ name: 'openssl', version: '' })
})

test.each([
  ['finding', { findingId: 'f', package: null, version: null, tag: null, condition: null }],
  ['software', { findingId: null, package: 'Visual Studio Code', version: null, tag: null, condition: null }],
  [
    'version',
    { findingId: null, package: 'Visual Studio Code', version: '1.86.0', tag: null, condition: null },
  ],
  ['tag', { findingId: null, package: null, version: null, tag: 'lab', condition: null }],
  ['condition', { findingId: null, package: null, version: null, tag: null, condition: 'site = Oslo' }],
  ['cve', { findingId: null, package: null, version: null, tag: null, condition: null }],
] as const)('the scope %s asks for what it says', (scope, wanted) => {
  expect(scopeOf(subject, { scope, tag: ' lab ', condition: ' site = Oslo ' })).toEqual({
    cveId: 'CVE-2024-6387',
    ...wanted,
  })
})

test('an override has its reason and holds until the end of its last day here', () => {
  expect(variablesOf(subject, values)).toMatchObject({
    reason: 'behind the firewall',
    expiresAt: new Date(2027, 1, 19, 23, 59, 59, 999).toISOString(),
    severity: null,
  })
  expect(variablesOf(subject, { ...values, kind: 'severity', endsOn: NO_END })).toMatchObject({
    severity: 'low',
    expiresAt: null,
  })
})

test('a last day has to be whole and not over; no end is a choice of its own', () => {
  const noon = new Date(2027, 1, 19, 12).getTime()
  expect(expiryError('2027-02-19', noon)).toBeUndefined()
  expect(expiryError('2027-02-18', noon)).toBe('This day has passed')
  expect(expiryError('', noon)).toMatch(/^Pick a day/)
  expect(expiryError(NO_END, noon)).toBeUndefined()
})

test('what it reaches, in words', () => {
  const row = { findingId: null, package: null, version: null, tag: null, condition: null }
  const said = (more: object) => scopeText({ ...row, ...more } as Parameters<typeof scopeText>[0])
  expect(said({})).toBe('every asset')
  expect(said({ findingId: 'f' })).toBe('one finding')
  expect(said({ package: 'zlib' })).toBe('zlib')
  expect(said({ package: 'zlib', version: '1.2' })).toBe('zlib 1.2')
  expect(said({ tag: 'lab' })).toBe('assets tagged lab')
  expect(said({ condition: 'site = Oslo' })).toBe('assets with site = Oslo')
})
