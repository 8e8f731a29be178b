/** The tenant's identity provider (OpenID Connect), as configured. */
export interface SignOn {
  readonly issuer: string
  readonly clientId: string
  /** The role of new members. */
  readonly role: { readonly id: string; readonly name: string }
  /** Accepted domains of e-mail addresses; all others are refused. */
  readonly domains: readonly string[]
  readonly updatedAt: string
}

export interface NewSignOn {
  readonly issuer: string
  readonly clientId: string
  /** Absent: the stored secret stays. */
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
