import { expect, test } from 'vitest'
import { curlExample, exampleOf, pythonExample, typescriptExample } from './examples.ts'

const asked = {
  method: 'PATCH',
  path: '/assets/{id}',
  query: ['dry-run'],
  body: { name: "it's", on: true, more: null },
}

test('an endpoint is asked in three languages', () => {
  expect(curlExample(asked, '/api/v1')).toContain(String.raw`-d '{"name":"it'\''s","on":true,"more":null}'`)
  expect(curlExample({ method: 'GET', path: '/assets', query: [], body: undefined }, '/api/v1')).toBe(
    'curl -H "X-API-Key: $ROLLCALL_KEY" \\\n  "$ROLLCALL_URL/api/v1/assets"',
  )
  expect(typescriptExample(asked)).toContain(
    `client.patch('/assets/{id}', { path: { id: '…' }, query: { 'dry-run': '…' }, body: {"name":"it's","on":true,"more":null} })`,
  )
  expect(pythonExample(asked)).toContain(
    `client.patch(f"/assets/{id}", {"name": "it's", "on": True, "more": None}, **{"dry-run": "…"})`,
  )
})

test('a body has what the schema asks for, and no more', () => {
  const schema = {
    type: 'object',
    required: ['name', 'kind', 'at', 'tags', 'inner'],
    properties: {
      name: { type: 'string' },
      note: { type: 'string' },
      kind: { enum: ['a', 'b'] },
      at: { type: 'string', format: 'date-time' },
      tags: { type: 'array', items: { type: 'string' } },
      inner: { type: 'object', required: ['n'], properties: { n: { type: 'integer' } } },
    },
  }
  expect(exampleOf(schema)).toEqual({
    name: '…',
    kind: 'a',
    at: '2026-01-31T12:00:00Z',
    tags: ['…'],
    inner: { n: 1 },
  })
})
