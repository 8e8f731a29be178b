import { checkedName } from '#platform/validation/checked-name.ts'
import { invalid } from '#platform/errors.ts'
import { allPartnerScopes, type PartnerScope } from './partner-scopes.ts'

export interface PartnerKey {
  readonly id: string
  /** Empty when none was given. */
  readonly name: string
  /** The part of the secret that may be shown. */
  readonly prefix: string
  readonly scopes: readonly PartnerScope[]
  readonly createdAt: string
  /** Null: never. */
  readonly expiresAt: string | null
  /** Up to five minutes behind. */
  readonly lastUsedAt: string | null
}

export interface NewPartnerKey {
  readonly name?: string
  readonly scopes: readonly string[]
  /** 90 unless given; null: never. */
  readonly expiresInDays?: number | null
}

/** `secret` is the full key: it is answered here and never again. */
export interface IssuedPartnerKey {
  readonly key: PartnerKey
  readonly secret: string
}

export interface KeyFields {
  readonly name: string
  readonly scopes: readonly PartnerScope[]
  /** Null: never. */
  readonly days: number | null
}

export const KEY_NAME_LENGTH_MAX = 200
const EXPIRES_IN_DAYS_DEFAULT = 90
export const EXPIRES_IN_DAYS_MAX = 3_650

/** Throws 400 by field. Each scope is answered once. */
export function parseNewKey({ name = '', scopes, expiresInDays }: NewPartnerKey): KeyFields {
  const unknown = scopes.find((it) => !allPartnerScopes.some((known) => known === it))
  if (unknown !== undefined)
    throw invalid('scopes', `${JSON.stringify(unknown)} is not one of ${allPartnerScopes.join(', ')}`)
  if (scopes.length === 0) throw invalid('scopes', `at least one of ${allPartnerScopes.join(', ')}`)
  const days = expiresInDays === undefined ? EXPIRES_IN_DAYS_DEFAULT : expiresInDays
  if (days !== null && !(Number.isInteger(days) && days >= 1 && days <= EXPIRES_IN_DAYS_MAX))
    throw invalid(
      'expires_in_days',
      `must be a whole number from 1 to ${EXPIRES_IN_DAYS_MAX}, or null for never`,
    )
  return {
    name: name.trim() === '' ? '' : checkedName('name', name, KEY_NAME_LENGTH_MAX),
    scopes: allPartnerScopes.filter((scope) => scopes.includes(scope)),
    days,
  }
}
