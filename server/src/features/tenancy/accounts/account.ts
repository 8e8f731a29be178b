/** A person who can sign in, in one or several tenants. */
export interface Account {
  readonly id: string
  readonly email: string
  readonly name: string
  /** The tenant whose identity provider authenticates the person; null for an account with a password. */
  readonly managedBy: string | null
  readonly passwordHash: string | null
  readonly totpSecret: Buffer | null
  readonly hasSecondFactor: boolean
  /** Tenant of the last session; null before the first sign-in. */
  readonly lastTenantId: string | null
}

/** A tenant that a person is a member of. */
export interface Membership {
  readonly id: string
  readonly slug: string
  readonly name: string
  readonly isDemo: boolean
  /** Name of the person's role in the tenant. */
  readonly role: string
}
