import { invalid } from '#platform/errors.ts'
import type { Field, Values } from './connector.ts'

const addressNames = ['apiAddress', 'loginAddress', 'tokenAddress'] as const
type AddressName = (typeof addressNames)[number]

/** A field for the address of a provider's API where it is not the public one: sovereign clouds and test servers. */
export const addressField = (name: AddressName, label: string, standard: string): Field => ({
  name,
  label,
  help: `Only for another cloud than the public one, which is ${standard}`,
})

/** Refuses what is no address of an API: another scheme, a user name, a query. */
export function checkAddresses(values: Values): void {
  for (const name of addressNames) {
    const text = values[name]
    if (text === undefined) continue
    const url = URL.parse(text)
    if (!url || !/^https?:$/.test(url.protocol)) throw invalid(name, 'must begin with https:// or http://')
    if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '')
      throw invalid(name, 'must be an address alone, without user name, query or fragment')
  }
}

/** Of Azure Government and Azure in China, where a machine signs in by the same metadata service. */
const sovereignAddresses = new Set([
  'https://management.usgovcloudapi.net',
  'https://management.chinacloudapi.cn',
  'https://login.microsoftonline.us',
  'https://login.partner.microsoftonline.cn',
])

/**
 * The first address that is not a provider's own. Whoever may make a connection chooses it, so the credentials of the
 * server's machine are never sent there: Google's are bearer tokens, which whoever receives them can use.
 */
export const foreignAddress = (values: Values): AddressName | undefined =>
  addressNames.find((name) => {
    const address = values[name]
    return address !== undefined && !sovereignAddresses.has(address.replace(/\/+$/, ''))
  })

/** Why such an address is refused, behind the name of its field. */
export const FOREIGN_ADDRESS =
  'must be empty: a connection that signs in as the machine of this server calls the provider alone'

/** The address under the base, which may have a path of its own. */
export function under(base: string, path: string, query: Readonly<Record<string, string>> = {}): URL {
  const url = new URL(base.replace(/\/+$/, '') + path)
  for (const [name, value] of Object.entries(query)) url.searchParams.append(name, value)
  return url
}
