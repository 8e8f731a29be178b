import type { SoftwareSet } from './software-set.ts'
import { coordinatesOf } from './matchers/purl-coordinates.ts'

/**
 * A library that a distribution ships is listed twice in the inventory: as distribution package and under its registry
 * name. Distributions backport fixes without a new version, so only the distribution's advisories apply to it.
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

/** Undefined when the URL is not one of a registry. */
export function libraryOf(row: {
  readonly id: number
  readonly version: string
  readonly purl: string
}): Library | undefined {
  const found = coordinatesOf(row.purl)
  return found && { ...found, softwareId: row.id, version: found.version || row.version }
}

/**
 * Names of the distribution packages that may contain the library; empty for ecosystems that distributions do not
 * package.
 */
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

/** The upstream version: without epoch, release and the distribution's own suffixes. */
export const upstreamVersion = (version: string): string =>
  version
    .replace(/^\d+:/, '')
    .replace(/-[^-]*$/, '')
    .replace(/[+~.](?:dfsg|ds|repack|really|git|debian)\d*.*$/, '')

/** The sets without libraries that a distribution package of the same asset contains. */
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
