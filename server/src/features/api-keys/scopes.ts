/** The scopes of API keys. */
export const allScopes = ['read', 'write', 'admin', 'recognition:read'] as const
export type Scope = (typeof allScopes)[number]

/** For each required scope, the scopes that grant it. */
const grantedBy: Readonly<Record<Scope, readonly Scope[]>> = {
  read: ['read', 'write', 'admin'],
  write: ['write', 'admin'],
  admin: ['admin'],
  'recognition:read': ['recognition:read', 'admin'],
}

const scopeOfMethod: Readonly<Record<string, Scope>> = {
  GET: 'read',
  HEAD: 'read',
  POST: 'write',
  PUT: 'write',
  PATCH: 'write',
}

/**
 * The scope that the request needs and `held` does not grant; undefined when the request is allowed. `path` is below
 * /api/v1.
 */
export function missingScope(held: readonly string[], method: string, path: string): Scope | undefined {
  const needed = scopeOfPath(path) ?? scopeOfMethod[method] ?? 'admin'
  return grantedBy[needed].some((scope) => held.includes(scope)) ? undefined : needed
}

/** Where the method does not decide. */
function scopeOfPath(path: string): Scope | undefined {
  if (path.startsWith('/recognition/')) return 'recognition:read'
  return path === '/partners' || path.startsWith('/partners/') ? 'admin' : undefined
}
