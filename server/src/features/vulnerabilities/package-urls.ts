/** Package URLs (purl-spec), as far as they name a package of a registry that OSV knows. */
export interface Coordinates {
  readonly ecosystem: string
  readonly package: string
  readonly version: string
}

const PURL = /^pkg:([a-z][a-z0-9.+-]*)\/+(?:([^@?#]+)\/)?([^/@?#]+)(?:@([^?#]*))?/i

/** Undefined for what is no package of such a registry. */
export function coordinatesOf(purl: string): Coordinates | undefined {
  const [, type = '', namespace = '', name = '', version = ''] = PURL.exec(purl) ?? []
  const spell = registries.get(type.toLowerCase())
  if (!spell || name === '') return undefined
  const [ecosystem, spelled] = spell(decoded(namespace), decoded(name))
  return { ecosystem, package: spelled, version: decoded(version) }
}

type Spell = (namespace: string, name: string) => readonly [string, string]

const joined = (namespace: string, separator: string, name: string): string =>
  namespace === '' ? name : `${namespace}${separator}${name}`

const registries = new Map<string, Spell>([
  ['pypi', (_, name) => ['PyPI', name.toLowerCase().replaceAll(/[-_.]+/g, '-')]],
  ['npm', (namespace, name) => ['npm', joined(namespace, '/', name).toLowerCase()]],
  ['maven', (namespace, name) => ['Maven', joined(namespace, ':', name)]],
  ['golang', (namespace, name) => ['Go', joined(namespace, '/', name)]],
  ['cargo', (_, name) => ['crates.io', name]],
  ['nuget', (_, name) => ['NuGet', name]],
  ['composer', (namespace, name) => ['Packagist', joined(namespace, '/', name).toLowerCase()]],
  ['gem', (_, name) => ['RubyGems', name]],
  ['hex', (_, name) => ['Hex', name.toLowerCase()]],
  ['pub', (_, name) => ['Pub', name]],
])

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
