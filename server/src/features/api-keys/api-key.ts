import type { Scope } from './scopes.ts'

export interface ApiKey {
  readonly id: string
  readonly name: string
  /** The part of the secret that may be shown. */
  readonly prefix: string
  readonly scopes: readonly Scope[]
  readonly createdAt: string
  /** Null: never. */
  readonly expiresAt: string | null
  readonly isExpired: boolean
  readonly revokedAt: string | null
  /** Up to five minutes behind. */
  readonly lastUsedAt: string | null
}

export interface NewKey {
  readonly name: string
  readonly scopes: readonly string[]
  /** 90 unless given. */
  readonly expiresInDays?: number | 'never'
}

/** `secret` is the full key: it is answered here and never again. */
export interface IssuedKey {
  readonly key: ApiKey
  readonly secret: string
}

/** `at` null: never. */
export type Expiry = { readonly days: number } | { readonly at: string | null }
