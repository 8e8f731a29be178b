import { beforeAll, expect, test } from 'vitest'
import { sharedTestApp } from './support/app/test-app.ts'
import { restRecordFactories } from './support/api-coverage/rest-record-factories.ts'
import { asker, believed, headersOf, type Ask } from './support/http/graphql-client.ts'

// Names that people give hold no control characters: they stand in lists, terminals, files and messages.

const shared = sharedTestApp({ contextOf: believed })
let ask: Ask
let assetId: string
beforeAll(async () => {
  const ctx = await shared().newTenant()
  ask = asker(shared().as(), headersOf(ctx))
  assetId = (await restRecordFactories['assets']?.(ctx)) ?? ''
})

const NAMES = ['two\nlines', 'red\u001b[31m', 'back\u0008space', 'c1\u009bcode']

test.each([
  ['createTarget', 'name', 'createTarget(host: "192.0.2.1", name: $name) { id }'],
  [
    'createCredential',
    'name',
    'createCredential(kind: snmp_community, community: "c", cidrs: ["192.0.2.0/24"], name: $name) { id }',
  ],
  ['createRole', 'name', 'createRole(permissions: ["assets:read"], name: $name) { id }'],
  ['createApiKey', 'name', 'createApiKey(scopes: [read], name: $name) { secret }'],
  [
    'createWebhook',
    'name',
    'createWebhook(events: [UNLINK], url: "http://127.0.0.1:9/", name: $name) { secret }',
  ],
  ['defineCustomField', 'name', 'defineCustomField(kind: text, name: $name) { id }'],
  ['saveView', 'name', 'saveView(view: {}, name: $name) { id }'],
  ['renameTenant', 'name', 'renameTenant(name: $name) { name }'],
  ['setAssetAttribute', 'value', 'setAssetAttribute(assetId: "ASSET", attribute: name, value: $name) { id }'],
])('%s refuses them, naming the field', async (_, field, mutation) => {
  const query = `mutation ($name: String!) { ${mutation.replace('ASSET', assetId)} }`
  for (const name of NAMES) {
    const { errors } = await ask(query, { name })
    expect(errors?.[0]).toMatchObject({ extensions: { code: 'invalid_request' } })
    expect(errors?.[0]?.extensions.field).toBe(field)
  }
  const { errors } = await ask(query, { name: 'Büro 2' })
  expect(errors).toBeUndefined()
})
