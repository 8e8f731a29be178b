import { mkdir, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  brotliCompressSync,
  brotliDecompressSync,
  gunzipSync,
  gzipSync,
  zstdCompressSync,
  zstdDecompressSync,
} from 'node:zlib'
import Fastify, { type FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addStaticFiles } from './static-files.ts'

const SCRIPT = 'export const text = "nothing but the same word";\n'.repeat(100)
const CODINGS = {
  '.br': { coding: 'br', encode: brotliCompressSync, decode: brotliDecompressSync },
  '.zst': { coding: 'zstd', encode: zstdCompressSync, decode: zstdDecompressSync },
  '.gz': { coding: 'gzip', encode: gzipSync, decode: gunzipSync },
} as const

let folder: string
let app: FastifyInstance

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'rollcall-site-'))
  await mkdir(join(folder, 'static'))
  await mkdir(join(folder, '.vite'))
  await writeFile(join(folder, 'index.html'), '<!doctype html><title>page</title>')
  await writeFile(join(folder, 'index.de.html'), '<!doctype html><title>Seite</title>')
  await writeFile(join(folder, 'icon.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>')
  await writeFile(join(folder, 'static/app-1a2b.js'), SCRIPT)
  // as web/precompress.ts writes them: each coding has a time of its own
  for (const [place, [extension, { encode }]] of Object.entries(CODINGS).entries()) {
    const path = join(folder, `static/app-1a2b.js${extension}`)
    await writeFile(path, encode(SCRIPT))
    await utimes(path, 1_700_000_000 + place, 1_700_000_000 + place)
  }
  await writeFile(join(folder, '.vite/manifest.json'), '{}')
  app = Fastify()
  app.get('/healthz', () => ({ status: 'ok' }))
  app.get('/api/v1/assets', () => ({ data: [] }))
  await addStaticFiles(app, folder)
})
afterAll(async () => {
  await app.close()
  await rm(folder, { recursive: true })
})

const browse = (url: string) => app.inject({ url, headers: { accept: 'text/html,application/xhtml+xml' } })

test.each(['/', '/assets', '/assets/7f3a?x=1', '/nowhere'])('a browser gets the page at %s', async (url) => {
  const { statusCode, headers, body } = await browse(url)
  expect({ statusCode, body }).toEqual({ statusCode: 200, body: expect.stringContaining('<title>page') })
  expect(headers['cache-control']).toBe('no-cache')
})

test.each(['/', '/assets', '/static/app-1a2b.js', '/icon.svg'])(
  'HEAD %s answers as GET does, without the content',
  async (url) => {
    const accept = { accept: 'text/html,application/xhtml+xml' }
    const [get, head] = [
      await app.inject({ url, headers: accept }),
      await app.inject({ method: 'HEAD', url, headers: accept }),
    ]
    const told = ({ statusCode, headers }: typeof get) => ({ statusCode, headers: { ...headers, date: '' } })
    expect(told(head)).toEqual(told(get))
    expect(head.body).toBe('')
  },
)

test('the page allows nothing inline, nothing from elsewhere and no frame', async () => {
  const { headers } = await browse('/')
  const policy = String(headers['content-security-policy'])
  expect(policy).toContain("default-src 'none'")
  expect(policy).toContain("frame-ancestors 'none'")
  expect(policy).not.toMatch(/unsafe|https?:|\*/)
  expect(headers).toMatchObject({ 'x-frame-options': 'DENY', 'x-content-type-options': 'nosniff' })
})

test('files with a hash in their name are cached as immutable', async () => {
  const { headers } = await app.inject('/static/app-1a2b.js')
  expect(headers['cache-control']).toBe('public, max-age=31536000, immutable')
  expect(headers['content-type']).toContain('javascript')
})

test('other files are asked for anew', async () => {
  expect((await app.inject('/icon.svg')).headers['cache-control']).toBe('no-cache')
})

test.each([
  '/static/../index.html',
  '/static/%2e%2e/index.html',
  '/static/none.js',
  '/static/app-1a2b.js.br',
  '/.vite/manifest.json',
])('nothing else is served: %s', async (url) => {
  expect((await app.inject(url)).statusCode).not.toBe(200)
})

