import { randomUUID } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import type { TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import { features } from '../src/app.ts'
import { allScopes, missingScope } from '../src/features/api-keys/scopes.ts'
import type { Ctx } from '../src/platform/context.ts'
import { readVersion } from '../src/platform/database/cache/tenant-version.ts'
import { openApiPage } from '../src/generated-docs/openapi-page.ts'
import { bracedPath, mediaTypesOf, type Route } from '../src/platform/http/route.ts'
import type { Caller } from './support/http/api-client.ts'
import { restError, rateLimitHeaders } from './support/http/error-response.ts'
import { sharedTestApp } from './support/app/test-app.ts'
import { restRecordFactories, queries } from './support/api-coverage/rest-record-factories.ts'
import { endpoints } from './support/api-coverage/rest-endpoints.ts'

const shared = sharedTestApp()
let ctx: Ctx
let admin: Caller
beforeAll(async () => {
  ctx = await shared().newTenant()
  admin = shared().as(await shared().key(ctx))
})

const routes = features
  .flatMap(({ rest }) => rest ?? [])
  .map((it) => [`${it.method} ${it.path}`, it] as const)
const readable = routes.filter(([, { method }]) => method === 'GET')
const pathOf = ({ path }: Route): string => `/api/v1${path.replaceAll(/:\w+/g, randomUUID())}`
/** With the ids of things that are there. */
const pathOfThings = async ({ path }: Route): Promise<string> => {
  for (const noun of Object.keys(restRecordFactories)) await idOf(noun)
  return `/api/v1${path.replaceAll(/([\w-]+)\/:\w+/g, (_, noun: string) => `${noun}/${made.get(noun)}`)}`
}

test.each(routes)('%s stands in the specification', (_, { method, path }) => {
  const scope = missingScope([], method, path)
  expect(endpoints).toContainEqual([method, path, scope])
})

test.each(routes)('%s wants a key that works', async (_, route) => {
  const { as } = shared()
  const missing = restError(401, 'unauthorized', 'Missing X-API-Key header')
  expect(await as().send(route.method, pathOf(route))).toEqual(missing)
  const unknown = restError(401, 'unauthorized', 'Invalid or expired API key')
  for (const key of ['f'.repeat(64), 'nonsense'])
    expect(await as(key).send(route.method, pathOf(route))).toEqual(unknown)
})

test.each(routes)('%s wants its scope', async (_, route) => {
  for (const scope of allScopes) {
    const needed = missingScope([scope], route.method, route.path)
    const answer = await shared()
      .as(await shared().key(ctx, [scope]))
      .send(route.method, pathOf(route))
    const told = answer.status === 403 ? (answer.body as { message: string }).message : undefined
    expect(told).toBe(needed && `API key lacks required scope: ${needed}`)
  }
})

test.each(routes)('%s names the methods of its path when another is tried', async (_, route) => {
  const methods = routes.filter(([, { path }]) => path === route.path).map(([, { method }]) => method)
  const allowed = methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]))
  for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND'].filter(
    (it) => !allowed.includes(it),
  )) {
    const answer = await admin.send(method, pathOf(route))
    expect(answer).toEqual(restError(405, 'method_not_allowed'))
    expect(answer.headers.allow).toBe(allowed.join(', '))
  }
})

test.each(routes.filter(([, { path, shape }]) => /:(id|\w+Id)\b/.test(path) && !shape.takesAnyId))(
  '%s knows no id that is no UUID',
  async (_, route) => {
    for (const id of ['nonsense', '1', '00000000-0000-0000-0000', '%00', '..%2f']) {
      const path = `/api/v1${route.path.replaceAll(/:\w+/g, id)}`
      expect(await admin.send(route.method, path)).toEqual(restError(404, 'not_found'))
    }
  },
)

test.each(routes.filter(([, { shape }]) => shape.body))('%s wants a JSON object', async (_, route) => {
  const path = await pathOfThings(route)
  const post = (body: string, contentType = 'application/json') =>
    admin.send(route.method, path, { body, headers: { 'content-type': contentType } })
  const json = restError(400, 'invalid_request', expect.stringContaining('body: '))
  for (const body of ['', '{', '[]', 'null', '"text"', '7']) expect(await post(body)).toEqual(json)
  expect(await post('{}')).toEqual(restError(400, 'invalid_request'))
  expect(await post('a=b', 'application/x-www-form-urlencoded')).toEqual(json)
  expect(await post(`{"a":"${'x'.repeat(1_048_576)}"}`)).toEqual(restError(413, 'payload_too_large'))
})

