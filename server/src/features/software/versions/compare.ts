import { compareApk, compareNumbers, compareTails, readApk } from './apk.ts'
import { compareDotted } from './dotted-numbers.ts'
import { compareDpkg } from './dpkg.ts'
import { compareGeneric } from './generic.ts'
import { compareJvm } from './jvm.ts'
import { compareMaven } from './maven.ts'
import { compareNuget } from './nuget.ts'
import { comparePackagist } from './packagist.ts'
import { comparePacman } from './pacman.ts'
import type { Sign } from './version-parts.ts'
import { comparePep440, comparePep440ToBound } from './pep440.ts'
import { compareRpm, compareRpmOfUnknownEpoch } from './rpm.ts'
import { compareRubygems } from './rubygems.ts'
import { comparePub, compareSemver } from './semver.ts'

/** Version schemes. `generic` is a heuristic for software whose scheme is not known. */
export const schemes = [
  'dpkg',
  'rpm',
  'apk',
  'pacman',
  'portage',
  'semver',
  'pub',
  'pep440',
  'maven',
  'rubygems',
  'nuget',
  'packagist',
  'cran',
  'hackage',
  'bitnami',
  'jvm',
  'windows',
  'generic',
] as const
export type Scheme = (typeof schemes)[number]

/** Longer texts are not versions. */
export const VERSION_LENGTH_MAX = 100_000

/**
 * Negative, zero or positive for two versions of one package; undefined where they cannot be compared: one is empty
 * or not a version of the scheme. Linear time in the length of both.
 */
export function compareVersions(scheme: Scheme, a: string, b: string): Sign | undefined {
  return areTexts(a, b) ? comparators[scheme](a, b) : undefined
}

/**
 * As `compareVersions`, for an installed version and a version in an advisory: parts that the latter omits (epoch of
 * an rpm, local part of a Python version) are ignored.
 */
export function compareToBound(scheme: Scheme, version: string, bound: string): Sign | undefined {
  if (!areTexts(version, bound)) return undefined
  if (scheme === 'rpm') return compareRpmOfUnknownEpoch(version, bound)
  if (scheme === 'pep440') return comparePep440ToBound(version, bound)
  return comparators[scheme](version, bound)
}

/** The version scheme of an OSV ecosystem: `Debian:12`, `PyPI`, `cpe`. */
export function schemeOf(ecosystem: string): Scheme {
  const [family = ''] = ecosystem.split(':')
  return byEcosystem.get(family.toLowerCase()) ?? 'generic'
}

const areTexts = (a: string, b: string): boolean =>
  a.trim() !== '' && b.trim() !== '' && a.length <= VERSION_LENGTH_MAX && b.length <= VERSION_LENGTH_MAX

type Comparator = (a: string, b: string) => Sign | undefined

const comparators: Readonly<Record<Scheme, Comparator>> = {
  dpkg: compareDpkg,
  rpm: compareRpm,
  apk: compareApk,
  pacman: comparePacman,
  portage: comparePortage,
  semver: compareSemver,
  pub: comparePub,
  pep440: comparePep440,
  maven: compareMaven,
  rubygems: compareRubygems,
  nuget: compareNuget,
  packagist: comparePackagist,
  cran: (a, b) => compareDotted(a, b, true),
  hackage: (a, b) => compareDotted(a, b, true),
  bitnami: (a, b) => compareSemver(withoutRevision(a), withoutRevision(b)),
  jvm: compareJvm,
  windows: (a, b) => compareDotted(a, b, false),
  generic: compareGeneric,
}

/** Gentoo's version order, from which apk's is derived; it has no trailing text. */
function comparePortage(a: string, b: string): Sign {
  const [left, right] = [readApk(a.trim()), readApk(b.trim())]
  return compareNumbers(left.numbers, right.numbers) || compareTails(left, right)
}

/** Bitnami appends its own build number behind the last dash. */
const withoutRevision = (version: string): string => version.replace(/-[0-9]+$/, '')

const byEcosystem = new Map<string, Scheme>([
  ...['debian', 'ubuntu', 'echo', 'raspbian', 'kali', 'docker hardened images: debian'].map(
    (it) => [it, 'dpkg'] as const,
  ),
  ...[
    'red hat',
    'centos',
    'rocky linux',
    'almalinux',
    'oracle linux',
    'fedora',
    'suse',
    'opensuse',
    'amazon linux',
    'mageia',
    'photon os',
    'azure linux',
    'openeuler',
  ].map((it) => [it, 'rpm'] as const),
  ...['alpine', 'alpaquita', 'bellsoft hardened containers', 'chainguard', 'wolfi', 'minimos'].map(
    (it) => [it, 'apk'] as const,
  ),
  ...['arch', 'arch linux'].map((it) => [it, 'pacman'] as const),
  ...['npm', 'go', 'crates.io', 'hex', 'swifturl', 'semver', 'julia', 'github actions', 'conancenter'].map(
    (it) => [it, 'semver'] as const,
  ),
  ['gentoo', 'portage'],
  ['pub', 'pub'],
  ['pypi', 'pep440'],
  ['maven', 'maven'],
  ['rubygems', 'rubygems'],
  ['nuget', 'nuget'],
  ['packagist', 'packagist'],
  ['cran', 'cran'],
  ['hackage', 'hackage'],
  ['bitnami', 'bitnami'],
  ['windows', 'windows'],
])
