import type { PackageKey, PackageRules } from '#features/advisories/advisories.ts'
import { listsFixesOnly } from '#features/software/software.ts'
import { pairOf, type SoftwareSet } from './software-set.ts'
import { packagesOfProgram, programListed, type ListedProgram } from './distribution-programs.ts'
import { isShippedByDistribution } from './matchers/distribution-packages.ts'
import { coordinatesOf } from './matchers/purl-coordinates.ts'

/**
 * A library that a distribution ships is listed twice in the inventory: as distribution package and under its registry
 * name; and a program as package and by its file. Distributions backport fixes without a new version, so only the distribution's advisories apply to it. Those that
 * list fixes only have the last word on what they speak of, and the registry's advisories tell the rest.
 */

/** A library as a registry's advisories call it; a program as the CPE dictionary does. */
export interface Library {
  readonly softwareId: number
  readonly ecosystem: string
  readonly package: string
  readonly version: string
  /** Its URL says that a distribution installed it. */
  readonly isOfDistribution?: boolean
}

/** A package that a distribution built. */
export interface BuiltPackage {
  readonly id: number
  readonly name: string
  readonly sourceName: string
  readonly version: string
  readonly ecosystem: string
}

/** Stands in place of the ecosystem for what no registry has. */
const PROGRAM = 'program'

/** Undefined when it is neither a library of a registry nor a well-known program. */
export function libraryOf(row: ListedProgram & { readonly id: number }): Library | undefined {
  const found = coordinatesOf(row.purl)
  if (found)
    return {
      ...found,
      softwareId: row.id,
      version: found.version || row.version,
      isOfDistribution: isShippedByDistribution({ origin: 'sbom', purl: row.purl, source: undefined }),
    }
  const program = programListed(row)
  return program === undefined
    ? undefined
    : { softwareId: row.id, ecosystem: PROGRAM, package: program, version: row.version }
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
  if (ecosystem === PROGRAM) return packagesOfProgram(name, version ?? '')
  const major = /^v?([1-9]\d?)(?:\.|$)/.exec(version ?? '')?.[1]
  const parts = name.toLowerCase().replace(/^@/, '').split(/[:/]/)
  const names = affixes[ecosystem]?.(parts.at(-1) ?? name, parts) ?? []
  return [...new Set([...names, ...(ecosystem === 'PyPI' ? [] : names.flatMap(withMajor(major)))])]
}

/** A distribution that ships several majors has them in the name: `rubygem-rails7`, `libcommons-lang3-java`, `libjackson2-core-java`. */
const withMajor =
  (major: string | undefined) =>
  (name: string): string[] =>
    major === undefined || /\d$/.test(name)
      ? []
      : [
          name.replace(/(?=-java$)|$/, major),
          ...(name.endsWith('-java') ? [name.replace(/^lib[a-z]+(?=-)/, (it) => `${it}${major}`)] : []),
        ]

const upTo = (major: number, first: number, last: number): string[] =>
  Array.from({ length: last - first + 1 }, (_, at) => `${major}.${first + at}`)

/** `python38-x` of modules, `python3.11-x` of Red Hat, `python311-x` of SUSE, `py3.11-x` of Wolfi. */
const PYTHONS: readonly string[] = [
  'python3',
  'python',
  'python2',
  'platform-python',
  'py3',
  ...['2.6', '2.7', ...upTo(3, 6, 15)].flatMap((it) => [
    `python${it}`,
    `python${it.replace('.', '')}`,
    `py${it}`,
  ]),
]
const RUBIES: readonly string[] = [
  'ruby',
  'rubygem',
  ...[...upTo(2, 5, 7), ...upTo(3, 0, 5)].flatMap((it) => [`ruby${it}`, `ruby${it}-rubygem`]),
]
/** Of the name without its group, vendor or scope, and of both. */
const affixes: Readonly<Record<string, (name: string, parts: readonly string[]) => readonly string[]>> = {
  PyPI(name) {
    const bare = name.replace(/^py(?:thon-?)?(?=[a-z])/, '')
    const spelled = [name, bare].flatMap((it) => [it, it.replaceAll('-', '_'), it.replaceAll('-', '.')])
    return [...new Set(spelled)].flatMap((it) => [...PYTHONS.map((python) => `${python}-${it}`), it])
  },
  RubyGems: (name) =>
    [name, name.replaceAll('_', '-')].flatMap((it) => RUBIES.map((ruby) => `${ruby}-${it}`)),
  npm(_, parts) {
    const whole = parts.join('-').replaceAll('_', '-')
    return [`node-${whole}`, `nodejs-${whole}`, whole]
  },
  Maven: (name, [group = '']) => [
    ...[name, ...projectsIn(group)].flatMap((it) => [`lib${it}-java`, it, `apache-${it}`]),
    ...['jakarta', 'google'].map((by) => `${by}-${name}`),
    name.replace(/^http(?=client|core)/, 'httpcomponents-'),
  ],
  Packagist: (name, parts) => [`php-${name}`, `php-${parts.join('-')}`],
  CRAN: (name) => [`r-cran-${name}`, `r-bioc-${name}`, `r-${name}`],
  Hackage: (name) => [`libghc-${name}-dev`, `libghc-${name}-prof`, `ghc-${name}`, `haskell-${name}`],
}

