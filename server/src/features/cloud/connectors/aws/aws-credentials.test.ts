import { expect, test } from 'vitest'
import { temporaryKeys } from './aws-credentials.ts'

const KEYS = { accessKeyId: 'a', secretAccessKey: 's', sessionToken: 't' }

function scene(lastsMs: number) {
  let [now, calls] = [0, 0]
  const credentials = temporaryKeys(
    () => new Date(now),
    async () => {
      calls += 1
      return { keys: KEYS, until: now + lastsMs }
    },
  )
  return { credentials, pass: (ms: number) => void (now += ms), calls: () => calls }
}

test('a session of an hour is replaced five minutes before its end', async () => {
  const { credentials, pass, calls } = scene(3_600_000)
  await Promise.all([credentials.keys(), credentials.keys()])
  pass(3_299_000)
  await credentials.keys()
  expect(calls()).toBe(1)
  pass(2_000)
  await credentials.keys()
  expect(calls()).toBe(2)
})

test('a short session is used for half of its time, not asked for in a loop', async () => {
  const { credentials, pass, calls } = scene(120_000)
  await credentials.keys()
  pass(59_000)
  await credentials.keys()
  expect(calls()).toBe(1)
  pass(2_000)
  await credentials.keys()
  expect(calls()).toBe(2)
})

test.each([Number.NaN, 0, -1_000])(
  'a session that ends after %d ms is refused, once for each asking',
  async (lasts) => {
    const { credentials, calls } = scene(lasts)
    await expect(credentials.keys()).rejects.toMatchObject({ kind: 'bad_answer' })
    expect(calls()).toBe(1)
    await expect(credentials.keys()).rejects.toMatchObject({ kind: 'bad_answer' })
    expect(calls()).toBe(2)
  },
)
