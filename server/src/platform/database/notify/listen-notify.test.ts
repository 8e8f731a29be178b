import { expect, onTestFinished, test, vi } from 'vitest'
import { testApp } from '#test/support/app/test-app.ts'
import { openListenNotify } from './listen-notify.ts'

async function twoNodes() {
  const here = await testApp()
  const there = await testApp({ where: here.where })
  const heard = vi.fn<() => void>()
  there.runtime.database.onCommit('things', heard)
  // Heard once for whatever may have been missed before it listened.
  await vi.waitFor(() => expect(heard).toHaveBeenCalled(), { timeout: 20_000 })
  heard.mockClear()
  return { db: here.runtime.system.db, heard }
}

test('a commit in one process wakes another', async () => {
  const { db, heard } = await twoNodes()
  await db.transaction(async (db) => {
    db.afterCommit('others')
    db.afterCommit('things')
  })
  await vi.waitFor(() => expect(heard).toHaveBeenCalledTimes(1), { timeout: 20_000 })
})

test('a topic that names what it is about reaches its own listeners and those of the whole group', async () => {
  const here = await testApp()
  const there = await testApp({ where: here.where })
  const [group, one, other] = [vi.fn<(about?: string) => void>(), vi.fn<() => void>(), vi.fn<() => void>()]
  for (const { runtime } of [here, there]) {
    runtime.database.onCommit('things', group)
    runtime.database.onCommit('things a b', one)
    runtime.database.onCommit('things c', other)
  }
  await vi.waitFor(() => expect(other).toHaveBeenCalledTimes(2), { timeout: 20_000 })
  for (const heard of [group, one, other]) heard.mockClear()
  here.runtime.system.db.afterCommit('things a b')
  await vi.waitFor(() => expect(one).toHaveBeenCalledTimes(2), { timeout: 20_000 })
  expect(group.mock.calls).toEqual([['a b'], ['a b']])
  expect(other).not.toHaveBeenCalled()
})

test('what is rolled back wakes nobody', async () => {
  const { db, heard } = await twoNodes()
  const undone = db.transaction(async (db) => {
    db.afterCommit('things')
    throw new Error('undone')
  })
  await expect(undone).rejects.toThrow('undone')
  db.afterCommit('others')
  await db.transaction(async (db) => db.afterCommit('things'))
  await vi.waitFor(() => expect(heard).toHaveBeenCalledTimes(1), { timeout: 20_000 })
})

test('notifications of concurrent commits are batched, and none is lost', async () => {
  const sent: (readonly string[])[] = []
  const listenNotify = openListenNotify({
    notify: (payloads) => Promise.resolve(sent.push(payloads)),
    session: () => Promise.reject(new Error('nobody listens')),
  })
  for (let n = 0; n < 1_000; n++) listenNotify.announce(['a', 'b'])
  await listenNotify.close()
  const topics = sent.map((payloads) => payloads.map((it) => it.split(' ')[1]))
  expect(topics).toEqual([['a'], ['b', 'a']])
})

test('a message that cannot be sent harms nobody', async () => {
  const listenNotify = openListenNotify({
    notify: () => Promise.reject(new Error('no database')),
    session: () => Promise.reject(new Error('no database')),
  })
  const heard = vi.fn<() => void>()
  onTestFinished(listenNotify.on('a', heard))
  listenNotify.announce(['a'])
  expect(heard).toHaveBeenCalledTimes(1)
  await listenNotify.close()
})
