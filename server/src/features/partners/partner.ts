import { checkedName, lengthOf } from '#platform/validation/checked-name.ts'
import { invalid } from '#platform/errors.ts'

export interface Partner {
  readonly id: string
  /** Of the owner. */
  readonly tenantId: string
  readonly name: string
  readonly slug: string
  readonly email: string
  /** Assets. Nothing is refused beyond it. */
  readonly quotaLimit: number
  /** Requests a minute, of all keys together. */
  readonly rateLimit: number
  /** Off: its keys are refused and its webhooks pause. */
  readonly apiEnabled: boolean
  readonly createdAt: string
  readonly updatedAt: string
}

export interface NewPartner {
  readonly name: string
  readonly slug: string
  readonly email: string
  /** 10,000 unless given. */
  readonly quotaLimit?: number
  /** 100 unless given. */
  readonly rateLimit?: number
}

/** What is left out stays. The slug cannot be changed: scripts know the partner by it. */
export type PartnerChanges = Partial<Omit<NewPartner, 'slug'> & Pick<Partner, 'apiEnabled'>>

export type PartnerFields = Pick<Partner, 'name' | 'slug' | 'email' | 'quotaLimit' | 'rateLimit'>

export const NAME_LENGTH_MAX = 200
export const EMAIL_LENGTH_MAX = 254
/** Up to 128 letters, digits, dots, underscores and hyphens, the last three not at either end; compared exactly. */
export const SLUG = '^[A-Za-z0-9](?:[A-Za-z0-9._-]{0,126}[A-Za-z0-9])?$'
/** One @, with something on either side, and neither blanks nor control characters. */
export const EMAIL = '^(?:[^\\s@\\u0000-\\u001f\\u007f-\\u009f]+)@(?:[^\\s@\\u0000-\\u001f\\u007f-\\u009f]+)$'
export const QUOTA_LIMIT = { fallback: 10_000, max: 100_000_000 }
export const RATE_LIMIT = { fallback: 100, max: 100_000 }

export function parseNewPartner(input: NewPartner): PartnerFields {
  const { slug, quotaLimit = QUOTA_LIMIT.fallback, rateLimit = RATE_LIMIT.fallback } = input
  const { name, email } = parseChanges({ name: input.name, email: input.email, quotaLimit, rateLimit })
  if (!new RegExp(SLUG).test(slug))
    throw invalid(
      'slug',
      'must be 1 to 128 letters, digits, dots, underscores and hyphens, with a letter or digit at both ends',
    )
  return { name: name ?? '', slug, email: email ?? '', quotaLimit, rateLimit }
}

/** Of what is given each field is checked. */
export function parseChanges(changes: PartnerChanges): PartnerChanges {
  const { name, email, quotaLimit, rateLimit, apiEnabled } = changes
  return {
    ...(name !== undefined && { name: checkedName('name', name, NAME_LENGTH_MAX) }),
    ...(email !== undefined && { email: parseEmail(email) }),
    ...(quotaLimit !== undefined && { quotaLimit: parseCount('quota_limit', quotaLimit, QUOTA_LIMIT.max) }),
    ...(rateLimit !== undefined && { rateLimit: parseCount('rate_limit', rateLimit, RATE_LIMIT.max) }),
    ...(apiEnabled !== undefined && { apiEnabled }),
  }
}

function parseEmail(email: string): string {
  if (lengthOf(email) > EMAIL_LENGTH_MAX || !new RegExp(EMAIL, 'u').test(email) || !email.isWellFormed())
    throw invalid('email', `must be an address with one @, of at most ${EMAIL_LENGTH_MAX} characters`)
  return email
}

function parseCount(field: string, value: number, max: number): number {
  if (!Number.isInteger(value) || value < 1 || value > max)
    throw invalid(field, `must be a whole number from 1 to ${max}`)
  return value
}
