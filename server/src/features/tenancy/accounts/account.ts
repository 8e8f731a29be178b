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

export const LANGUAGES = ['en', 'de'] as const
/** `2027-02-19`, `19.02.2027`, `19/02/2027`, `02/19/2027`. */
export const DATE_FORMATS = ['iso', 'day_dots', 'day_slashes', 'month_slashes'] as const
/** `1,234.5`, `1.234,5`, `1 234,5`, `1’234.5`. */
export const NUMBER_FORMATS = ['comma_dot', 'dot_comma', 'space_comma', 'apostrophe_dot'] as const

/** How a person reads the app. Null: as their browser says, and dates and numbers as the language has them. */
export interface Preferences {
  readonly language: (typeof LANGUAGES)[number] | null
  /** Of IANA, such as `Europe/Berlin`. */
  readonly timeZone: string | null
  readonly dateFormat: (typeof DATE_FORMATS)[number] | null
  readonly numberFormat: (typeof NUMBER_FORMATS)[number] | null
}