describe('files that were compressed when they were built', () => {
  const fetched = (acceptEncoding: string, more: Record<string, string> = {}) =>
    app.inject({ url: '/static/app-1a2b.js', headers: { 'accept-encoding': acceptEncoding, ...more } })

  test.each(Object.values(CODINGS))('$coding', async ({ coding, decode }) => {
    const { headers, rawPayload } = await fetched(coding)
    expect(headers).toMatchObject({
      'content-encoding': coding,
      'content-type': 'text/javascript; charset=utf-8',
      'content-length': String(rawPayload.length),
      vary: 'accept-encoding',
    })
    expect(decode(rawPayload).toString()).toBe(SCRIPT)
  })

  test('the best that the browser takes, by its weights', async () => {
    const coding = async (accepted: string) => (await fetched(accepted)).headers['content-encoding']
    expect(await coding('gzip, deflate, br, zstd')).toBe('br')
    expect(await coding('br;q=0, zstd;q=0.4, gzip;q=0.7')).toBe('gzip')
    expect(await coding('br;q=0')).toBe(undefined)
    expect((await fetched('identity')).body).toBe(SCRIPT)
    expect((await fetched('identity')).headers['vary']).toBe('accept-encoding')
  })

  test('each has its ETag, which is the only one that spares the transfer', async () => {
    const tags = await Promise.all(
      ['br', 'zstd', 'gzip', 'identity'].map(async (it) => String((await fetched(it)).headers['etag'])),
    )
    expect(new Set(tags).size).toBe(4)
    const [brotli = '', , zipped = ''] = tags
    expect((await fetched('br', { 'if-none-match': brotli })).statusCode).toBe(304)
    expect((await fetched('br', { 'if-none-match': zipped })).statusCode).toBe(200)
  })

  test('a range is of the coded file', async () => {
    const whole = (await fetched('gzip')).rawPayload
    const { statusCode, headers, rawPayload } = await fetched('gzip', { range: 'bytes=4-9' })
    expect(statusCode).toBe(206)
    expect(headers['content-range']).toBe(`bytes 4-9/${whole.length}`)
    expect(rawPayload).toEqual(whole.subarray(4, 10))
  })

  test('what was not compressed comes as it is', async () => {
    const { headers } = await app.inject({ url: '/icon.svg', headers: { 'accept-encoding': 'br' } })
    expect(headers['content-encoding']).toBe(undefined)
    expect(headers['content-type']).toContain('image/svg+xml')
  })
})

describe('what is no page stays as it was', () => {
  test('endpoints, whatever a browser accepts', async () => {
    expect((await browse('/healthz')).json()).toEqual({ status: 'ok' })
    expect((await browse('/api/v1/assets')).json()).toEqual({ data: [] })
    expect((await browse('/api/v1/nowhere')).statusCode).toBe(404)
  })

  test('unknown paths for scripts', async () => {
    expect((await app.inject('/nowhere')).statusCode).toBe(404)
    expect(
      (await app.inject({ method: 'POST', url: '/', headers: { accept: 'text/html' } })).statusCode,
    ).toBe(404)
  })
})

test('without a built page nothing is served', async () => {
  const bare = Fastify()
  await addStaticFiles(bare, join(folder, 'static'))
  expect((await bare.inject({ url: '/', headers: { accept: 'text/html' } })).statusCode).toBe(404)
})

test.each([
  ['', '', 'page'],
  ['de', '', 'Seite'],
  ['de-CH, en;q=0.8', '', 'Seite'],
  ['fr, de;q=0.5, en;q=0.4', '', 'Seite'],
  ['en-GB, de;q=0.9', '', 'page'],
  ['fr, *;q=0.1', '', 'page'],
  ['de;q=nonsense', '', 'page'],
  ['en', 'a=1; rollcall_language=de', 'Seite'],
  ['de', 'rollcall_language=en', 'page'],
  ['de', 'rollcall_language=fr', 'Seite'],
  ['en', 'x_rollcall_language=de', 'page'],
])('to %j, with the cookie %j, the page is %j', async (language, cookie, title) => {
  const { body, headers } = await app.inject({
    url: '/assets',
    headers: { accept: 'text/html', 'accept-language': language, cookie },
  })
  expect(body).toContain(`<title>${title}</title>`)
  expect(headers.vary).toBe('cookie, accept-language, accept-encoding')
})

test.each(['/index.html', '/index.de.html'])('%s is no file of its own', async (url) => {
  expect((await app.inject({ url })).statusCode).toBe(404)
})
