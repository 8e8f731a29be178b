import { beforeAll, describe, expect, test } from 'vitest'
import type { Ctx } from '../src/platform/context.ts'
import { sharedTestApp } from './support/app/test-app.ts'
import { graphqlRecordFactories } from './support/api-coverage/graphql-record-factories.ts'
import { believed, headersOf, inTenant } from './support/http/graphql-client.ts'

const shared = sharedTestApp({ contextOf: believed })
/** Long enough to be worth it. */
const EVERYTHING = '__schema { types { name description } }'
const ACCEPTED = { 'accept-encoding': 'gzip, br, zstd' }

let ctx: Ctx
let key: string
beforeAll(async () => {
  ctx = await shared().newTenant()
  key = await shared().key(ctx)
})

async function ask(method: 'GET' | 'POST', path: string, headers = {}, body?: unknown) {
  const response = await fetch((await shared().address()) + path, {
    method,
    headers: { ...ACCEPTED, ...headers },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const { status } = response
  return { status, headers: Object.fromEntries(response.headers), text: await response.text() }
}
const graphql = async (query: string, variables = {}) =>
  (await ask('POST', inTenant('/graphql'), headersOf(ctx), { query, variables })).headers

describe('what is only read is compressed', () => {
  test('over REST and GraphQL', async () => {
    for (let n = 0; n < 6; n++) await graphqlRecordFactories.asset(shared(), ctx)
    const assets = await ask('GET', '/api/v1/assets', { 'x-api-key': key })
    expect(assets).toMatchObject({ status: 200, headers: { 'content-encoding': 'zstd' } })
    expect(JSON.parse(assets.text)).toHaveProperty('data')
    expect(await graphql(`{ ${EVERYTHING} }`)).toMatchObject({ 'content-encoding': 'zstd' })
  })

  test('the API document', async () => {
    expect((await ask('GET', '/api/v1/openapi.json')).headers).toMatchObject({
      'content-encoding': 'zstd',
      vary: 'accept-encoding',
    })
  })
})

describe('what tells a new secret is not', () => {
  test('an answer to a mutation', async () => {
    const name = 'a'.repeat(120)
    const again = Array.from({ length: 9 }, (_, n) => `again${n}: name`).join(' ')
    const answer = await graphql(
      `mutation($name: String!) { createApiKey(name: $name, scopes: [read]) { secret apiKey { ${again} } } }`,
      { name },
    )
    expect(Number(answer['content-length'])).toBeGreaterThan(1_024)
    expect(answer['content-encoding']).toBe(undefined)
  })
})

test('a script of another build is not found, which the page can tell from a fault', async () => {
  expect((await ask('GET', '/static/assets-page-OLDBUILD.js')).status).toBe(404)
})
