import { expect, test } from 'vitest'
import { testApp } from '#test/support/app/test-app.ts'
import { receiver, type Received, type Reply } from '#test/support/http/webhook-receiver.ts'
import { listFeeds, setFeedAccess, syncFeed } from './feeds.ts'

const NOW = new Date('2026-01-01T00:00:00Z')

async function scene(answer: (request: Received) => Reply) {
  const { system } = (await testApp({ now: () => NOW })).runtime
  const { url } = await receiver(answer)
  await setFeedAccess(system, 'debian', { mirrorUrl: new URL('/', url).href })
  const hoursToNext = async () => {
    const nextAt = (await listFeeds(system)).find(({ name }) => name === 'debian')?.nextAt ?? ''
    return (Date.parse(nextAt) - NOW.getTime()) / 3_600_000
  }
  return { sync: () => syncFeed(system, 'debian', { waitMs: [] }), hoursToNext }
}

/** A file of so many packages with a vulnerability each. */
const packages = (count: number): string => {
  const releases = { bookworm: { status: 'resolved', fixed_version: '1', urgency: 'high' } }
  const each = Array.from({ length: count }, (_, at) => [
    `package-${at}`,
    { [`CVE-2024-${1_000 + at}`]: { description: 'x', releases } },
  ])
  return JSON.stringify(Object.fromEntries(each))
}

const file =
  (count: number): Reply =>
  (response) =>
    void response.writeHead(200, { etag: `"${count}"` }).end(packages(count))

test('a feed that fails is asked again later each time, after a day at most, and then at its own pace', async () => {
  let answer: Reply = 403
  const { sync, hoursToNext } = await scene(() => answer)
  for (const hours of [0.25, 0.5, 1, 2, 4, 8, 16, 24, 24]) {
    await expect(sync()).rejects.toThrow('answered 403')
    expect(await hoursToNext()).toBe(hours)
  }
  answer = file(1)
  await sync()
  expect(await hoursToNext()).toBe(6)
  answer = 403
  await expect(sync()).rejects.toThrow('answered 403')
  expect(await hoursToNext()).toBe(0.25)
})

test('how much a file held is known still when it was found unchanged', async () => {
  let count = 120
  const { sync } = await scene(({ headers }) =>
    headers['if-none-match'] === `"${count}"` ? 304 : file(count),
  )
  expect(await sync()).toMatchObject({ records: 120 })
  expect(await sync()).toMatchObject({ unchanged: 1 })
  count = 50
  await expect(sync()).rejects.toThrow('50 records where there were 120')
})
