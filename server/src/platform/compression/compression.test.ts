import { Readable } from 'node:stream'
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib'
import Fastify, { type FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addCompression } from './compression.ts'

const LONG = JSON.stringify({ items: Array.from({ length: 500 }, (_, id) => ({ id, name: `host ${id}` })) })
const ALL = 'gzip, deflate, br, zstd'
const DECODE = { br: brotliDecompressSync, zstd: zstdDecompressSync, gzip: gunzipSync } as const

let app: FastifyInstance
let ended: (() => void) | undefined
beforeAll(async () => {
  app = Fastify()
  addCompression(app)
  app.get('/long', (_, reply) => {
    reply.isCompressible = true
    return reply.type('application/json').send(LONG)
  })
  app.get('/short', (_, reply) => {
    reply.isCompressible = true
    return reply.send('short')
  })
  app.get('/secret', (_, reply) => reply.type('application/json').send(LONG))
  app.get('/stream', (_, reply) => {
    reply.isCompressible = true
    return reply.type('text/csv').send(Readable.from(Array.from({ length: 300 }, (_, n) => `${n},host\n`)))
  })
  app.get('/endless', (_, reply) => {
    reply.isCompressible = true
    return reply.type('text/csv').send(endless())
  })
  await app.listen({ host: '127.0.0.1', port: 0 })
})
afterAll(() => app.close())

async function* endless(): AsyncGenerator<string> {
  try {
    for (let n = 0; ; n++) yield `${n},${Math.random()}\n`
  } finally {
    ended?.()
  }
}

const get = (url: string, accepted = ALL, method: 'GET' | 'HEAD' = 'GET') =>
  app.inject({ method, url, headers: { 'accept-encoding': accepted } })

test.each([
  ['br', 'br'],
  ['zstd', 'zstd'],
  ['gzip', 'gzip'],
  [ALL, 'zstd'],
  ['zstd;q=0.1, gzip', 'gzip'],
] as const)('for %s it is %s', async (accepted, coding) => {
  const { headers, rawPayload } = await get('/long', accepted)
  expect(headers).toMatchObject({ 'content-encoding': coding, vary: 'accept-encoding' })
  expect(headers['content-length']).toBe(String(rawPayload.length))
  expect(rawPayload.length).toBeLessThan(LONG.length / 3)
  expect(DECODE[coding](rawPayload).toString()).toBe(LONG)
})

test('without a coding in common it comes as it is, and caches are told that it varies', async () => {
  const { headers, body } = await get('/long', 'identity')
  expect(headers['content-encoding']).toBe(undefined)
  expect({ body, vary: headers['vary'] }).toEqual({ body: LONG, vary: 'accept-encoding' })
})

test('short responses and those of handlers that do not allow it are not compressed', async () => {
  expect((await get('/short')).body).toBe('short')
  const { headers, body } = await get('/secret')
  expect({ body, coding: headers['content-encoding'] }).toEqual({ body: LONG, coding: undefined })
})

test('a stream is compressed while it flows', async () => {
  const { headers, rawPayload } = await get('/stream', 'gzip')
  expect(headers['content-encoding']).toBe('gzip')
  expect(gunzipSync(rawPayload).toString().split('\n')).toHaveLength(301)
})

test.each(['/long', '/short', '/secret'])('HEAD %s has the headers of GET', async (url) => {
  const [head, whole] = [await get(url, ALL, 'HEAD'), await get(url)]
  expect({ ...head.headers, date: '' }).toEqual({ ...whole.headers, date: '' })
  expect(head.body).toBe('')
})

test('a client that disconnects ends the compression', async () => {
  const isOver = new Promise<void>((resolve) => (ended = resolve))
  const address = app.server.address() as { port: number }
  const leave = new AbortController()
  const response = await fetch(`http://127.0.0.1:${address.port}/endless`, { signal: leave.signal })
  expect(response.headers.get('content-encoding')).toBe('gzip')
  await response.body?.getReader().read()
  leave.abort()
  await isOver
})
