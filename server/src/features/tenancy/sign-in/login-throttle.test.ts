import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { Refusal } from '#platform/errors.ts'
import { sharedTestApp } from '#test/support/app/test-app.ts'
import {
  clearFailures,
  countAttempt,
  emailKey,
  throttled,
  uncountAttempt,
  type LoginAttempt,
} from './login-throttle.ts'

const home = sharedTestApp()
let addresses = 0
/** No other test comes from there. */
const newAddress = (): string => `10.${addresses >> 16}.${(addresses >> 8) & 255}.${(addresses += 1) & 255}`

const attemptOf = (more: Partial<LoginAttempt> = {}): LoginAttempt => ({
  purpose: 'password',
  account: randomUUID(),
  address: newAddress(),
  ...more,
})

/** How many wrong ones are looked at before one is refused unseen. */
async function lookedAt(attempt: () => LoginAttempt): Promise<number> {
  let looked = 0
  const look = async (): Promise<undefined> => {
    looked += 1
    return undefined
  }
  for (;;) {
    const refused = await throttled(home().runtime.system, attempt(), look).catch(statusOf)
    if (refused === 429) return looked
  }
}

function statusOf(error: unknown): number {
  if (error instanceof Refusal) return error.status
  throw error
}

test.each<[string, number, () => () => LoginAttempt]>([
  [
    'of one account from one address',
    5,
    () => {
      const one = attemptOf()
      return () => one
    },
  ],
  [
    'of one account from one known device',
    5,
    () => {
      const [account, own] = [randomUUID(), randomUUID()]
      return () => attemptOf({ account, own })
    },
  ],
  [
    'of many accounts from one address',
    30,
    () => {
      const address = newAddress()
      return () => attemptOf({ address })
    },
  ],
])('failures %s: %i', async (_, most, scene) => {
  expect(await lookedAt(scene())).toBe(most)
})

test.each([
  ['password', 100],
  ['code', 20],
  ['change', 20],
] as const)(
  'failures of the %s of one account from everywhere: %i, or one more as they fade',
  async (purpose, most) => {
    const account = randomUUID()
    const looked = await lookedAt(() => attemptOf({ account, purpose }))
    expect([most, most + 1]).toContain(looked)
  },
)

test('a right one is answered, and forgets the failures of who showed it', async () => {
  const { system } = home().runtime
  const attempt = attemptOf()
  const wrong = () => throttled(system, attempt, async () => undefined)
  for (let n = 0; n < 4; n += 1) expect(await wrong()).toBeUndefined()
  expect(await throttled(system, attempt, async () => 'in')).toBe('in')
  expect(await lookedAt(() => attempt)).toBe(5)
  await clearFailures(system, attempt)
  expect(await lookedAt(() => attempt)).toBe(5)
})

test('what one limit refuses counts for no other', async () => {
  const attempt = attemptOf()
  await lookedAt(() => attempt)
  // once in a while one is looked at, when the wait is over
  for (let n = 0; n < 20; n += 1) await lookedAt(() => attempt)
  const { address } = attempt
  expect(await lookedAt(() => attemptOf({ address }))).toBeGreaterThan(15)
})

test('a start of single sign-on counts for its address until it is taken back', async () => {
  const { system } = home().runtime
  const address = newAddress()
  for (let n = 0; n < 30; n += 1) await countAttempt(system, address)
  await expect(countAttempt(system, address)).rejects.toMatchObject({ status: 429 })
  await uncountAttempt(system, address)
  await countAttempt(system, address)
  await expect(countAttempt(system, address)).rejects.toMatchObject({ status: 429 })
})

test('an address of mail is one account however it is written', () => {
  expect(emailKey(' Ada@Example.org ')).toBe('ada@example.org')
})
