import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { features } from '../src/app.ts'
import { referencePage, type ApiDocument } from '../src/platform/api-reference/reference-page.ts'
import { sharedTestApp } from './support/app/test-app.ts'

const shared = sharedTestApp()
const get = (path: string, headers = {}) => shared().as().send('GET', path, { headers })

test('the document of the REST API is the one that is committed, without a key', async () => {
  const committed: unknown = JSON.parse(readFileSync(join(import.meta.dirname, '../openapi.json'), 'utf8'))
  expect(await get('/api/v1/openapi.json')).toMatchObject({
    status: 200,
    headers: { 'content-type': 'application/json; charset=utf-8', 'x-content-type-options': 'nosniff' },
    body: committed,
  })
})

test('curl / says in plain text where the app, the API and its description are; a browser gets a page', async () => {
  const { status, text, headers } = await get('/', { accept: '*/*' })
  expect([status, headers['content-type']]).toEqual([200, 'text/plain; charset=utf-8'])
  for (const path of ['/docs', '/api/v1/openapi.json', '/healthz'])
    expect([text.includes(path), (await get(path)).status]).toEqual([true, 200])
  expect((await get('/', { accept: 'text/html' })).headers['content-type']).toMatch(/^text\/(html|plain)/)
  expect((await shared().as().send('POST', '/')).status).toBe(404)
})

describe('the page', () => {
  test('tells of every endpoint, with its scope and how to ask', async () => {
    const { status, text, headers } = await get('/docs/api', { accept: 'text/html' })
    expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
    const routes = features.flatMap(({ rest }) => rest ?? [])
    for (const { method, path } of routes) {
      const braced = path.replaceAll(/:(\w+)/g, '{$1}')
      expect(text).toContain(`<span class="method">${method}</span> /api/v1${braced}</code>`)
    }
    expect(text.match(/<section class="operation"/g)).toHaveLength(routes.length)
    expect(text).toContain('Scope: admin')
    expect(text).toContain('<code>data[].assetType</code>')
    expect(text).toContain('&quot;pending&quot; | &quot;running&quot;')
  })

  test('has examples in three languages, and what a form is made of', async () => {
    const { text } = await get('/docs/api')
    expect(text).toContain('client.get(&#39;/assets/{id}&#39;, { path: { id: &#39;…&#39; } })')
    expect(text).toContain('client.get(f&quot;/assets/{id}&quot;)')
    expect(text).toContain(
      'data-try="{&quot;method&quot;:&quot;GET&quot;,&quot;path&quot;:&quot;/api/v1/assets&quot;',
    )
  })

  test('runs its own script alone, loads its own style alone, and stands in no frame', async () => {
    const { text, headers } = await get('/docs/api')
    expect(headers['content-security-policy']).toBe(
      "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    )
    expect(headers['x-frame-options']).toBe('DENY')
    expect(text).not.toMatch(/<script(?! src="\/docs\/api\/try-it\.js")|\sstyle=|\son\w+=|https?:\/\//i)
    expect(await get('/docs/api/try-it.js')).toMatchObject({
      status: 200,
      headers: { 'content-type': 'text/javascript; charset=utf-8' },
    })
    const [, style = ''] = /<link rel="stylesheet" href="([^"]+)">/.exec(text) ?? []
    expect(await get(style)).toMatchObject({
      status: 200,
      headers: { 'content-type': 'text/css; charset=utf-8' },
    })
  })

  test('links to what is there', async () => {
    const { text } = await get('/docs/api')
    const targets = [...text.matchAll(/href="#([^"]+)"/g)].map(([, id]) => id)
    expect(targets.length).toBeGreaterThan(5)
    for (const id of targets) expect(text).toContain(`id="${id}"`)
  })

  test('shows text as text', () => {
    const evil = '<img src=x onerror="alert(1)">&\''
    const document: ApiDocument = {
      info: { title: evil, version: evil },
      servers: [{ url: '/api' }],
      paths: {
        [`/${evil}`]: {
          get: {
            summary: evil,
            operationId: evil,
            description: evil,
            parameters: [
              { name: evil, in: 'query', required: true, schema: { type: 'string', description: evil } },
            ],
            responses: { 200: { content: { [evil]: {} } } },
          },
        },
      },
      components: { responses: { 400: { description: evil } } },
    }
    expect(referencePage(document, { stylesheet: evil, script: evil })).not.toContain('<img')
    expect(referencePage(document, { stylesheet: evil, script: evil })).not.toContain('"alert')
  })
})

test('the changes of the API and of events are a page, without those of anything else', async () => {
  const { status, text, headers } = await get('/docs/api/changes', { accept: 'text/html' })
  expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
  expect(headers['content-security-policy']).toContain("default-src 'none'")
  expect(text).toContain('<h1>Changes of the Rollcall API v1</h1>')
  expect(text).toContain('<h3>API</h3>')
  expect(text).toContain('<code>POST /partners</code>')
  expect(text).not.toContain('<h3>Added</h3>')
  expect(text).not.toMatch(/<script|\sstyle=/)
})
