import { buildSchema } from 'graphql'
import { Type } from 'typebox'
import { expect, test } from 'vitest'
import { route } from '../http/route.ts'
import { changesPage } from './changes-page.ts'
import { openApiDocument } from './openapi.ts'
import type { ApiDocument } from './reference-page.ts'

const REASON = 'Deprecated since 2026-03-14, gone from 2027-04-01 on; use &lt;Thing.owner&gt;'

const documentOf = (deprecated?: { since: string; sunset: string; link: string }) =>
  openApiDocument(
    [
      route(
        'GET',
        '/old-things/:id',
        { summary: 's', reply: Type.Object({}), ...(deprecated && { deprecated }) },
        async () => ({ json: {} }),
      ),
    ],
    {
      title: 't',
      version: '1',
      scopeOf: () => 'read',
      confinedKeys: { name: 'k', header: 'X-K', rateHeaderPrefix: 'X-K' },
    },
  ) as unknown as ApiDocument

const page = (document: ApiDocument, sdl: string) =>
  changesPage(
    { document, schema: buildSchema(sdl), changelog: '## Unreleased\n\n### API\n\n- `GET /x`.\n' },
    '/s.css',
  )

test('endpoints and parts of the GraphQL schema that are deprecated stand in one table', () => {
  const reason =
    '@deprecated(reason: "Deprecated since 2026-03-14, gone from 2027-04-01 on; use <Thing.owner>")'
  const html = page(
    documentOf({ since: '2026-03-14', sunset: '2027-04-01', link: '/docs/new-things' }),
    `type Query { things(first: Int ${reason}, last: Int): Thing old: Int ${reason} }
     type Thing { person: String ${reason} owner: String }
     enum Kind { OLD ${reason} NEW }
     input Wanted { kind: Kind old: Int ${reason} }`,
  )
  const rows = [...html.matchAll(/<tr><td>(.*?)<\/td><td>(.*?)<\/td><\/tr>/g)].map(([, what, until]) => [
    what,
    until,
  ])
  expect(rows).toEqual([
    [
      '<code>GET /old-things/{id}</code>',
      'Deprecated since 2026-03-14, gone from 2027-04-01 on; use /docs/new-things',
    ],
    ['GraphQL <code>Query.things(first:)</code>', REASON],
    ['GraphQL <code>Query.old</code>', REASON],
    ['GraphQL <code>Thing.person</code>', REASON],
    ['GraphQL <code>Kind.OLD</code>', REASON],
    ['GraphQL <code>Wanted.old</code>', REASON],
  ])
})

test('without any it says so', () => {
  expect(page(documentOf(), 'type Query { things: Int }')).toContain('<p>None.</p>')
})
