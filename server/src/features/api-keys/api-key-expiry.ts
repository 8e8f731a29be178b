import { invalid } from '#platform/errors.ts'
import type { Expiry } from './api-key.ts'

export const EXPIRES_IN_DAYS_DEFAULT = 90
const EXPIRES_IN_DAYS_MAX = 36_500

/** Parses `expires_in_days`: 1 to 36,500, or `never`; refuses other values. */
export function expiryOf(days: number | 'never'): Expiry {
  if (days === 'never') return { at: null }
  if (!Number.isInteger(days) || days < 1 || days > EXPIRES_IN_DAYS_MAX)
    throw invalid('expires_in_days', `must be a whole number from 1 to ${EXPIRES_IN_DAYS_MAX}, or never`)
  return { days }
}
