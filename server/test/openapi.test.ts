import { expect, test } from 'vitest'
import { features } from '../src/app.ts'
import { openApiPage } from '../src/generated-docs/openapi-page.ts'
import { openApiDocument } from '../src/platform/api-reference/openapi.ts'
import { things } from './support/app/example-feature.ts'

test('every endpoint stands in it, once', () => {
  const { paths } = JSON.parse(openApiPage()) as {
    paths: Record<string, Record<string, { operationId: string }>>
  }
  const told = Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path.replaceAll(/\{(\w+)\}/g, ':$1')}`),
  )
  const routes = features.flatMap(({ rest }) => rest ?? []).map(({ method, path }) => `${method} ${path}`)
  expect(told.toSorted()).toEqual(routes.toSorted())
  const ids = Object.values(paths).flatMap((methods) => Object.values(methods).map((it) => it.operationId))
  expect(new Set(ids).size).toBe(ids.length)
})

test('no name stands for two schemas', () => {
  const names = [...openApiPage().matchAll(/"\$(?:id|anchor)": "([^"]+)"/g)].map(([, name]) => name)
  expect(new Set(names).size).toBe(names.length)
  expect(openApiPage()).toContain('"title": "Asset"')
})

test('an endpoint that takes the second kind of key says so, and needs either', () => {
  const { paths, components } = JSON.parse(openApiPage()) as {
    paths: Record<string, Record<string, { security?: object[]; description: string }>>
    components: { securitySchemes: object; headers: object }
  }
  expect(components.securitySchemes).toEqual({
    apiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key' },
    partnerKey: { type: 'apiKey', in: 'header', name: 'X-Partner-Key' },
  })
  expect(components.headers).toHaveProperty('X-Partner-RateLimit-Remaining')
  expect(paths['/partners/{id}']?.['get']).toMatchObject({
    security: [{ apiKey: [] }, { partnerKey: [] }],
    description: 'Scope: admin; with X-Partner-Key: partner:read',
  })
  const secured = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, { security }]) => (security ? [`${method} ${path}`] : [])),
  )
  expect(secured).toHaveLength(8)
  expect(secured.every((it) => it.includes(' /partners/{id}'))).toBe(true)
})

test('an endpoint is told with its parameters, body, replies and scope', () => {
  const document = openApiDocument(things.rest ?? [], {
    title: 't',
    version: '1',
    scopeOf: () => 'write',
    confinedKeys: { name: 'thingKey', header: 'X-Thing-Key', rateHeaderPrefix: 'X-Thing-RateLimit' },
  })
  const { paths } = JSON.parse(JSON.stringify(document)) as { paths: Record<string, Record<string, unknown>> }
  expect(paths['/things']?.['post']).toMatchObject({
    operationId: 'postThings',
    description: 'Scope: write',
    requestBody: { content: { 'application/json': { schema: { type: 'object', required: ['name'] } } } },
    responses: { 201: {}, 400: {}, 401: {}, 403: {}, 413: {}, 415: {}, 429: {}, 500: {} },
  })
  expect(paths['/things']?.['get']).toMatchObject({
    parameters: [{ name: 'limit', in: 'query', required: false }, { name: 'offset' }, { name: 'q' }],
  })
  expect(paths['/things/{id}']?.['get']).toMatchObject({
    operationId: 'getThingsId',
    parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string', format: 'uuid' } }],
    responses: { 200: { content: { 'application/json': { schema: { type: 'object' } } } }, 404: {} },
  })
  expect(paths['/things/export']?.['get']).toMatchObject({
    responses: { 200: { content: { 'text/csv': {} } } },
  })
})
