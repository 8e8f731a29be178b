import { gzipSync } from 'node:zlib'
import { expect, onTestFinished, test } from 'vitest'
import { receiver } from '#test/support/http/webhook-receiver.ts'
import { openConnections } from './connection-pool.ts'
import { postWithin } from './post.ts'

/** What came back from a receiver that says `body`, as if its address were public, or as it is. */
async function excerptOf(body: Buffer, { isPrivate }: { isPrivate: boolean }): Promise<Buffer | undefined> {
  const there = await receiver(() => (response) => {
    response.writeHead(500, { 'content-encoding': 'gzip' }).end(body)
  })
  const connections = openConnections(() => true)
  onTestFinished(() => connections.close())
  const resolveAndCheck = () => Promise.resolve({ addresses: ['127.0.0.1'], isPrivate })
  const post = { url: new URL(there.url), headers: {}, body: Buffer.from('x'), budgetMs: 5_000 }
  const answer = await postWithin({ resolveAndCheck, connections }, post)
  expect(answer).toMatchObject({ status: 500, phase: 'read' })
  return answer.excerpt
}

test.each([
  ['nothing', Buffer.alloc(0), 0],
  ['a sentence', Buffer.from('no such thing \u0000 \u00ff'), 19],
  ['4 KiB', Buffer.alloc(4_096, 'x'), 4_096],
  ['more', Buffer.alloc(50_000, 'x'), 4_096],
  ['a megabyte', Buffer.alloc(1_048_576, 'x'), 4_096],
  ['what is packed', gzipSync(Buffer.alloc(10_000_000)), 4_096],
])('of %s no more than 4 KiB is kept, as it came', async (_, body, length) => {
  const excerpt = await excerptOf(body, { isPrivate: false })
  expect(excerpt).toEqual(body.subarray(0, 4_096))
  expect(excerpt).toHaveLength(Math.min(length, body.length))
})

test('nothing of the response of a private destination is stored', async () => {
  expect(await excerptOf(Buffer.from('internal'), { isPrivate: true })).toBeUndefined()
})
