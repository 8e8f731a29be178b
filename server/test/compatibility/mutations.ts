import type { Contract } from './documents.ts'

/** A document that can be changed in place. */
type Loose = any // oxlint-disable-line no-explicit-any

interface Mutation {
  readonly title: string
  readonly change: (contract: Loose) => void
}

const of = (title: string, change: (contract: Loose) => void): Mutation => ({ title, change })
const replaced = (title: string, from: string | RegExp, to: string): Mutation =>
  of(title, (it) => {
    const changed = String(it.graphql).replace(from, to)
    if (changed === it.graphql) throw new Error(`${String(from)} is not in the schema`)
    it.graphql = changed
  })

const list = (it: Loose) => it.api.paths['/assets'].get
const reply = (operation: Loose, status = 200) =>
  operation.responses[status].content['application/json'].schema
const asset = (it: Loose) => reply(list(it)).properties.data.items
const scan = (it: Loose) => it.api.paths['/scans'].post
const scanBody = (it: Loose) => scan(it).requestBody.content['application/json'].schema
const partner = (it: Loose) => it.api.paths['/partners'].post
const partnerBody = (it: Loose) => partner(it).requestBody.content['application/json'].schema
const keyBody = (it: Loose) =>
  it.api.paths['/partners/{id}/keys'].post.requestBody.content['application/json'].schema
const without = (names: string[], name: string) => names.filter((it) => it !== name)

/** What clients must be kept from: each must be found. */
export const breakingMutations: readonly Mutation[] = [
  of('a path is removed', (it) => delete it.api.paths['/scans/{id}']),
  of('a method is removed', (it) => delete it.api.paths['/scans'].post),
  of('another scope is needed', (it) => (list(it).description = 'Scope: write')),
  of('the second kind of key opens no more', (it) => {
    const operation = it.api.paths['/partners/{id}'].get
    operation.security = operation.security.slice(0, 1)
  }),
  of('a parameter is removed', (it) => (list(it).parameters = list(it).parameters.slice(1))),
  of('a parameter is required', (it) => (list(it).parameters[0].required = true)),
  of('a required parameter is new', (it) =>
    list(it).parameters.push({ name: 'x', in: 'query', required: true, schema: {} }),
  ),
  of('a parameter has another default', (it) => (list(it).parameters[0].schema.default = 10)),
  of('a parameter takes a narrower type', (it) => {
    list(it).parameters[0].schema = { type: 'integer', minimum: 1, maximum: 1000, default: 50 }
  }),
  of('a field of the body is required', (it) => partnerBody(it).required.push('rate_limit')),
  of('a field of the body is removed', (it) => delete partnerBody(it).properties.quota_limit),
  of('a limit of the body is lower', (it) => (partnerBody(it).properties.rate_limit.maximum = 1_000)),
  of('a text of the body is shorter', (it) => (partnerBody(it).properties.name.maxLength = 100)),
  of(
    'a text of the body has another pattern',
    (it) => (partnerBody(it).properties.slug.pattern = '^[a-z]+$'),
  ),
  of('a field of the body has another default', (it) => (partnerBody(it).properties.quota_limit.default = 5)),
  of('a value of the body is not taken any more', (it) => scanBody(it).properties.type.anyOf.shift()),
  of('null is not taken any more', (it) => {
    keyBody(it).properties.expires_in_days.anyOf = keyBody(it).properties.expires_in_days.anyOf.slice(0, 1)
  }),
  of('the success has another status', (it) => {
    scan(it).responses[200] = scan(it).responses[201]
    delete scan(it).responses[201]
  }),
  of('a header is removed', (it) => delete list(it).responses[200].headers['X-RateLimit-Reset']),
  of('a file has another media type', (it) => {
    it.api.paths['/assets/export'].get.responses[200].content = { 'application/csv': {} }
  }),
  of('a field of the answer is removed', (it) => delete asset(it).properties.os),
  of('a field of the answer has another type', (it) => (asset(it).properties.riskScore = { type: 'string' })),
  of('a list of the answer becomes an object', (it) => (asset(it).properties.tags = { type: 'object' })),
  of(
    'a field of the answer may be absent',
    (it) => (asset(it).required = without(asset(it).required, 'name')),
  ),
  of('a field of the answer may be null', (it) => (asset(it).properties.name = { type: ['string', 'null'] })),
  of('an integer of the answer becomes a number', (it) => {
    reply(partner(it), 201).properties.rate_limit.type = 'number'
  }),
  of('an answer has a value that none had', (it) => {
    reply(scan(it), 201).properties.status.anyOf.push({ type: 'string', const: 'paused' })
  }),
  of('an event type is removed', (it) => delete it.events.UNLINK),
  of('a field of an event is removed', (it) => delete it.events.NEW_ASSET.properties.asset_name),
  of('a field of an event may be absent', (it) => {
    it.events.SCAN_COMPLETED.required = without(it.events.SCAN_COMPLETED.required, 'scan_id')
  }),
  of('a field of an event has another type', (it) => {
    it.events.SCAN_COMPLETED.properties.asset_count = { type: 'string' }
  }),
  replaced('a GraphQL field is removed', /\n {2}slug: String!/, ''),
  replaced('a GraphQL field may be null', 'assetCount: Int!', 'assetCount: Int'),
  replaced(
    'a GraphQL argument is required',
    'createPartner(email: String!, name: String!, quotaLimit: Int,',
    'createPartner(email: String!, name: String!, quotaLimit: Int!,',
  ),
  replaced('a GraphQL enumeration loses a value', /\n {2}webhook_write/, ''),
  replaced('a GraphQL argument has another default', 'never: Boolean! = false', 'never: Boolean! = true'),
]

/** What may be done at any time: none of it must be found. */
export const allowedMutations: readonly Mutation[] = [
  of('a path is new', (it) => (it.api.paths['/more'] = { get: { responses: {} } })),
  of('an optional parameter is new', (it) =>
    list(it).parameters.push({ name: 'x', in: 'query', schema: { type: 'string' } }),
  ),
  of('an optional field of the body is new', (it) => (partnerBody(it).properties.note = { type: 'string' })),
  of('a limit of the body is higher', (it) => (partnerBody(it).properties.rate_limit.maximum = 1e6)),
  of('the body takes one more value', (it) =>
    scanBody(it).properties.type.anyOf.push({ type: 'string', const: 'deeper' }),
  ),
  of('a field of the body is not required any more', (it) => (partnerBody(it).required = ['name', 'slug'])),
  of('a field of the answer is new', (it) => (asset(it).properties.vendor = { type: 'string' })),
  of('a field of the answer is always there', (it) => asset(it).required.push('vendor')),
  of('a description is another', (it) => (asset(it).properties.name.description = 'other words')),
  of('an endpoint is deprecated', (it) => {
    list(it).deprecated = true
    list(it).responses[410] = { $ref: '#/components/responses/410' }
  }),
  of('an event type is new', (it) => (it.events.MORE = { type: 'object' })),
  of('a field of an event is new', (it) => (it.events.UNLINK.properties.more = { type: 'string' })),
  replaced('a GraphQL field is new', '\n  slug: String!', '\n  slug: String!\n  more: String'),
]

export function mutated(contract: Contract, { change }: Mutation): Contract {
  const copy = structuredClone(contract)
  change(copy)
  return copy
}
