import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { openNet } from '#platform/egress/net.ts'
import { encryptedFor } from '#platform/secrets/encrypted-for-key.ts'
import { temporaryFolder } from '#test/support/temporary-folder.ts'
import { AssignedWork } from './assigned-work.ts'
import { collectorIdentity } from './collector-identity.ts'
import { ServerConnection } from './server-connection.ts'

interface Sent {
  readonly assignment: string
  readonly process: string
  readonly messages: readonly { readonly number: number; readonly kind: string }[]
}

type Reply = readonly [status: number, body: object]

const taken = ({ messages }: Sent): Reply => [200, { taken: messages.length }]

/** Work whose messages go to a server that answers as it is told. */
async function work(reply: (sent: Sent, at: number) => Reply | Promise<Reply> = taken) {
  const requests: Sent[] = []
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const sent = JSON.parse(await textOf(request)) as Sent
    requests.push(sent)
    const [status, body] = await reply(sent, requests.length)
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  }
  const server = createServer((request, response) => void answer(request, response)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const net = openNet({ allowPrivate: ['127.0.0.0/8'] })
  onTestFinished(async () => {
    await net.close()
    server.closeAllConnections()
    server.close()
  })
  const identity = await collectorIdentity(temporaryFolder())
  const { port } = server.address() as AddressInfo
  const connection = new ServerConnection(`http://127.0.0.1:${port}`, identity, net)
  const assigned = new AssignedWork('the work', 'the process', { connection, identity })
  onTestFinished(() => assigned.stop())
  return { assigned, identity, requests, said: () => requests.flatMap(({ messages }) => messages) }
}

async function textOf(request: IncomingMessage): Promise<string> {
  let text = ''
  for await (const part of request) text += String(part)
  return text
}

const kinds = (messages: Sent['messages']) => messages.map(({ kind }) => kind)

test('what is said is numbered from one on, and sent with the names of the work and of the process', async () => {
  const { assigned, requests, said } = await work()
  await assigned.say({ kind: 'a' })
  assigned.offer({ kind: 'b' })
  await assigned.say({ kind: 'c' })
  await assigned.sent()
  expect(said()).toEqual([
    { kind: 'a', number: 1 },
    { kind: 'b', number: 2 },
    { kind: 'c', number: 3 },
  ])
  for (const it of requests) expect(it).toMatchObject({ assignment: 'the work', process: 'the process' })
})

test('what the server did not take is sent again, with the same numbers and in its order', async () => {
  const { assigned, requests } = await work((sent, at) =>
    at === 1 ? [503, {}] : at === 2 ? [200, { taken: 7 }] : taken(sent),
  )
  await assigned.say({ kind: 'a' })
  await assigned.say({ kind: 'b' })
  await assigned.sent()
  expect(requests.map(({ messages }) => messages.map(({ number }) => number))).toEqual([[1], [1, 2], [1, 2]])
})

test('while much is unsent, what can be missed is left out, and whoever says more waits', async () => {
  const open = Promise.withResolvers<void>()
  const { assigned, said } = await work(async (sent) => {
    await open.promise
    return taken(sent)
  })
  for (let n = 0; n < 201; n += 1) assigned.offer({ kind: 'offered' })
  assigned.offer({ kind: 'left out' })
  let isThrough = false
  const saying = assigned.say({ kind: 'waits' }).then(() => (isThrough = true))
  await new Promise((resolve) => setTimeout(resolve, 50))
  expect(isThrough).toBe(false)
  open.resolve()
  await saying
  await assigned.sent()
  expect(said()).toHaveLength(202)
  expect(kinds(said())).not.toContain('left out')
  expect(said().at(-1)).toEqual({ kind: 'waits', number: 202 })
})

test('messages go in batches of a million characters, and one that is longer goes alone', async () => {
  const hold = Promise.withResolvers<void>()
  const { assigned, requests } = await work(async (sent, at) => {
    if (at === 1) await hold.promise
    return taken(sent)
  })
  assigned.offer({ kind: 'first' })
  for (const length of [400_000, 400_000, 400_000, 1_200_000, 10])
    assigned.offer({ kind: 'x', text: 'x'.repeat(length) })
  hold.resolve()
  await assigned.sent()
  expect(requests.map(({ messages }) => messages.map(({ number }) => number))).toEqual([
    [1],
    [2, 3],
    [4],
    [5],
    [6],
  ])
})

test('a question is answered by its number, with what only this collector can read', async () => {
  const { assigned, identity, said } = await work()
  const [one, two] = [assigned.ask({ kind: 'one' }), assigned.ask({ kind: 'two' })]
  const { kty, crv, x } = identity.exchangeKey as { kty: string; crv: string; x: string }
  await assigned.answered({ number: 2, value: 'b', encrypted: await encryptedFor({ kty, crv, x }, 'secret') })
  await assigned.answered({ number: 1, value: 'a' })
  // told twice, because its receipt was lost
  await assigned.answered({ number: 1, value: 'again' })
  expect(await Promise.all([one, two])).toEqual([{ value: 'a' }, { value: 'b', secret: 'secret' }])
  expect(kinds(said())).toEqual(['one', 'two'])
  const garbled = assigned.ask({ kind: 'three' })
  await assigned.answered({ number: 3, value: null, encrypted: 'not for us' })
  await expect(garbled).rejects.toThrow(/JWE/)
})

test.each<[number, object]>([
  [404, { error: 'not_found' }],
  [401, { error: 'unknown_key' }],
  [403, { error: 'revoked' }],
])('an answer %i ends the work, and whoever waits for an answer learns it', async (status, body) => {
  const { assigned, requests } = await work(() => [status, body])
  await expect(assigned.ask({ kind: 'question' })).rejects.toThrow('the work was stopped')
  expect(assigned.signal.aborted).toBe(true)
  await assigned.say({ kind: 'more' })
  await assigned.sent()
  expect(requests).toHaveLength(1)
  await expect(assigned.ask({ kind: 'question' })).rejects.toThrow('aborted')
})

test.each([400, 413])('in place of what is refused by %i goes the reason, as the end', async (status) => {
  const { assigned, said } = await work((sent) =>
    kinds(sent.messages).includes('end')
      ? taken(sent)
      : [status, { error: 'invalid_request', message: 'too long' }],
  )
  await assigned.say({ kind: 'much' })
  await assigned.sent()
  const message = `what was seen cannot be sent: the server answered ${status} invalid_request too long`
  expect(said().at(-1)).toMatchObject({ kind: 'end', failure: { message, isFinal: true } })
  expect(assigned.signal.aborted).toBe(false)
})

test('where the reason is refused too, nothing more is sent', async () => {
  const { assigned, requests } = await work(() => [400, {}])
  await assigned.say({ kind: 'much' })
  await assigned.sent()
  expect(assigned.signal.aborted).toBe(true)
  expect(requests.map(({ messages }) => kinds(messages))).toEqual([['much'], ['end']])
})
