import { expect, test } from 'vitest'
import { allScopes, missingScope, type Scope } from './scopes.ts'

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const
const no: Record<(typeof methods)[number], Scope> = {
  GET: 'read',
  HEAD: 'read',
  POST: 'write',
  PUT: 'write',
  PATCH: 'write',
  DELETE: 'admin',
  OPTIONS: 'admin',
}
/** The methods each scope opens outside recognition, as the contract's table has them. */
const opens: Record<Scope, readonly string[]> = {
  read: ['GET', 'HEAD'],
  write: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH'],
  admin: methods,
  'recognition:read': [],
}
const cases = allScopes.flatMap((scope) => methods.map((method) => [scope, method] as const))

test.each(cases)('%s and %s /assets', (scope, method) => {
  expect(missingScope([scope], method, '/assets')).toBe(
    opens[scope].includes(method) ? undefined : no[method],
  )
})

test.each(cases)('%s and %s /recognition/recognize', (scope, method) => {
  const mayPass = scope === 'recognition:read' || scope === 'admin'
  expect(missingScope([scope], method, '/recognition/recognize')).toBe(
    mayPass ? undefined : 'recognition:read',
  )
})

test('scopes combine', () => {
  expect(missingScope(['read', 'recognition:read'], 'GET', '/assets')).toBeUndefined()
  expect(missingScope(['read', 'recognition:read'], 'POST', '/recognition/recognize')).toBeUndefined()
  expect(missingScope(['read', 'recognition:read'], 'POST', '/assets')).toBe('write')
  expect(missingScope([], 'GET', '/assets')).toBe('read')
})

test('only what lies below /recognition/ is recognition', () => {
  expect(missingScope(['recognition:read'], 'GET', '/recognitions')).toBe('read')
})
