import { createHmac } from 'node:crypto'

/**
 * Lowercase hexadecimal HMAC-SHA256 (RFC 2104) of the raw body followed by the value of the timestamp header. The key
 * is the secret as a string, not decoded from hexadecimal.
 */
export const sign = (secret: string, body: Buffer, timestamp: string): string =>
  createHmac('sha256', secret).update(body).update(timestamp).digest('hex')
