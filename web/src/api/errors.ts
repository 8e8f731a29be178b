/** What the server refused, or that it could not be asked. `field` names the input that is wrong. */
export class ApiError extends Error {
  readonly code: string
  readonly field: string | undefined
  /** Where an asset lives on that was merged away. */
  readonly mergedInto: string | undefined

  constructor(code: string, message: string, extras: { field?: string; mergedInto?: string } = {}) {
    super(message)
    this.name = 'ApiError'
    this.code = code
    this.field = extras.field
    this.mergedInto = extras.mergedInto
  }
}

export const isSignedOut = (error: unknown): boolean =>
  error instanceof ApiError && error.code === 'unauthorized'

export const isNotFound = (error: unknown): boolean => error instanceof ApiError && error.code === 'not_found'

/** Membership in the organisation of this page's address has ended. */
export const isNoMember = (error: unknown): boolean =>
  error instanceof ApiError && error.code === 'tenant_not_found'

/** The network or the database is away: what is asked again in a moment may be answered. */
export const isTemporary = (error: unknown): boolean =>
  error instanceof ApiError && ['unreachable', 'unavailable', 'UNAVAILABLE'].includes(error.code)

export const isForbidden = (error: unknown): boolean =>
  error instanceof ApiError && error.code === 'forbidden'

/** A sentence for a person. */
export function messageOf(error: unknown): string {
  if (error instanceof ApiError) return sentence(error.message)
  return 'Something in this page went wrong. Reload it, and tell whoever runs Rollcall if it stays.'
}

const sentence = (text: string): string =>
  `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? '' : '.'}`
