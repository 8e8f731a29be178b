import { createHmac, timingSafeEqual } from 'node:crypto'

const AGE_MS_MAX = 5 * 60_000

/** What came with a delivery, its headers in lower case as Node has them. */
export interface Delivery {
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  /** The bytes as they came: JSON that was parsed and written again is other bytes. */
  readonly body: Uint8Array
}

/** Whether a delivery was signed with the secret of the endpoint within the last five minutes. */
export function isGenuine({ headers, body }: Delivery, secret: string, now = Date.now()): boolean {
  const timestamp = headers['x-service-timestamp']
  const signature = headers['x-service-signature']
  if (typeof timestamp !== 'string' || typeof signature !== 'string') return false
  const given = Buffer.from(signature, 'hex')
  const expected = createHmac('sha256', secret).update(body).update(timestamp).digest()
  const isRecent = Math.abs(now - Date.parse(timestamp)) < AGE_MS_MAX
  return isRecent && given.length === expected.length && timingSafeEqual(given, expected)
}
