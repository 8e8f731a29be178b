import { describe, expect, test } from 'vitest'
import { EXPIRES_IN_DAYS_MAX, KEY_NAME_LENGTH_MAX, parseNewKey, type NewPartnerKey } from './partner-key.ts'
import { parseChanges, parseNewPartner, type NewPartner } from './partner.ts'

const PARTNER: NewPartner = { name: 'Northwind', slug: 'northwind', email: 'it@northwind.example' }
const of = (more: Partial<NewPartner>) => () => parseNewPartner({ ...PARTNER, ...more })
const refused = (field: string) => expect.objectContaining({ status: 400, extras: { field } }) as Error

describe('a new partner', () => {
  test('has limits of its own or the usual ones', () => {
    expect(of({})()).toEqual({ ...PARTNER, quotaLimit: 10_000, rateLimit: 100 })
    expect(of({ quotaLimit: 1, rateLimit: 2 })()).toEqual({ ...PARTNER, quotaLimit: 1, rateLimit: 2 })
  })

  test.each<Partial<NewPartner>>([
    { slug: 'a' },
    { slug: '7' },
    { slug: 'a.b_c-D' },
    { slug: 'x'.repeat(128) },
    { email: 'a@b' },
    { email: `${'a'.repeat(252)}@b` },
    { quotaLimit: 100_000_000 },
    { rateLimit: 100_000 },
  ])('%j is accepted as it is', (more) => {
    expect(of(more)()).toMatchObject(more)
  })

  test.each<[string, Partial<NewPartner>]>([
    ['name', { name: '' }],
    ['name', { name: 'n'.repeat(201) }],
    ...['', '-a', 'a-', '.a', 'a_', 'a b', 'ä', 'x'.repeat(129)].map(
      (slug): [string, Partial<NewPartner>] => ['slug', { slug }],
    ),
    ...['', 'a', '@b', 'a@', 'a b@c', 'a@b@c', 'a@b\u0000', 'a@\ud800', `${'a'.repeat(253)}@b`].map(
      (email): [string, Partial<NewPartner>] => ['email', { email }],
    ),
    ...[0, -1, 1.5, Number.NaN].flatMap((n): [string, Partial<NewPartner>][] => [
      ['quota_limit', { quotaLimit: n }],
      ['rate_limit', { rateLimit: n }],
    ]),
    ['quota_limit', { quotaLimit: 100_000_001 }],
    ['rate_limit', { rateLimit: 100_001 }],
  ])('%s is refused: %j', (field, more) => {
    expect(of(more)).toThrow(refused(field))
  })
})

test('of changes what is left out stays left out', () => {
  expect(parseChanges({})).toEqual({})
  expect(parseChanges({ apiEnabled: false })).toEqual({ apiEnabled: false })
  expect(parseChanges({ quotaLimit: 3 })).toEqual({ quotaLimit: 3 })
})

describe('a new key', () => {
  const SCOPES = ['partner:read']

  test.each<[NewPartnerKey, object]>([
    [{ scopes: SCOPES }, { name: '', scopes: SCOPES, days: 90 }],
    [
      { scopes: SCOPES, name: '  ' },
      { name: '', scopes: SCOPES, days: 90 },
    ],
    [
      { scopes: SCOPES, expiresInDays: null },
      { name: '', scopes: SCOPES, days: null },
    ],
    [
      { scopes: SCOPES, expiresInDays: 1, name: 'one' },
      { name: 'one', scopes: SCOPES, days: 1 },
    ],
    [
      { scopes: [...SCOPES, ...SCOPES], expiresInDays: 3_650 },
      { name: '', scopes: SCOPES, days: 3_650 },
    ],
  ])('%j is read', (input, fields) => {
    expect(parseNewKey(input)).toEqual(fields)
  })

  test.each<[string, NewPartnerKey]>([
    ['scopes', { scopes: [] }],
    ['scopes', { scopes: [...SCOPES, 'admin'] }],
    ['name', { scopes: SCOPES, name: 'n'.repeat(KEY_NAME_LENGTH_MAX + 1) }],
    ...[0, -1, 0.5, EXPIRES_IN_DAYS_MAX + 1].map((expiresInDays): [string, NewPartnerKey] => [
      'expires_in_days',
      { scopes: SCOPES, expiresInDays },
    ]),
  ])('%s is refused: %j', (field, input) => {
    expect(() => parseNewKey(input)).toThrow(refused(field))
  })
})
