import { beforeAll, expect, test } from 'vitest'
import { features } from '../../app.ts'
import { openHttpServer } from '../../startup/http-server.ts'
import type { Caller } from '#test/support/http/api-client.ts'
import { restError } from '#test/support/http/error-response.ts'
import { testApp, sharedTestApp } from '#test/support/app/test-app.ts'
import { things } from '#test/support/app/example-feature.ts'
import type { Ctx } from '../context.ts'

const ID = '11111111-2222-4333-8444-555555555555'
const scopes = ['read', 'write', 'admin', 'recognition:read'] as const
const withThings = { features: [...features, things] }

const shared = sharedTestApp(withThings)
let ctx: Ctx
let admin: Caller
beforeAll(async () => {
  ctx = await shared().newTenant()
  admin = shared().as(await shared().key(ctx))
})
const withScope = async (scope: string) => shared().as(await shared().key(ctx, [scope]))

test('a handler is given who asks and answers with its status', async () => {
  const answer = await admin.post('/things', { name: 'n' })
  expect(answer.status).toBe(201)
  expect(answer.headers['content-type']).toBe('application/json; charset=utf-8')
  expect(answer.body).toMatchObject({ body: { name: 'n' }, tenant: ctx.tenantId, actor: { kind: 'api_key' } })
})

test('a file comes as it is', async () => {
  const answer = await admin.get('/things/export')
  expect(answer.text).toBe('id\n1\n')
  expect(answer.headers['content-type']).toMatch(/^text\/csv/)
  expect(answer.headers['content-disposition']).toBe('attachment; filename="things.csv"')
})

test.each([
  ['GET', '/things', ['read', 'write', 'admin'], 'read'],
  ['HEAD', '/things', ['read', 'write', 'admin'], 'read'],
  ['POST', '/things', ['write', 'admin'], 'write'],
  ['PUT', `/things/${ID}`, ['write', 'admin'], 'write'],
  ['DELETE', `/things/${ID}`, ['admin'], 'admin'],
  ['GET', '/recognition/things', ['admin', 'recognition:read'], 'recognition:read'],
  ['POST', '/recognition/things', ['admin', 'recognition:read'], 'recognition:read'],
] as const)('%s %s is open to %j alone', async (method, path, open, needed) => {
  const answers = await Promise.all(
    scopes.map(async (scope) => (await withScope(scope)).send(method, `/api/v1${path}`)),
  )
  const passed = scopes.filter((_, n) => answers[n]?.status !== 403)
  expect(passed).toEqual(open)
  const refusals = answers.filter(({ status }) => status === 403).map(({ text }) => text)
  const refusal = { error: 'forbidden', message: `API key lacks required scope: ${needed}` }
  expect(new Set(refusals)).toEqual(new Set([method === 'HEAD' ? '' : JSON.stringify(refusal)]))
})

test.each([
  ['"v1"', 304],
  ['"v0", W/"v1"', 304],
  [' * ', 304],
  ['"v10"', 200],
  ['v1', 200],
  ['', 200],
])('a file whose ETag is "v1" is answered to If-None-Match: %s with %i', async (ifNoneMatch, status) => {
  const answer = await admin.send('GET', '/api/v1/things/export', {
    headers: { 'if-none-match': ifNoneMatch },
  })
  expect([answer.status, answer.text]).toEqual([status, status === 304 ? '' : 'id\n1\n'])
  expect(answer.headers['etag']).toBe('"v1"')
})

test('304 says what 200 would have said of caching, and nothing of a length, to GET and to HEAD', async () => {
  const ask = (method: string, ifNoneMatch: string) =>
    admin.send(method, '/api/v1/things/export', { headers: { 'if-none-match': ifNoneMatch } })
  const { etag, vary } = (await ask('GET', '"v0"')).headers
  expect(vary).toBe('accept-encoding')
  for (const method of ['GET', 'HEAD']) {
    const { status, headers } = await ask(method, '"v1"')
    expect([status, headers['etag'], headers['vary']]).toEqual([304, etag, vary])
    expect(headers['content-length']).toBeUndefined()
  }
})

test('no key, an empty one, a malformed one, an unknown one', async () => {
  const { as } = shared()
  const missing = restError(401, 'unauthorized', 'Missing X-API-Key header')
  expect(await as().get('/things')).toEqual(missing)
  expect(await as().send('GET', '/api/v1/things', { headers: { 'x-api-key': '' } })).toEqual(missing)
  for (const key of [
    'nonsense',
    'A'.repeat(64),
    'a'.repeat(63),
    'a'.repeat(65),
    'a'.repeat(64),
    'é'.repeat(9),
  ])
    expect(await as(key).get('/things')).toEqual(restError(401, 'unauthorized', 'Invalid or expired API key'))
})

