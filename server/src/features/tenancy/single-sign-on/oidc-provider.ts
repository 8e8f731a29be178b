/** How people of a tenant sign in through its identity provider (OpenID Connect). */
export interface SignOn {
  readonly issuer: string
  readonly clientId: string
  /** The role of new members. */
  readonly role: { readonly id: string; readonly name: string }
  /** Nobody else's addresses are accepted. */
  readonly domains: readonly string[]
  readonly updatedAt: string
}

export interface NewSignOn {
  readonly issuer: string
  readonly clientId: string
  /** Unchanged if left out. */
  readonly clientSecret?: string
  readonly roleId: string
  readonly domains: readonly string[]
}

export interface OidcProvider {
  readonly tenantId: string
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: Buffer
  readonly roleId: string
  readonly domains: readonly string[]
}
