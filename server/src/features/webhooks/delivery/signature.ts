import { createHmac } from 'node:crypto'

/**
 * Lowercase hexadecimal HMAC-SHA256 (RFC 2104) over the raw body bytes directly followed by the timestamp header's
 * value. The key is the secret string's own bytes, not what its hexadecimal digits stand for.
 */
export const sign = (secret: string, body: Buffer, timestamp: string): string =>
  createHmac('sha256', secret).update(body).update(timestamp).digest('hex')
