import { countedAddress } from '#platform/http/client-address.ts'
import type { Ctx } from '#platform/context.ts'
import { tooMany } from '#platform/errors.ts'
import { sha256 } from '#platform/secrets/random-keys.ts'
import * as store from './login-throttle-store.ts'

/** OWASP Authentication Cheat Sheet, Login Throttling: of an account from one address, or from one known device. */
const OF_ONE: store.Patience = { free: 5, forgottenAfter: '1 day' }
/** By address, so that trying many accounts gains nothing; an office behind one address has more people. */
const OF_ADDRESS: store.Patience = { free: 30, forgottenAfter: '1 hour' }
/**
 * Of an account from all addresses that are not its person's, so that many addresses gain little. It is slow and shrinks
 * all the time: a few guesses an hour never reach it. A code has 6 digits, so fewer guesses find it.
 */
const FROM_ANYWHERE = {
  password: { free: 100, forgottenAfter: '1 day', oneForgottenEverySeconds: 180 },
  code: { free: 20, forgottenAfter: '1 day', oneForgottenEverySeconds: 900 },
  change: { free: 20, forgottenAfter: '1 day', oneForgottenEverySeconds: 900 },
} as const satisfies Record<string, store.Patience>

/** Something that can be guessed. */
export interface Guess {
  /** At the sign-in its password and code, behind it what protects the account: each is counted for itself. */
  readonly what: keyof typeof FROM_ANYWHERE
  /** Whose, the same for an account that does not exist. */
  readonly account: string
  readonly address: string
  /** A known device or the session itself: then its tries alone count, and what strangers do does not. */
  readonly own?: string | undefined
}

interface Counted {
  readonly bucket: Buffer
  readonly patience: store.Patience
}

/**
 * Looks whether a guess is right, unless too many before it were wrong: then it throws `tooMany` without looking. Kept
 * in the database, so that it holds for all nodes and over restarts.
 */
export async function guess<T>(
  system: Ctx,
  wanted: Guess,
  look: () => Promise<T | undefined>,
): Promise<T | undefined> {
  const one = ofOne(wanted)
  const all = wanted.own === undefined ? [ofAddress(wanted), one, fromAnywhere(wanted)] : [one]
  await countAll(system, all)
  const found = await look()
  if (found === undefined) return undefined
  for (const { bucket } of all)
    await (bucket === one.bucket ? store.forget(system, bucket) : store.takeBack(system, bucket))
  return found
}

/** One after the other, so that a guess that one of them refuses does not count for those after it; nor for those before. */
async function countAll(system: Ctx, all: readonly Counted[]): Promise<void> {
  for (const [at, { bucket, patience }] of all.entries()) {
    const seconds = await store.count(system, bucket, patience)
    if (seconds === 0) continue
    for (const before of all.slice(0, at)) await store.takeBack(system, before.bucket)
    throw tooMany(seconds)
  }
}

/** For what strangers may begin but not repeat at will: counts as a wrong guess of the address until it is forgiven. */
export async function countAttempt(system: Ctx, address: string): Promise<void> {
  await countAll(system, [ofAddress({ address })])
}

export const forgiveAttempt = (system: Ctx, address: string): Promise<void> =>
  store.takeBack(system, ofAddress({ address }).bucket)

/** The account of an address, the same for an address that has none. */
export const emailKey = (email: string): string => email.trim().toLowerCase()

/** For an account that proved itself in another way, from the address where it did. */
export async function forgetGuesses(system: Ctx, wanted: Guess): Promise<void> {
  for (const { bucket } of [ofOne(wanted), fromAnywhere(wanted)]) await store.forget(system, bucket)
}

const ofAddress = ({ address }: Pick<Guess, 'address'>): Counted => ({
  bucket: sha256(`address ${countedAddress(address)}`),
  patience: OF_ADDRESS,
})

const ofOne = ({ what, account, address, own }: Guess): Counted => ({
  bucket: sha256(JSON.stringify([what, account, own ?? `address ${countedAddress(address)}`])),
  patience: OF_ONE,
})

const fromAnywhere = ({ what, account }: Guess): Counted => ({
  bucket: sha256(JSON.stringify([what, account])),
  patience: FROM_ANYWHERE[what],
})
