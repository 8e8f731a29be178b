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
 * package. Libraries of Go and Rust are within programs, and a toolchain beside them has not built those.
 */
export function distributionPackageNames({
  ecosystem,
  package: name,
  version,
}: Pick<Library, 'ecosystem' | 'package'> & { readonly version?: string }): readonly string[] {
  const major = /^v?([1-9]\d?)(?:\.|$)/.exec(version ?? '')?.[1]
  const short = (name.split(/[:/]/).at(-1) ?? name).toLowerCase()
  const names = affixes[ecosystem]?.(short) ?? []
  return [...new Set([...names, ...(ecosystem === 'PyPI' ? [] : names.flatMap(withMajor(major)))])]
}

/** A distribution that ships several majors has them in the name: `rubygem-rails7`, `libcommons-lang3-java`. */
const withMajor =
  (major: string | undefined) =>
  (name: string): string[] =>
    major === undefined || /\d$/.test(name) ? [] : [name.replace(/(?=-java$)|$/, major)]

const upTo = (major: number, first: number, last: number): string[] =>
  Array.from({ length: last - first + 1 }, (_, at) => `${major}.${first + at}`)

/** `python38-x` of modules, `python3.11-x` of Red Hat, `python311-x` of SUSE, `py3.11-x` of Wolfi. */
const PYTHONS: readonly string[] = [
  'python3',
  'python',
  'python2',
  'py3',
  ...['2.7', ...upTo(3, 6, 15)].flatMap((it) => [`python${it}`, `python${it.replace('.', '')}`, `py${it}`]),
]
const RUBIES: readonly string[] = [
  'ruby',
  'rubygem',
  ...[...upTo(2, 5, 7), ...upTo(3, 0, 5)].flatMap((it) => [`ruby${it}`, `ruby${it}-rubygem`]),
]
const affixes: Readonly<Record<string, (name: string) => readonly string[]>> = {
  PyPI(name) {
    const bare = name.replace(/^py(?:thon-?)?(?=[a-z])/, '')
    const spelled = [name, bare].flatMap((it) => [it, it.replaceAll('-', '_'), it.replaceAll('-', '.')])
    return [...new Set(spelled)].flatMap((it) => [...PYTHONS.map((python) => `${python}-${it}`), it])
  },
  RubyGems: (name) =>
    [name, name.replaceAll('_', '-')].flatMap((it) => RUBIES.map((ruby) => `${ruby}-${it}`)),
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

/** Trailing zeros aside, and with one number more than the library's three, which repacking adds. */
function isSameVersion(built: string, library: string): boolean {
  const [ours, theirs] = [built, library].map((it) => it.replace(/(?:\.0)+$/, ''))
  if (ours === theirs) return true
  return (
    /^\d+\.\d+\.\d+$/.test(library) &&
    built.startsWith(`${library}.`) &&
    /^\d+$/.test(built.slice(library.length + 1))
  )
}

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
        key: name.toLowerCase(),
        version: upstreamVersion(it.version),
      })),
    ),
    ({ key }) => key,
  )
  const shippers = new Map(
    libraries.map((it) => [
      it.softwareId,
      distributionPackageNames(it).flatMap((name) =>
        (byName.get(name) ?? [])
          .filter(({ version }) => isSameVersion(version, it.version.replace(/^v/, '')))
          .map(({ id }) => id),
      ),
    ]),
  )
  return sets.map((set) => {
    const own = new Set(set.ids)
    const isShipped = (id: number) => shippers.get(id)?.some((shipper) => own.has(shipper)) ?? false
    return { ...set, ids: set.ids.filter((id) => !isShipped(id)) }
  })
}
