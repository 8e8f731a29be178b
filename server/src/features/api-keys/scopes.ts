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
  const needed = path.startsWith('/recognition/') ? 'recognition:read' : (scopeOfMethod[method] ?? 'admin')
  return grantedBy[needed].some((scope) => held.includes(scope)) ? undefined : needed
}
