import { expect, test } from 'vitest'
import { referencePage, type ApiDocument } from './reference-page.ts'

const operation = (more: object) => ({
  summary: 'Does it.',
  operationId: 'doIt',
  description: 'Scope: write',
  parameters: [],
  responses: {},
  ...more,
})
const pageOf = (paths: Readonly<Record<string, object>>) =>
  referencePage(
    {
      info: { title: 'Things', version: '1' },
      servers: [{ url: '/api/v1' }],
      paths,
      components: { responses: {} },
    } as unknown as ApiDocument,
    { stylesheet: 's.css', script: 's.js' },
  )
const json = (schema: object) => ({ requestBody: { content: { 'application/json': { schema } } } })
const body = { type: 'object', required: ['name'], properties: { name: { type: 'string' } } }

test.each([
  ['GET without a body', { get: operation({}) }, undefined],
  ['POST with one', { post: operation(json(body)) }, '{&quot;name&quot;:&quot;…&quot;}'],
  ['POST of which no schema is told', { post: operation({ requestBody: { content: {} } }) }, '{}'],
])('curl asks a %s', (_, path, sent) => {
  const page = pageOf({ '/things': path })
  const [, curl = ''] = /<summary>curl<\/summary><pre[^>]*><code>([^]*?)<\/code>/.exec(page) ?? []
  expect(curl).toContain('$ROLLCALL_URL/api/v1/things')
  const [, given] = /-d (?:'|&#39;|&apos;)(.*?)(?:'|&#39;|&apos;)/.exec(curl) ?? []
  expect(given?.replaceAll('&quot;', '"')).toBe(sent?.replaceAll('&quot;', '"'))
})
