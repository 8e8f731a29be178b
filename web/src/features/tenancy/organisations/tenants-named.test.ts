import { expect, test } from 'vitest'
import { tenantsNamed } from './tenants-named.ts'

const tenants = [
  { name: 'Globex East', slug: 'globex-east' },
  { name: 'Acme', slug: 'a-17' },
  { name: 'Globex', slug: 'globex' },
]
const named = (text: string) => tenantsNamed(tenants, text).map(({ name }) => name)

test('names and addresses are searched, whatever the case; an exact one comes first', () => {
  expect(named('')).toEqual(['Acme', 'Globex', 'Globex East'])
  expect(named(' EAST ')).toEqual(['Globex East'])
  expect(named('globex')).toEqual(['Globex', 'Globex East'])
  expect(named('a-17')).toEqual(['Acme'])
  expect(named('initech')).toEqual([])
})
