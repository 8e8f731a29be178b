import { countedAddress } from '#platform/http/client-address.ts'
import type { Ctx } from '#platform/context.ts'
import { tooMany } from '#platform/errors.ts'
import { sha256 } from '#platform/secrets/random-keys.ts'
import * as store from './login-throttle-store.ts'

/** OWASP Authentication Cheat Sheet, Login Throttling: of an account from one address, or from one known device. */
const PER_CLIENT: store.ThrottleLimit = { free: 5, expiresAfter: '1 day' }
/** By address, so that trying many accounts gains nothing; an office behind one address has more people. */
const PER_ADDRESS: store.ThrottleLimit = { free: 30, expiresAfter: '1 hour' }
/**
 * Of an account from all addresses that are not its person's, so that many addresses gain little. It is slow and shrinks
 * all the time: a few guesses an hour never reach it. A code has 6 digits, so fewer guesses find it.
 */
const PER_ACCOUNT = {
  password: { free: 100, expiresAfter: '1 day', decaySeconds: 180 },
  code: { free: 20, expiresAfter: '1 day', decaySeconds: 900 },
  change: { free: 20, expiresAfter: '1 day', decaySeconds: 900 },
} as const satisfies Record<string, store.ThrottleLimit>

/** Something that can be guessed. */
export interface LoginAttempt {
  /** At the sign-in its password and code, behind it what protects the account: each is counted for itself. */
  readonly what: keyof typeof PER_ACCOUNT
  /** Whose, the same for an account that does not exist. */
  readonly account: string
  readonly address: string
  /** A known device or the session itself: then its tries alone count, and what strangers do does not. */
  readonly own?: string | undefined
}

interface Counter {
  readonly bucket: Buffer
  readonly limit: store.ThrottleLimit
}

/**
 * Looks whether a guess is right, unless too many before it were wrong: then it throws `tooMany` without looking. Kept
 * in the database, so that it holds for all nodes and over restarts.
 */
export async function throttled<T>(
  system: Ctx,
  wanted: LoginAttempt,
  look: () => Promise<T | undefined>,
): Promise<T | undefined> {
  const one = perClient(wanted)
  const all = wanted.own === undefined ? [perAddress(wanted), one, perAccount(wanted)] : [one]
  await countAll(system, all)
  const found = await look()
  if (found === undefined) return undefined
  for (const { bucket } of all)
    await (bucket === one.bucket ? store.clear(system, bucket) : store.decrement(system, bucket))
  return found
}

/** One after the other, so that a guess that one of them refuses does not count for those after it; nor for those before. */
async function countAll(system: Ctx, all: readonly Counter[]): Promise<void> {
  for (const [at, { bucket, limit }] of all.entries()) {
    const seconds = await store.count(system, bucket, limit)
    if (seconds === 0) continue
    for (const before of all.slice(0, at)) await store.decrement(system, before.bucket)
    throw tooMany(seconds)
  }
}

/** For what strangers may begin but not repeat at will: counts as a wrong guess of the address until it is forgiven. */
export async function countAttempt(system: Ctx, address: string): Promise<void> {
  await countAll(system, [perAddress({ address })])
}

export const uncountAttempt = (system: Ctx, address: string): Promise<void> =>
  store.decrement(system, perAddress({ address }).bucket)

/** The account of an address, the same for an address that has none. */
export const emailKey = (email: string): string => email.trim().toLowerCase()

/** For an account that proved itself in another way, from the address where it did. */
export async function clearFailures(system: Ctx, wanted: LoginAttempt): Promise<void> {
  for (const { bucket } of [perClient(wanted), perAccount(wanted)]) await store.clear(system, bucket)
}

const perAddress = ({ address }: Pick<LoginAttempt, 'address'>): Counter => ({
  bucket: sha256(`address ${countedAddress(address)}`),
  limit: PER_ADDRESS,
})

const perClient = ({ what, account, address, own }: LoginAttempt): Counter => ({
  bucket: sha256(JSON.stringify([what, account, own ?? `address ${countedAddress(address)}`])),
  limit: PER_CLIENT,
})

const perAccount = ({ what, account }: LoginAttempt): Counter => ({
  bucket: sha256(JSON.stringify([what, account])),
  limit: PER_ACCOUNT[what],
})