test.each(readable)('%s answers HEAD as GET, without the body', async (name, route) => {
  const path = `${pathOf(route)}${queries[name] ?? ''}`
  const [get, head] = [await admin.send('GET', path), await admin.send('HEAD', path)]
  expect(head.text).toBe('')
  expect(head.status).toBe(get.status)
  expect(head.headers).toMatchObject(rateLimitHeaders)
  expect(head.headers['content-type']).toBe(get.headers['content-type'])
})

test.each(readable)('%s changes nothing when HEAD asks', async (name, route) => {
  const path = `${await pathOfThings(route)}${queries[name] ?? ''}`
  const version = () => ctx.db.maybe(readVersion(ctx.tenantId))
  const before = await version()
  expect((await admin.send('HEAD', path)).status).toBe(200)
  expect(await version()).toEqual(before)
})

const made = new Map<string, string>()
async function idOf(noun: string): Promise<string> {
  const make = restRecordFactories[noun]
  if (!make)
    throw new Error(
      `test/support/api-coverage/rest-record-factories.ts does not say how to make one of ${noun}`,
    )
  const id = made.get(noun) ?? (await make(ctx))
  made.set(noun, id)
  return id
}

test.each(readable)('%s answers what it declares', async (name, route) => {
  const answer = await admin.send('GET', `${await pathOfThings(route)}${queries[name] ?? ''}`)
  expect(answer.status).toBe(200)
  const files = mediaTypesOf(route.shape)
  expect(files ?? ['application/json']).toContain(answer.headers['content-type']?.split(';')[0])
  const told = Object.keys(documentedReply(route).headers).map((it) => it.toLowerCase())
  const answered = Object.keys(answer.headers).filter((it) => /^(x-(?!content|request)|etag)/.test(it))
  expect(told).toEqual(expect.arrayContaining(answered))
  const owed = isList(route) ? ['x-total-count', 'x-total-pages', 'x-page', 'x-per-page'] : []
  expect(answered).toEqual(expect.arrayContaining(owed))
  const faults = files ? [] : Compile(route.shape.reply as TSchema).Errors(answer.body)
  expect([...faults]).toEqual([])
})

const document = JSON.parse(openApiPage()) as {
  readonly paths: Readonly<Record<string, Readonly<Record<string, DocumentedOperation>>>>
}

interface DocumentedOperation {
  readonly responses: Readonly<Record<string, { readonly headers: object }>>
}

function documentedReply({ method, path, shape }: Route): { readonly headers: object } {
  const reply =
    document.paths[bracedPath(path)]?.[method.toLowerCase()]?.responses[String(shape.status ?? 200)]
  if (!reply) throw new Error(`the API document does not have ${method} ${path}`)
  return reply
}

const isList = ({ shape }: Route): boolean =>
  'limit' in ((shape.query as { properties?: object })?.properties ?? {})

/** As the document says of its limit. */
function limitsOf({ shape }: Route): { readonly max: number; readonly fallback: string } {
  const { limit } = (shape.query as unknown as { properties: { limit: { documentedAs: Limits } } }).properties
  const { default: fallback, anyOf } = limit.documentedAs
  return { max: anyOf[0].maximum, fallback: String(fallback) }
}

interface Limits {
  readonly default: number
  readonly anyOf: readonly [{ readonly maximum: number }]
}

test.each(readable.filter(([, route]) => isList(route)))(
  '%s is a list like every other',
  async (name, route) => {
    const whole = await pathOfThings(route)
    for (const noun of Object.keys(restRecordFactories)) await restRecordFactories[noun]?.(ctx)
    const { max, fallback } = limitsOf(route)
    const list = async (page: string) => {
      const { status, headers, body } = await admin.send<{ data: unknown[] }>(
        'GET',
        `${whole}${queries[name] ?? '?'}${page}`,
      )
      const [total, pages, at, per, next] = [
        'total-count',
        'total-pages',
        'page',
        'per-page',
        'next-cursor',
      ].map((it) => headers[`x-${it}`])
      return { status, items: body.data.length, total, pages, at, per, next }
    }
    const { total } = await list('')
    for (const page of [
      '',
      '&limit=0',
      `&limit=${max + 1}`,
      '&limit=-1',
      '&limit=x',
      '&limit=1.5',
      '&offset=-1',
      '&offset=x',
    ])
      expect(await list(page)).toMatchObject({ status: 200, at: '1', per: fallback, total })
    expect(await list(`&limit=${max}`)).toMatchObject({
      per: String(max),
      pages: total === '0' ? '0' : '1',
      next: undefined,
    })
    const count = Number(total)
    const one = {
      items: Math.min(1, count),
      pages: total,
      at: '1',
      per: '1',
      next: count > 1 ? 'offset=1' : undefined,
    }
    expect(await list('&limit=1')).toMatchObject(one)
    expect(await list(`&offset=${'9'.repeat(30)}`)).toMatchObject({
      status: 200,
      items: 0,
      total,
      next: undefined,
    })
  },
)
