/** The scopes of partner keys. */
export const allPartnerScopes = ['partner:read', 'partner:write', 'webhook:read', 'webhook:write'] as const
export type PartnerScope = (typeof allPartnerScopes)[number]

/** Whether a key with the scopes `held` may do what needs `scope`: `:write` includes `:read`. */
export const holdsScope = (held: readonly string[], scope: string): boolean =>
  held.includes(scope) || held.includes(scope.replace(/:read$/, ':write'))
