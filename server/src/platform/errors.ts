/**
 * What a caller may know: the one error class that verbs throw on purpose. Everything else is a bug,
 * answered with a fixed sentence and logged. `message` is public; `cause` is for the log.
 */
export class Refusal extends Error {
  readonly status: number
  readonly code: string
  readonly extras: RefusalExtras

  constructor(status: number, code: string, message: string, extras: RefusalExtras = {}) {
    super(message)
    this.name = 'Refusal'
    this.status = status
    this.code = code
    this.extras = extras
  }
}

export interface RefusalExtras {
  /** The field at fault, for command line and screens; the message names it as well. */
  readonly field?: string
  /** Seconds, whole: answered as the Retry-After header. */
  readonly retryAfterSeconds?: number
  /** Added to the flat body next to `error` and `message`. */
  readonly body?: Readonly<Record<string, unknown>>
  readonly headers?: Readonly<Record<string, string>>
  /** For the app, beside the code. */
  readonly details?: Readonly<Record<string, string>>
}

export const MISSING_KEY = 'Missing X-API-Key header'
export const INVALID_KEY = 'Invalid or expired API key'
const RATE_LIMITED = 'Rate limit exceeded. Please try again later.'
export const INTERNAL = 'The request could not be completed. Please try again later.'

const UNAVAILABLE = 'The database does not answer at the moment. Please send the request again.'
const MAY_BE_TAKEN =
  'The database was lost while the request was carried out; it may have been taken. Please send it again.'
const RETRY_AFTER_SECONDS = 2
const BUSY = 'Other lists are being worked out at the moment. Please send the request again.'
const MOVING =
  'This organisation is being moved and can be read only for a moment. Please send the request again.'
const BUSY_RETRY_AFTER_SECONDS = 5

export const invalid = (field: string, why: string): Refusal =>
  new Refusal(400, 'invalid_request', `${field}: ${why}`, { field })
export const invalidBody = (why: string): Refusal => new Refusal(400, 'invalid_request', why)
export const invalidFormat = (): Refusal =>
  new Refusal(400, 'invalid_format', 'format: only csv can be exported; send format=csv', { field: 'format' })
export const unauthorized = (sentence: string): Refusal => new Refusal(401, 'unauthorized', sentence)
export const forbidden = (sentence: string): Refusal => new Refusal(403, 'forbidden', sentence)
export const lacksScope = (scope: string): Refusal => forbidden(`API key lacks required scope: ${scope}`)
/** Also for records of other tenants: existence is never revealed. */
export const notFound = (what: string): Refusal => new Refusal(404, 'not_found', `${what} not found`)
/** The same for a tenant that the person does not belong to and for one that does not exist. */
export const tenantNotFound = (slug: string): Refusal =>
  new Refusal(404, 'tenant_not_found', `you belong to no organisation at /t/${slug}`)
export const methodNotAllowed = (allowed: readonly string[]): Refusal =>
  new Refusal(405, 'method_not_allowed', `allowed here: ${allowed.join(', ')}`, {
    headers: { allow: allowed.join(', ') },
  })
export const conflict = (why: string): Refusal => new Refusal(409, 'conflict', why)
/** The tenant is served at another address. */
export const misdirected = (address: string): Refusal =>
  new Refusal(421, 'misdirected_request', `this organisation is served at ${address}`, { body: { address } })
/** The tenant is on its way to another address; what was asked for did not happen. */
export const moving = (): Refusal =>
  new Refusal(503, 'unavailable', MOVING, { retryAfterSeconds: BUSY_RETRY_AFTER_SECONDS })
/** An endpoint after its sunset. */
export const gone = (link: string): Refusal =>
  new Refusal(410, 'gone', `this endpoint was removed; see ${link} for what to use instead`)
export const tooLarge = (bytes: number): Refusal =>
  new Refusal(413, 'payload_too_large', `the body is larger than ${bytes} bytes`)
export const unsupportedMediaType = (): Refusal =>
  new Refusal(415, 'unsupported_media_type', 'send the body as application/json')
/** `mayBeTaken`: the database was lost while the change was committed, so that nobody knows whether it happened. */
export const unavailable = (mayBeTaken: boolean): Refusal =>
  new Refusal(503, 'unavailable', mayBeTaken ? MAY_BE_TAKEN : UNAVAILABLE, {
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  })
/** The request is right, and others are being answered. */
export const busy = (): Refusal =>
  new Refusal(503, 'unavailable', BUSY, { retryAfterSeconds: BUSY_RETRY_AFTER_SECONDS })
/** `seconds` may be fractional; the body carries it as it is, the header rounded up. */
export const tooMany = (seconds: number): Refusal =>
  new Refusal(429, 'rate_limit_exceeded', RATE_LIMITED, {
    retryAfterSeconds: Math.max(1, Math.ceil(seconds)),
    body: { retry_after: Math.max(0, Math.round(seconds * 1000) / 1000) },
  })

/** For the end of an exhaustive switch: the type checker refuses a forgotten case. */
export function unreachable(x: never): never {
  throw new Error(`impossible: ${String(x)}`)
}