test('a key in the address is no key', async () => {
  const key = await shared().key(ctx)
  const answer = await shared().as().get(`/things?X-API-Key=${key}&api_key=${key}`)
  expect(answer).toEqual(restError(401, 'unauthorized', 'Missing X-API-Key header'))
})

test('without a key, unknown paths are not distinguishable', async () => {
  const { as } = shared()
  const absent = restError(404, 'not_found', 'endpoint not found')
  expect(await as().get('/nope')).toEqual(restError(401, 'unauthorized', 'Missing X-API-Key header'))
  expect(await admin.get('/nope')).toEqual(absent)
  expect(await admin.get('')).toEqual(absent)
  for (const method of ['GET', 'POST', 'DELETE'])
    for (const path of ['/things/', '/things//parts'])
      expect(await admin.send(method, `/api/v1${path}`)).toEqual(absent)
  expect(await as().send('GET', '/elsewhere')).toEqual(absent)
  expect(await as().send('GET', '/api/v10/things')).toEqual(absent)
})

test('an id that cannot exist is answered like one that does not', async () => {
  const absent = restError(404, 'not_found', 'thing not found')
  for (const id of ['nonsense', `${ID}%00`, `0${ID.slice(1)}`])
    expect(await admin.get(`/things/${id}`)).toEqual(absent)
  expect((await admin.get(`/things/${ID.toUpperCase()}`)).status).toBe(200)
})

test.each([
  ['PATCH', '/things', 'GET, HEAD, POST'],
  ['OPTIONS', '/things', 'GET, HEAD, POST'],
  ['TRACE', '/things', 'GET, HEAD, POST'],
  ['PROPFIND', '/things', 'GET, HEAD, POST'],
  ['QUERY', '/things', 'GET, HEAD, POST'],
  ['DELETE', '/things/export', 'GET, HEAD'],
  ['POST', `/things/${ID}`, 'GET, HEAD, PUT, DELETE'],
  ['POST', '/things/nonsense', 'GET, HEAD, PUT, DELETE'],
])('%s %s is not allowed, %s are', async (method, path, allowed) => {
  const answer = await admin.send(method, `/api/v1${path}`)
  expect(answer).toEqual(restError(405, 'method_not_allowed', `allowed here: ${allowed}`))
  expect(answer.headers.allow).toBe(allowed)
})

test.each([
  ['read', 'PATCH', '/things', '403 API key lacks required scope: write'],
  ['read', 'PUT', '/nothing', '403 API key lacks required scope: write'],
  ['read', 'DELETE', '/things/export', '403 API key lacks required scope: admin'],
  ['read', 'GET', '/recognition/nothing', '403 API key lacks required scope: recognition:read'],
  ['recognition:read', 'GET', '/nothing', '403 API key lacks required scope: read'],
  ['recognition:read', 'GET', '/recognition/nothing', '404 endpoint not found'],
  ['read', 'GET', '/nothing', '404 endpoint not found'],
  ['write', 'PATCH', '/things', '405 allowed here: GET, HEAD, POST'],
  ['read', 'OPTIONS', '/things', '405 allowed here: GET, HEAD, POST'],
])('to a key with %s, %s %s, which is no endpoint, answers %s', async (scope, method, path, expected) => {
  const { status, text } = await (await withScope(scope)).send(method, `/api/v1${path}`)
  expect(`${status} ${(JSON.parse(text) as { message: string }).message}`).toBe(expected)
})

test('HEAD has the headers of GET and no body', async () => {
  const [head, get] = [await admin.head('/things'), await admin.get('/things')]
  expect(head.text).toBe('')
  const told = ['content-type', 'content-length', 'x-total-count', 'x-next-cursor'] as const
  expect(told.map((name) => head.headers[name])).toEqual(told.map((name) => get.headers[name]))
})

test.each([
  [{}, 'name: is required'],
  [{ name: 1 }, 'name: must be string'],
  [{ name: null }, 'name: must be string'],
  [{ name: '' }, 'name: must have at least 1 character'],
  [{ name: 'n', kind: 'huge' }, 'kind: must be one of big, small'],
  [{ name: 'n', kind: null }, 'kind: must be one of big, small'],
  [{ name: 'n', kind: ['big'] }, 'kind: must be one of big, small'],
  [{ name: 'n', size: '5' }, 'size: must be integer'],
  [{ name: 'n', size: 1.5 }, 'size: must be integer'],
  [{ name: 'n', size: -1 }, 'size: must be at least 0'],
  [{ name: 'n', size: 1e300 }, 'size: must be at most 10'],
  [{ name: 'n', days: 0 }, 'days: must be at least 1 or null'],
  [{ name: 'n', days: 'x' }, 'days: must be integer or null'],
  [{ name: 'n', partOf: 'x' }, 'partOf: must be a UUID'],
  [{ name: 'n', parts: [1, 2, 3] }, 'parts: must have at most 2 items'],
  [{ name: 'n', parts: [{ 'a/b': 'x' }, {}] }, 'parts.1.a/b: is required'],
  [{ name: 'n', parts: [{ 'a/b': 5 }] }, 'parts.0.a/b: must be string'],
  [{ name: 'n', colour: 'red' }, 'colour: is not a known field'],
  [[], 'body: must be object'],
  ['text', 'body: must be object'],
  [null, 'body: must be object'],
  [undefined, 'body: must be object'],
])('the body %j is refused, naming the field', async (body, message) => {
  expect(await admin.post('/things', body)).toEqual(restError(400, 'invalid_request', message))
})

