import { invalid } from '#platform/errors.ts'
import type { Field, Values } from './connector.ts'

/** A field for the address of a provider's API where it is not the public one: sovereign clouds and test servers. */
export const addressField = (name: string, label: string, standard: string): Field => ({
  name,
  label,
  help: `Only for another cloud than the public one, which is ${standard}`,
})

/** Refuses what is no address of an API: another scheme, a user name, a query. */
export function checkAddresses(values: Values, names: readonly string[]): void {
  for (const name of names) {
    const text = values[name]
    if (text === undefined) continue
    const url = URL.parse(text)
    if (!url || !/^https?:$/.test(url.protocol)) throw invalid(name, 'must begin with https:// or http://')
    if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '')
      throw invalid(name, 'must be an address alone, without user name, query or fragment')
  }
}

/** The address under the base, which may have a path of its own. */
export function under(base: string, path: string, query: Readonly<Record<string, string>> = {}): URL {
  const url = new URL(base.replace(/\/+$/, '') + path)
  for (const [name, value] of Object.entries(query)) url.searchParams.append(name, value)
  return url
}
