import { getIntrospectionQuery } from 'graphql'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Ctx } from '../src/platform/context.ts'
import { addressIn, browserOf, newPerson } from './support/http/browser-session.ts'
import type { Caller } from './support/http/api-client.ts'
import { testApp, sharedTestApp } from './support/app/test-app.ts'
import { asker, believed, headersOf, inTenant, type Ask, type Result } from './support/http/graphql-client.ts'

const shared = sharedTestApp({ contextOf: believed })
let ctx: Ctx
let caller: Caller
let ask: Ask
beforeAll(async () => {
  ctx = await shared().newTenant()
  caller = shared().as()
  ask = asker(caller, headersOf(ctx))
})

const KEYS = '{ apiKeys { id } }'

describe('who is heard', () => {
  const send = (change: Record<string, string | undefined>, body: unknown = { query: KEYS }) => {
    const headers = Object.entries({ ...headersOf(ctx), ...change }).filter(
      ([, value]) => value !== undefined,
    )
    return caller.send<{ error?: string; data?: unknown }>('POST', inTenant('/graphql'), {
      body: typeof body === 'string' ? body : JSON.stringify(body),
      headers: Object.fromEntries(headers) as Record<string, string>,
    })
  }

  test('a person of the tenant, on a page of the app', async () => {
    const { origin } = new URL(await shared().address())
    expect(await send({ origin, 'sec-fetch-site': 'same-origin' })).toMatchObject({
      status: 200,
      body: { data: { apiKeys: [] } },
      headers: { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' },
    })
  })

  test('also behind a proxy that names another host, as long as the browser vouches for the page', async () => {
    const origin = 'https://assets.example'
    expect((await send({ origin, 'sec-fetch-site': 'same-origin' })).status).toBe(200)
  })

  test('nobody without a session, introspection included', async () => {
    for (const query of [KEYS, '{ __typename }', getIntrospectionQuery()])
      expect(await send({ cookie: undefined }, { query })).toMatchObject({
        status: 401,
        body: { error: 'unauthorized' },
      })
  })

  test('no API key, with a session or without one', async () => {
    const key = await shared().key(ctx)
    for (const cookie of [undefined, headersOf(ctx)['cookie']])
      expect(await send({ cookie, 'x-api-key': key })).toMatchObject({
        status: 403,
        body: { error: 'forbidden' },
      })
  })

  test.each([
    ['without the header of the app', { 'x-rollcall': undefined }],
    ['from another origin', { origin: 'https://elsewhere.example' }],
    ['from an origin that has none', { origin: 'null' }],
    ['from another site', { 'sec-fetch-site': 'cross-site' }],
    ['from a sibling site', { 'sec-fetch-site': 'same-site' }],
  ])('no page %s', async (_, change) => {
    expect(await send(change)).toMatchObject({ status: 403, body: { error: 'forbidden' } })
  })

  test.each(['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x'])(
    'no form: %s',
    async (type) => {
      expect((await send({ 'content-type': type })).status).toBe(415)
    },
  )

  test.each(['GET', 'HEAD', 'PUT', 'DELETE', 'OPTIONS'])('nothing by %s', async (method) => {
    const query = encodeURIComponent('mutation { revokeApiKey(id: "1") { id } }')
    const path = inTenant(`/graphql?query=${query}`)
    const answer = await caller.send(method, path, { headers: headersOf(ctx) })
    expect(answer.status).toBe(405)
    expect(answer.headers['allow']).toBe('POST')
  })

  test.each([
    ['a batch', [{ query: KEYS }, { query: KEYS }]],
    ['no JSON', '{'],
    ['no query', { variables: {} }],
    ['a query that is no text', { query: 7 }],
    ['variables that are a list', { query: KEYS, variables: [] }],
  ])('not %s', async (_, body) => {
    expect(await send({}, body)).toMatchObject({ status: 400, body: { error: 'invalid_request' } })
  })

  test('not more than a mebibyte', async () => {
    expect((await send({}, { query: KEYS, variables: { a: 'x'.repeat(1_048_577) } })).status).toBe(413)
  })
})

test('who signed in is heard as far as the role goes, until signed out', async () => {
  const there = await testApp()
  const ctx = await there.newTenant()
  const browser = await browserOf(there, await newPerson(there, ctx, { isAdmin: false }))
  const path = await addressIn(ctx, '/graphql')
  const send = (query: string) => browser.send<Result<object>>('POST', path, { query })
  expect((await send('{ assets { total } }')).body).toEqual({ data: { assets: { total: 0 } } })
  expect((await send(KEYS)).body.errors?.[0]?.extensions).toEqual({ code: 'forbidden' })
  await browser.send('DELETE', '/session')
  expect(await send('{ assets { total } }')).toMatchObject({ status: 401, body: { error: 'unauthorized' } })
})

describe('how much may be asked at once', () => {
  const refusal = async (query: string): Promise<string | undefined> => {
    const { data, errors } = await ask(query)
    expect(data).toBeUndefined()
    return errors?.[0]?.extensions.code
  }

  test('a schema, by introspection', async () => {
    const { data, errors } = await ask<{ __schema: object }>(getIntrospectionQuery())
    expect(errors).toBeUndefined()
    expect(data?.__schema).toMatchObject({ queryType: { name: 'Query' } })
  })

  test('ten aliases, not eleven', async () => {
    const aliases = (n: number) =>
      `{ ${Array.from({ length: n }, (_, i) => `a${i}: apiKeys { id }`).join(' ')} }`
    expect((await ask(aliases(10))).errors).toBeUndefined()
    expect(await refusal(aliases(11))).toBe('query_too_complex')
  })

  test('not aliases hidden in fragments', async () => {
    const spreads = Array.from({ length: 6 }, () => '...k').join(' ')
    expect(await refusal(`{ apiKeys { ${spreads} } } fragment k on ApiKey { a: id b: id }`)).toBe(
      'query_too_complex',
    )
  })

  test('not more than ten fields deep', async () => {
    const deep = Array.from({ length: 10 }).reduce<string>((inner) => `a { ${inner} }`, 'id')
    expect(await refusal(`{ ${deep} }`)).toBe('query_too_complex')
    const chain = Array.from({ length: 10 }, (_, n) => `fragment f${n} on A { a { ...f${n + 1} } }`).join(' ')
    expect(await refusal(`{ a { ...f0 } } ${chain} fragment f10 on A { id }`)).toBe('query_too_complex')
  })

  test.each([
    ['lists', `{ apiKeys(x: ${'['.repeat(990)}${']'.repeat(990)}) { id } }`],
    ['lists that never end', `{ apiKeys(x: ${'['.repeat(1_990)}`],
    ['objects', `{ apiKeys(x: ${'{a:'.repeat(600)}1${'}'.repeat(600)}) { id } }`],
    ['selections', `${'{a'.repeat(900)}${'}'.repeat(900)}`],
    ['types of variables', `query($x: ${'['.repeat(900)}Int${']'.repeat(900)}) { apiKeys { id } }`],
  ])('not what is nested without end: %s', async (_, query) => {
    expect(await refusal(query)).toBe('query_too_complex')
  })

  test('brackets in texts and comments nest nothing', async () => {
    const { errors } = await ask(
      `{ apiKeys { id } __type(name: "${'['.repeat(100)}") { name } } # ${'{'.repeat(100)}`,
    )
    expect(errors).toBeUndefined()
  })

  test('not fragments that double forty times', async () => {
    const doubling = Array.from(
      { length: 40 },
      (_, n) => `fragment f${n} on ApiKey { ...f${n + 1} ...f${n + 1} }`,
    )
    const query = `{ apiKeys { ...f0 } } ${doubling.join(' ')} fragment f40 on ApiKey { id }`
    expect(await refusal(query)).toBe('query_too_complex')
  })

  test('not long lists of what has long lists', async () => {
    const asset = 'id name os ipAddress macAddress serial vendor model tags confidence riskScore'
    const pairs = (first: number) =>
      `{ possibleDuplicates(first: ${first}) { items { assetA { ${asset} } assetB { ${asset} } reasons { type value } } } }`
    expect((await ask(pairs(50))).errors).toBeUndefined()
    const { errors } = await ask(pairs(500))
    expect(errors?.[0]?.extensions.code).toBe('query_too_complex')
  })

  test('not a circle of fragments', async () => {
    const query = '{ apiKeys { ...a } } fragment a on ApiKey { ...b } fragment b on ApiKey { ...a }'
    expect(await refusal(query)).toBe('invalid_request')
  })

  test('not the same field over and over', async () => {
    expect(await refusal(`{ apiKeys { ${'id '.repeat(501)} } }`)).toBe('query_too_complex')
  })

  test('not more words than a person writes, nor more letters', async () => {
    expect(await refusal(`{ apiKeys { id ${'@include(if: true) '.repeat(500)} } }`)).toBe('invalid_request')
    const long = await caller.send<{ error: string }>('POST', inTenant('/graphql'), {
      body: JSON.stringify({ query: `{ apiKeys { id } } # ${'x'.repeat(40_000)}` }),
      headers: headersOf(ctx),
    })
    expect(long).toMatchObject({ status: 400, body: { error: 'invalid_request' } })
  })

  test('not the schema of the schema without end', async () => {
    const deep = Array.from({ length: 8 }).reduce<string>((inner) => `type { fields { ${inner} } }`, 'name')
    expect(await refusal(`{ __schema { types { fields { ${deep} } } } }`)).toBe('invalid_request')
  })
})

describe('how a refusal is told', () => {
  const first = ({ errors }: Result<unknown>) => errors?.[0]

  test('by its code, and its field', async () => {
    expect(first(await ask('mutation { createApiKey(name: " ", scopes: [read]) { secret } }'))).toEqual({
      message: 'name: must have 1 to 200 characters',
      path: ['createApiKey'],
      extensions: { code: 'invalid_request', field: 'name' },
    })
  })

  test('two lifetimes of one key are refused', async () => {
    const both = 'createApiKey(name: "x", scopes: [read], expiresInDays: 7, never: true) { secret }'
    expect(first(await ask(`mutation { ${both} }`))?.extensions).toEqual({
      code: 'invalid_request',
      field: 'expiresInDays',
    })
  })

  test('a permission that is missing', async () => {
    const reader = asker(caller, headersOf(ctx, ['api_keys:read']))
    expect((await reader(KEYS)).errors).toBeUndefined()
    expect(
      first(await reader('mutation { createApiKey(name: "x", scopes: [read]) { secret } }'))?.extensions,
    ).toEqual({ code: 'forbidden' })
  })

  test('a document that is none, and an argument that does not fit', async () => {
    for (const query of ['{', '', '{ nothing }', 'mutation { createApiKey(name: 7, scopes: []) { secret } }'])
      expect(first(await ask(query))?.extensions).toEqual({ code: 'invalid_request' })
    const fault = first(await ask('query ($n: Int!) { assets(first: $n) { total } }', { n: 'x' }))
    expect(fault?.extensions.code).toBe('invalid_request')
  })

  test('a text that cannot be stored, in the document or beside it', async () => {
    const create = (name: string) => `mutation { createApiKey(name: "${name}", scopes: [read]) { secret } }`
    for (const name of ['\\u0000', '\\ud800'])
      expect(first(await ask(create(name)))?.extensions.code).toBe('invalid_request')
  })

  test('a bug, without its reason', async () => {
    const { newTenant } = shared()
    const gone = asker(caller, {
      ...headersOf(await newTenant()),
      cookie: headersOf({ ...ctx, tenantId: 'no uuid' })['cookie']!,
    })
    expect(first(await gone(KEYS))).toEqual({
      message: 'The request could not be completed. Please try again later.',
      path: ['apiKeys'],
      extensions: { code: 'internal_error' },
    })
  })
})
