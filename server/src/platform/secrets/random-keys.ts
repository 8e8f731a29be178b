import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'

const SECRET_BYTES = 32
const PREFIX_LENGTH = 8

/** 64 lowercase hexadecimal characters from 32 random bytes. */
export const newSecret = (): string => randomBytes(SECRET_BYTES).toString('hex')

export const sha256 = (text: string | Buffer): Buffer => createHash('sha256').update(text).digest()

/** The prefix of a secret, which may be displayed. */
export const prefixOf = (secret: string): string => secret.slice(0, PREFIX_LENGTH)

export function equalInConstantTime(a: Buffer, b: Buffer): boolean {
  return a.length === b.length && timingSafeEqual(a, b)
}
