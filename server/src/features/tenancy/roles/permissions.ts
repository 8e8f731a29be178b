/** Permissions of roles: `noun:read`, `noun:write`, which includes reading, and one `noun:approve`. REST uses API key scopes instead. */
const written = [
  'assets',
  'vulnerabilities',
  'overrides',
  'compliance',
  'sources',
  'agents',
  'cloud',
  'scans',
  'credentials',
  'imports',
  'reports',
  'feeds',
  'flows',
  'notices',
  'approvals',
  'api_keys',
  'webhooks',
  'partners',
  'users',
  'settings',
] as const

/** The audit log has no write permission. Statements of applicability are written with `compliance:write`. */
export const allPermissions: readonly string[] = [
  ...written.flatMap((noun) => [`${noun}:read`, `${noun}:write`]),
  'audit:read',
  'statements:approve',
]

export const builtInNames = ['admin', 'operator', 'viewer'] as const
export type BuiltIn = (typeof builtInNames)[number]

/** The built-in roles of every tenant, which cannot be changed. */
export const builtInPermissions: Readonly<Record<BuiltIn, readonly string[]>> = {
  admin: allPermissions,
  operator: [
    'assets:write',
    'vulnerabilities:write',
    'overrides:read',
    'compliance:read',
    'sources:write',
    'agents:read',
    'cloud:read',
    'scans:write',
    'credentials:read',
    'imports:write',
    'reports:write',
    'feeds:read',
    'flows:read',
    'notices:read',
    'approvals:write',
    'api_keys:read',
    'webhooks:read',
    'partners:read',
  ],
  viewer: [
    'assets:read',
    'vulnerabilities:read',
    'overrides:read',
    'compliance:read',
    'sources:read',
    'agents:read',
    'cloud:read',
    'scans:read',
    'imports:read',
    'reports:read',
    'feeds:read',
    'flows:read',
    'notices:read',
  ],
}

/** Whether `held` includes `permission`; `noun:write` includes `noun:read`. */
export function grants(held: readonly string[], permission: string): boolean {
  return held.includes(permission) || held.includes(permission.replace(/:read$/, ':write'))
}

/** The first of `wanted` that `held` does not grant: nobody can grant permissions that they do not have. */
export const firstMissing = (
  may: (permission: string) => boolean,
  wanted: readonly string[],
): string | undefined => wanted.find((permission) => !may(permission))
