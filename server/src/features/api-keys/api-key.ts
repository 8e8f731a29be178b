import type { Scope } from './scopes.ts'

export interface ApiKey {
  readonly id: string
  readonly name: string
  /** First characters of the secret, for display. */
  readonly prefix: string
  readonly scopes: readonly Scope[]
  /** A condition: of the assets, the key sees only those for which it is true; null: all. */
  readonly where: string | null
  readonly createdAt: string
  /** The person; null: the owner of the machine, or it was not written down. */
  readonly createdBy: string | null
  /** Null: it never expires. */
  readonly expiresAt: string | null
  readonly isExpired: boolean
  readonly revokedAt: string | null
  /** At most five minutes out of date. */
  readonly lastUsedAt: string | null
}

export interface NewKey {
  readonly name: string
  readonly scopes: readonly string[]
  /** 90 unless given. */
  readonly expiresInDays?: number | 'never'
  /** A condition on assets; absent, null or empty: the key sees all. */
  readonly where?: string | null | undefined
}

/** `secret` is the full key, returned once. */
export interface IssuedKey {
  readonly key: ApiKey
  readonly secret: string
}

/** `at` null: never. */
export type Expiry = { readonly days: number } | { readonly at: string | null }
