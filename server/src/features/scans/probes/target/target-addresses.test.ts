import { isIP } from 'node:net'
import { expect, test } from 'vitest'
import { networksOf } from './target-addresses.ts'

/** Stands in for the system's resolver, which cannot be given records here. */
const RECORDS: Readonly<Record<string, readonly string[]>> = {
  'fragile.example': ['192.0.2.2', '192.0.2.5', '2001:db8::2'],
  'sinkhole.example': ['0.0.0.0'],
}
const resolve = async (name: string) => {
  const found = RECORDS[name]?.map((address) => ({ address, family: isIP(address) }))
  if (!found) throw new Error(`getaddrinfo ENOTFOUND ${name}`)
  return found
}

const addresses = async (entries: readonly string[], exclusions: readonly string[]): Promise<string[]> =>
  (await networksOf({ kind: 'range', entries, exclusions }, resolve)).flatMap((it) => [...it.addresses()])

test('an excluded host name is excluded at all its addresses', async () => {
  const left = await addresses(['192.0.2.1-6', '2001:db8::1-2001:db8::3'], ['fragile.example'])
  expect(left).toEqual(['192.0.2.1', '192.0.2.3', '192.0.2.4', '192.0.2.6', '2001:db8::1', '2001:db8::3'])
  await expect(addresses(['192.0.2.5'], ['fragile.example'])).rejects.toThrow(
    'the exclusions leave no address to look at',
  )
})

test.each(['gone.example', 'sinkhole.example'])(
  'nothing is looked at when the excluded name %s leads to no address',
  async (name) => {
    await expect(addresses(['192.0.2.1-6'], ['192.0.2.1', name])).rejects.toThrow(
      `the excluded host name ${name} does not resolve`,
    )
  },
)
