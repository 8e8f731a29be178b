import { argon2, randomBytes } from 'node:crypto'
import { promisify } from 'node:util'
import { equalInConstantTime } from '#platform/secrets/random-keys.ts'

/** Cost parameters; stored in each hash, so that they can be raised without invalidating older hashes. */
interface Cost {
  readonly memory: number
  readonly passes: number
  readonly parallelism: number
}

/** OWASP Password Storage Cheat Sheet: Argon2id with at least 19 MiB, 2 passes, 1 lane. `memory` is in KiB. */
const COST: Cost = { memory: 19_456, passes: 2, parallelism: 1 }
/** RFC 9106 §3.1 and §4: version 1.3, 128-bit salt, 256-bit tag. */
const VERSION = 19
const SALT_BYTES = 16
const TAG_BYTES = 32
const FORM = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/

/** Hash of an unknown password at the current cost, so that unknown accounts take the same time (no user enumeration). */
export const DUMMY_HASH =
  '$argon2id$v=19$m=19456,t=2,p=1$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA'

const derive = promisify(argon2)

/** Returns the PHC string, which contains algorithm, cost and salt. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES)
  const tag = await tagOf(password, salt, COST, TAG_BYTES)
  const { memory, passes, parallelism } = COST
  return `$argon2id$v=${VERSION}$m=${memory},t=${passes},p=${parallelism}$${unpadded(salt)}$${unpadded(tag)}`
}

export async function verifyPassword(password: string, hash: string): Promise<boolean> {
  const [, memory, passes, parallelism, salt, tag] = FORM.exec(hash) ?? []
  if (!salt || !tag) throw new Error('not a password hash of this product')
  const expected = Buffer.from(tag, 'base64')
  const cost = { memory: Number(memory), passes: Number(passes), parallelism: Number(parallelism) }
  return equalInConstantTime(
    await tagOf(password, Buffer.from(salt, 'base64'), cost, expected.length),
    expected,
  )
}

/** For an account that may not exist: takes the same time either way (no user enumeration). */
export async function verifyPasswordOf(
  account: { readonly passwordHash: string | null } | undefined,
  password: string,
): Promise<boolean> {
  const isRight = await verifyPassword(password, account?.passwordHash ?? DUMMY_HASH)
  return isRight && account?.passwordHash != null
}

/**
 * NIST SP 800-63B-4 §3.1.1.2: Unicode normalisation, so that the same characters from another keyboard give the same
 * password.
 */
const tagOf = (password: string, nonce: Buffer, cost: Cost, tagLength: number): Promise<Buffer> =>
  derive('argon2id', { message: password.normalize('NFKC'), nonce, tagLength, ...cost })

const unpadded = (bytes: Buffer): string => bytes.toString('base64').replace(/=+$/, '')