test('a body where none is needed does no harm', async () => {
  expect((await admin.delete(`/things/${ID}`, { a: 1 })).status).toBe(200)
})

test('a body is read as JSON in UTF-8, whatever its type is called', async () => {
  const post = (body: string, headers: Record<string, string>) =>
    admin.send('POST', '/api/v1/things', { body, headers })
  for (const type of [
    undefined,
    'Application/JSON; charset=UTF-8',
    'text/plain',
    'application/x-www-form-urlencoded',
    'application/json5',
  ]) {
    const headers = type ? { 'content-type': type } : {}
    expect((await post('{"name":"n"}', headers)).status).toBe(201)
    const refused = restError(400, 'invalid_request', 'body: is not valid JSON')
    expect(await post('name=n', headers)).toEqual(refused)
  }
  const unread = restError(415, 'unsupported_media_type', 'send the body as application/json')
  expect(await post('{"name":"n"}', { 'content-type': 'text/plain; charset=utf-16' })).toEqual(unread)
  expect(await post('{"name":"n"}', { 'content-encoding': 'gzip' })).toEqual(unread)
  expect(await post('{"name":"n"}', { 'content-type': 'nonsense' })).toEqual(unread)
})

test('scope is judged before the body is read', async () => {
  const answer = await (await withScope('read')).send('POST', '/api/v1/things', { body: '{' })
  expect(answer).toEqual(restError(403, 'forbidden', 'API key lacks required scope: write'))
})

test('a body that is too large is refused and its sender reads the answer', async () => {
  const refused = restError(413, 'payload_too_large', 'the body is larger than 1048576 bytes')
  for (const size of [1_048_577, 8_000_000])
    expect(await admin.post('/things', { name: 'x'.repeat(size) })).toEqual(refused)
})

test.each([
  ['q=a&q=b', 'q: must be string'],
  ['q=%00', 'q: must not contain the NUL character'],
])('the query %s is refused', async (query, message) => {
  expect(await admin.get(`/things?${query}`)).toEqual(restError(400, 'invalid_request', message))
})

test.each([
  ['q=100%25', '100%'],
  ['q=100%', '100%'],
  ['q=a+b', 'a b'],
  ['q=%C3%A4', 'ä'],
  ['q=%FF', '\ufffd'],
  ['__proto__=1&q=x&constructor=y', 'x'],
  ['limit=5&limit=6&q=x', 'x'],
  ['unknown=1&q=x', 'x'],
])('the query %s is read as a form', async (query, q) => {
  expect(await admin.get(`/things?${query}`)).toMatchObject({ status: 200, body: { data: [{ q }] } })
})

test('an unexpected error is answered with a fixed sentence and logged with its cause', async () => {
  const logged: unknown[] = []
  const { log } = shared().runtime
  const spy = Object.assign(Object.create(log) as typeof log, {
    error: (entry: unknown) => void logged.push(entry),
  })
  const { as, key, newTenant } = await testApp({ ...withThings, log: spy })
  const answer = await as(await key(await newTenant())).get('/things/crash')
  expect(answer).toEqual(
    restError(500, 'internal_error', 'The request could not be completed. Please try again later.'),
  )
  const requestId = answer.headers['x-request-id']
  expect(logged).toMatchObject([{ err: { message: 'the secret reason' }, requestId }])
})

test('a database that is away is an internal error, with headers', async () => {
  const { system } = shared().runtime
  const away = { ...system.db, all: () => Promise.reject(new Error('connection refused')) }
  const door = await openHttpServer(
    { host: '127.0.0.1', port: 0, rateLimitPerMinute: 100, trustedProxies: [] },
    { ...shared().runtime, system: { ...system, db: away } },
  )
  const response = await fetch(`${door.address}/api/v1/things`, { headers: { 'x-api-key': 'a'.repeat(64) } })
  await door.close()
  expect(response.status).toBe(500)
  expect(await response.json()).toMatchObject({ error: 'internal_error' })
  expect(response.headers.get('x-ratelimit-limit')).toBe('100')
})

test('responses are not cached, not sniffed, not framed', async () => {
  const { as } = shared()
  for (const answer of [await admin.get('/things'), await as().get('/things'), await as().send('GET', '/x')])
    expect(answer.headers).toMatchObject({
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    })
})
