import type { IncomingHttpHeaders } from 'node:http'
import { invalidBody } from '#platform/errors.ts'
import { sha256 } from '#platform/secrets/random-keys.ts'

export type Payload = Readonly<Record<string, unknown>>

const DEPTH_MAX = 20
const FORM_FIELDS_MAX = 1_000
const KEY_LENGTH_MAX = 255

/** JSON, or the fields of a form; what is no object stands as `body`. Throws 400 for what cannot be read. */
export function payloadIn(contentType: string | undefined, body: Buffer): Payload {
  if (body.length === 0) return {}
  const text = body.toString('utf8')
  const [type = ''] = (contentType ?? '').toLowerCase().split(';')
  if (type.trim() === 'application/x-www-form-urlencoded') return formIn(text)
  const value = jsonIn(text)
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Payload)
    : { body: value }
}

function jsonIn(text: string): unknown {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw invalidBody('body: is no JSON')
  }
  if (depthOf(value) > DEPTH_MAX) throw invalidBody(`body: lies more than ${DEPTH_MAX} deep in itself`)
  return withoutNul(value)
}

function formIn(text: string): Payload {
  const fields = [...new URLSearchParams(text)]
  if (fields.length > FORM_FIELDS_MAX) throw invalidBody(`body: has more than ${FORM_FIELDS_MAX} fields`)
  return withoutNul(Object.fromEntries(fields)) as Payload
}

const depthOf = (value: unknown, depth = 0): number =>
  typeof value === 'object' && value !== null && depth <= DEPTH_MAX
    ? Math.max(depth, ...Object.values(value).map((it) => depthOf(it, depth + 1)))
    : depth

/** PostgreSQL cannot hold NUL, nor half a surrogate pair. */
function withoutNul(value: unknown): unknown {
  if (typeof value === 'string') return value.replaceAll('\0', '').toWellFormed()
  if (Array.isArray(value)) return value.map(withoutNul)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, it]) => [withoutNul(name) as string, withoutNul(it)]),
  )
}

/** What tells a delivery from others: `Idempotency-Key`, or a header such as `X-GitHub-Delivery`. */
export function deliveryKey(headers: IncomingHttpHeaders): string | undefined {
  const name =
    headers['idempotency-key'] === undefined
      ? Object.keys(headers).find((it) => /^x-[a-z0-9-]+-delivery$/.test(it))
      : 'idempotency-key'
  const value = name === undefined ? undefined : headers[name]
  if (typeof value !== 'string' || value === '' || value.length > KEY_LENGTH_MAX) return undefined
  return sha256(value).toString('hex')
}
