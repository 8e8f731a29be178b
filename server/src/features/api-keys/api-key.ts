import type { Scope } from './scopes.ts'

export interface ApiKey {
  readonly id: string
  readonly name: string
  /** First characters of the secret, for display. */
  readonly prefix: string
  readonly scopes: readonly Scope[]
  readonly createdAt: string
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
}

/** `secret` is the full key, returned once. */
export interface IssuedKey {
  readonly key: ApiKey
  readonly secret: string
}

/** `at` null: never. */
export type Expiry = { readonly days: number } | { readonly at: string | null }
