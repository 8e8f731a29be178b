/** A refusal of the server, or a failed request. `field` names the invalid input. */
export class ApiError extends Error {
  readonly code: string
  readonly field: string | undefined
  /** Id of the surviving asset, if the asset was merged. */
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

/** Whether membership in the organisation of this page's URL has ended. */
export const isNoMember = (error: unknown): boolean =>
  error instanceof ApiError && error.code === 'tenant_not_found'

/** Whether the network or the database is temporarily unavailable, so that a retry may succeed. */
export const isTemporary = (error: unknown): boolean =>
  error instanceof ApiError && ['unreachable', 'unavailable', 'UNAVAILABLE'].includes(error.code)

export const isForbidden = (error: unknown): boolean =>
  error instanceof ApiError && error.code === 'forbidden'

/** The message for display. */
export function messageOf(error: unknown): string {
  if (error instanceof ApiError) return sentence(error.message)
  return 'Something in this page went wrong. Reload it, and tell whoever runs Rollcall if it stays.'
}

/** The same beside the field it is about, whose label says what the server names. */
export function messageBesideField(error: ApiError): string {
  return sentence(error.message.replace(/^[\w.[\]-]+: /, ''))
}

const sentence = (text: string): string =>
  `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? '' : '.'}`
