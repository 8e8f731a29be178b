import type { SoftwareSet } from './software-set.ts'
import { coordinatesOf } from './matchers/purl-coordinates.ts'

/**
 * A library that a distribution ships lies in the inventory twice: as its package, and as what a registry calls it.
 * The distribution mends it under the old number, so that its word counts and the registry's does not.
 */

/** A library as a registry's advisories call it. */
export interface Library {
  readonly softwareId: number
  readonly ecosystem: string
  readonly package: string
  readonly version: string
}

/** A package that a distribution built. */
export interface BuiltPackage {
  readonly id: number
  readonly name: string
  readonly sourceName: string
  readonly version: string
}

/** Undefined for what no registry has under this URL. */
export function libraryOf(row: {
  readonly id: number
  readonly version: string
  readonly purl: string
}): Library | undefined {
  const found = coordinatesOf(row.purl)
  return found && { ...found, softwareId: row.id, version: found.version || row.version }
}

/** What distributions call the package of a library; empty where they do not ship such. */
export function distributionPackageNames({
  ecosystem,
  package: name,
}: Pick<Library, 'ecosystem' | 'package'>): readonly string[] {
  const short = (name.split(/[:/]/).at(-1) ?? name).toLowerCase()
  return [...new Set(affixes[ecosystem]?.(short) ?? [])]
}

const affixes: Readonly<Record<string, (name: string) => readonly string[]>> = {
  PyPI(name) {
    const bare = name.replace(/^py(?:thon-?)?(?=[a-z])/, '')
    const stems = [name, bare].flatMap((it) => [it, it.replaceAll('-', '_'), it.replaceAll('-', '.')])
    return stems.flatMap((it) => [`python3-${it}`, `python-${it}`, `python2-${it}`, `py3-${it}`, it])
  },
  RubyGems: (name) => [`ruby-${name.replaceAll('_', '-')}`, `ruby-${name}`, `rubygem-${name}`],
  npm: (name) => [`node-${name}`, `nodejs-${name}`, name],
  Maven: (name) => [
    `lib${name}-java`,
    name,
    `apache-${name}`,
    name.replace(/^http(?=client|core)/, 'httpcomponents-'),
  ],
  Packagist: (name) => [`php-${name}`],
}

/** The version that the makers gave it: without epoch, release, and what the distribution says of its own changes. */
export const upstreamVersion = (version: string): string =>
  version
    .replace(/^\d+:/, '')
    .replace(/-[^-]*$/, '')
    .replace(/[+~.](?:dfsg|ds|repack|really|git|debian)\d*.*$/, '')

/** Without the libraries that a package of the same inventory ships. */
export function withoutDistributionLibraries(
  sets: readonly SoftwareSet[],
  libraries: readonly Library[],
  packages: readonly BuiltPackage[],
): SoftwareSet[] {
  const byName = Map.groupBy(
    packages.flatMap((it) =>
      [...new Set([it.name, it.sourceName])].map((name) => ({
        id: it.id,
        key: `${name.toLowerCase()} ${upstreamVersion(it.version)}`,
      })),
    ),
    ({ key }) => key,
  )
  const shippers = new Map(
    libraries.map((it) => [
      it.softwareId,
      distributionPackageNames(it).flatMap((name) =>
        (byName.get(`${name} ${it.version}`) ?? []).map(({ id }) => id),
      ),
    ]),
  )
  return sets.map((set) => {
    const own = new Set(set.ids)
    const isShipped = (id: number) => shippers.get(id)?.some((shipper) => own.has(shipper)) ?? false
    return { ...set, ids: set.ids.filter((id) => !isShipped(id)) }
  })
}
