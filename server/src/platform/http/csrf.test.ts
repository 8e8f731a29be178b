import type { FastifyRequest } from 'fastify'
import { expect, test } from 'vitest'
import { Refusal } from '../errors.ts'
import { refuseCrossOrigin, refuseCrossSite } from './csrf.ts'

const requestWith = (headers: Readonly<Record<string, string>>) =>
  ({ headers: { host: 'inventory.example:8080', ...headers } }) as unknown as FastifyRequest
const OWN = { 'x-rollcall': '1' }
function refusalOf(ask: () => void): string | undefined {
  try {
    ask()
  } catch (error) {
    if (error instanceof Refusal && error.status === 403) return error.message
    throw error
  }
  return undefined
}
const OTHER_SITE = 'requests from other sites are refused'

test.each<[string, Readonly<Record<string, string>>, string | undefined]>([
  ['no browser', {}, undefined],
  ['a script of the own page', { 'sec-fetch-site': 'same-origin' }, undefined],
  ['the address line', { 'sec-fetch-site': 'none' }, undefined],
  ['another host of the same site', { 'sec-fetch-site': 'same-site' }, OTHER_SITE],
  ['another site', { 'sec-fetch-site': 'cross-site' }, OTHER_SITE],
  ['an older browser on the own page', { origin: 'http://inventory.example:8080' }, undefined],
  ['an older browser elsewhere', { origin: 'http://evil.example' }, OTHER_SITE],
  ['an older browser on another port', { origin: 'http://inventory.example' }, OTHER_SITE],
  ['a page without an origin', { origin: 'null' }, OTHER_SITE],
  ['an origin that is no URL', { origin: 'inventory.example:8080x://' }, OTHER_SITE],
  [
    'a browser that says cross-site, whatever the origin',
    { origin: 'http://inventory.example:8080', 'sec-fetch-site': 'cross-site' },
    OTHER_SITE,
  ],
  ['an API key', { 'x-api-key': 'k' }, 'an API key is not taken here; sign in'],
])('of %s', (_, headers, refusal) => {
  const [link, write] = [requestWith(headers), requestWith({ ...headers, ...OWN })]
  const asked = [refusalOf(() => refuseCrossOrigin(link)), refusalOf(() => refuseCrossSite(write))]
  expect(asked).toEqual([refusal, refusal])
})

test.each([{}, { 'x-rollcall': '0' }, { 'x-rollcall': '' }])(
  'what changes something carries a header that forms cannot send: %j',
  (headers) => {
    expect(() => refuseCrossSite(requestWith(headers))).toThrow('the header x-rollcall: 1 is required')
  },
)