/**
 * What a group is of: distributions build the artifacts of `org.eclipse.jetty` from one source, with one version, as
 * `jetty9` and `libjetty9-java`.
 */
const projectsIn = (group: string): readonly string[] =>
  group
    .split('.')
    .slice(1)
    .slice(-2)
    .filter((it) => !/^(?:apache|google|github|sourceforge|java|core|api|commons)$/.test(it))

/** The upstream version: without epoch, release and the distribution's own suffixes. */
export const upstreamVersion = (version: string): string =>
  version
    .replace(/^\d+:/, '')
    .replace(/-[^-]*$/, '')
    .replace(/[+~.](?:dfsg|ds|repack|really|git|debian)\d*.*$/, '')

/**
 * Whatever separates a pre-release or none: `4.0~rc1`, `4.0_rc1` and `4.0-rc.1` are `4.0rc1`. What Java's releases are
 * called says nothing.
 */
const canonical = (version: string): string =>
  version
    .toLowerCase()
    .replace(/[-.](?:final|ga|release|jre|android)$/, '')
    .replace(/[-_.~]?(a|alpha|b|beta|c|rc|pre|dev|post|m)[-_.]?(\d+)/, '$1$2')
    .replace(/(?:\.0)+$/, '')

/** Trailing zeros aside, and with one number more than the library's three, which repacking adds. */
function isSameVersion(built: string, library: string): boolean {
  if (canonical(built) === canonical(library)) return true
  return (
    /^\d+\.\d+\.\d+$/.test(library) &&
    built.startsWith(`${library}.`) &&
    /^\d+$/.test(built.slice(library.length + 1))
  )
}

/** The rules of the packages of distributions that list fixes only. */
export const wordKeys = (packages: readonly BuiltPackage[]): PackageKey[] =>
  packages.filter(({ ecosystem }) => listsFixesOnly(ecosystem)).map(sourceKey)

const sourceKey = ({ ecosystem, name, sourceName }: BuiltPackage): PackageKey => ({
  ecosystem,
  package: sourceName || name,
})

/** The sets without libraries that a distribution package of the same asset contains. */
export function withoutDistributionLibraries(
  sets: readonly SoftwareSet[],
  libraries: readonly Library[],
  packages: readonly BuiltPackage[],
  words: readonly PackageRules[] = [],
): SoftwareSet[] {
  const shippers = shippersOf(libraries, packages)
  return sets.map((set) => {
    const own = new Set(set.ids)
    const shippersOfOne = (id: number) => shippers.get(id)?.filter((shipper) => own.has(shipper.id)) ?? []
    const isShipped = (id: number) => shippersOfOne(id).some(({ ecosystem }) => !listsFixesOnly(ecosystem))
    const except = new Set(
      set.ids.flatMap((id) =>
        shippersOfOne(id).flatMap((it) => spokenOf(it, words).map((cve) => pairOf(id, cve))),
      ),
    )
    return { ...set, ids: set.ids.filter((id) => !isShipped(id)), ...(except.size > 0 && { except }) }
  })
}

/** The packages that may contain each library, by the id of its software. */
function shippersOf(
  libraries: readonly Library[],
  packages: readonly BuiltPackage[],
): ReadonlyMap<number, readonly BuiltPackage[]> {
  const byName = Map.groupBy(
    packages.flatMap((it) =>
      [...new Set([it.name, it.sourceName])].map((name) => ({ it, key: name.toLowerCase() })),
    ),
    ({ key }) => key,
  )
  return new Map(
    libraries.map((library) => [
      library.softwareId,
      distributionPackageNames(library).flatMap((name) =>
        (byName.get(name) ?? [])
          .map(({ it }) => it)
          .filter(({ version }) =>
            isSameVersion(upstreamVersion(version), library.version.replace(/^(?:v|go)(?=\d)/, '')),
          ),
      ),
    ]),
  )
}

function spokenOf(built: BuiltPackage, words: readonly PackageRules[]): string[] {
  if (!listsFixesOnly(built.ecosystem)) return []
  const key = sourceKey(built)
  return words
    .filter((it) => it.ecosystem === key.ecosystem && it.package === key.package)
    .flatMap(({ cveIds, advisoryId }) => [...cveIds, advisoryId])
}
