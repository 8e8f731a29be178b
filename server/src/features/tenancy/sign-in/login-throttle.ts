import { countedAddress } from '#platform/http/client-address.ts'
import type { Ctx } from '#platform/context.ts'
import { tooMany } from '#platform/errors.ts'
import { sha256 } from '#platform/secrets/random-keys.ts'
import * as store from './login-throttle-store.ts'

/** OWASP Authentication Cheat Sheet, Login Throttling: failures for one account from one client address or known device. */
const PER_CLIENT: store.ThrottleLimit = { free: 5, expiresAfter: '1 day' }
/** Failures from one client address for any accounts; higher, because an office may share one address. */
const PER_ADDRESS: store.ThrottleLimit = { free: 30, expiresAfter: '1 hour' }
/**
 * Failures for one account from all addresses but known devices, against distributed guessing. The count decays, so a
 * few failures an hour never reach the limit. Codes have 6 digits, hence the lower limit.
 */
const PER_ACCOUNT = {
  password: { free: 100, expiresAfter: '1 day', decaySeconds: 180 },
  code: { free: 20, expiresAfter: '1 day', decaySeconds: 900 },
  change: { free: 20, expiresAfter: '1 day', decaySeconds: 900 },
} as const satisfies Record<string, store.ThrottleLimit>

/** One check of a password or code. */
export interface LoginAttempt {
  /** `password` and `code` at sign-in, `change` when changing password or second factor; counted separately. */
  readonly purpose: keyof typeof PER_ACCOUNT
  /** Key of the account; addresses without an account are counted in the same way. */
  readonly account: string
  readonly address: string
  /** Known device or session: its failures are counted separately, and failures elsewhere do not lock it out. */
  readonly own?: string | undefined
}

interface Counter {
  readonly bucket: Buffer
  readonly limit: store.ThrottleLimit
}

/**
 * Runs `verify`, which returns undefined for a wrong password or code; after too many failures throws `tooMany` (429)
 * without running it. The counts are in the database and therefore hold on all nodes and across restarts.
 */
export async function throttled<T>(
  system: Ctx,
  wanted: LoginAttempt,
  verify: () => Promise<T | undefined>,
): Promise<T | undefined> {
  const one = perClient(wanted)
  const all = wanted.own === undefined ? [perAddress(wanted), one, perAccount(wanted)] : [one]
  await countAll(system, all)
  const found = await verify()
  if (found === undefined) return undefined
  for (const { bucket } of all)
    await (bucket === one.bucket ? store.clear(system, bucket) : store.decrement(system, bucket))
  return found
}

/** In order; when one counter refuses, the earlier ones are decremented again and the later ones are not touched. */
async function countAll(system: Ctx, all: readonly Counter[]): Promise<void> {
  for (const [at, { bucket, limit }] of all.entries()) {
    const seconds = await store.count(system, bucket, limit)
    if (seconds === 0) continue
    for (const before of all.slice(0, at)) await store.decrement(system, before.bucket)
    throw tooMany(seconds)
  }
}

/**
 * For requests without a password, such as starting single sign-on: counts as a failure of the address until
 * `uncountAttempt`.
 */
export async function countAttempt(system: Ctx, address: string): Promise<void> {
  await countAll(system, [perAddress({ address })])
}

export const uncountAttempt = (system: Ctx, address: string): Promise<void> =>
  store.decrement(system, perAddress({ address }).bucket)

/** The account key of an e-mail address, whether or not it has an account. */
export const emailKey = (email: string): string => email.trim().toLowerCase()

/** After a password reset: clears the account's counts for the client address and overall. */
export async function clearFailures(system: Ctx, wanted: LoginAttempt): Promise<void> {
  for (const { bucket } of [perClient(wanted), perAccount(wanted)]) await store.clear(system, bucket)
}

const perAddress = ({ address }: Pick<LoginAttempt, 'address'>): Counter => ({
  bucket: sha256(`address ${countedAddress(address)}`),
  limit: PER_ADDRESS,
})

const perClient = ({ purpose, account, address, own }: LoginAttempt): Counter => ({
  bucket: sha256(JSON.stringify([purpose, account, own ?? `address ${countedAddress(address)}`])),
  limit: PER_CLIENT,
})

const perAccount = ({ purpose, account }: LoginAttempt): Counter => ({
  bucket: sha256(JSON.stringify([purpose, account])),
  limit: PER_ACCOUNT[purpose],
})
