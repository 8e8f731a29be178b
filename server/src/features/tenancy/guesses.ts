import { countedAddress } from '#platform/client-address.ts'
import type { Ctx } from '#platform/context.ts'
import { tooMany } from '#platform/errors.ts'
import { sha256 } from '#platform/secrets.ts'
import * as store from './guess-store.ts'

/** OWASP Authentication Cheat Sheet, Login Throttling: by account, so that many addresses gain nothing. */
const OF_ACCOUNT: store.Patience = { free: 5, forgottenAfter: '1 day' }
/** By address, so that trying many accounts gains nothing; an office behind one address has more people. */
const OF_ADDRESS: store.Patience = { free: 30, forgottenAfter: '1 hour' }

/** Something that can be guessed: `account` says whose, the same for an account that does not exist. */
export interface Guess {
  readonly account: string
  readonly address: string
}

/**
 * Looks whether a guess is right, unless too many before it were wrong: then it throws `tooMany` without looking. Kept
 * in the database, so that it holds for all nodes and over restarts.
 */
export async function guess<T>(
  system: Ctx,
  { account, address }: Guess,
  look: () => Promise<T | undefined>,
): Promise<T | undefined> {
  const [ofAddress, ofAccount] = [addressBucket(address), bucketOf(`account ${account}`)]
  refuseHasty(await store.count(system, ofAddress, OF_ADDRESS))
  refuseHasty(await store.count(system, ofAccount, OF_ACCOUNT))
  const found = await look()
  if (found === undefined) return undefined
  await store.forget(system, ofAccount)
  await store.takeBack(system, ofAddress)
  return found
}

/** For what strangers may begin but not repeat at will: counts as a wrong guess of the address until it is forgiven. */
export async function countAttempt(system: Ctx, address: string): Promise<void> {
  refuseHasty(await store.count(system, addressBucket(address), OF_ADDRESS))
}

export const forgiveAttempt = (system: Ctx, address: string): Promise<void> =>
  store.takeBack(system, addressBucket(address))

/** The account of an address, the same for an address that has none. */
export const emailKey = (email: string): string => `e-mail ${email.trim().toLowerCase()}`

/** For an account that proved itself in another way. */
export const forgetGuesses = (system: Ctx, account: string): Promise<void> =>
  store.forget(system, bucketOf(`account ${account}`))

function refuseHasty(seconds: number): void {
  if (seconds > 0) throw tooMany(seconds)
}

const addressBucket = (address: string): Buffer => bucketOf(`address ${countedAddress(address)}`)

const bucketOf = (text: string): Buffer => sha256(text)
