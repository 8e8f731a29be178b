import type { Advisory } from '#features/advisories/advisory.ts'
import { matchesOf } from '#features/vulnerabilities/matching/find-matches.ts'
import type { Installed } from '#features/vulnerabilities/matching/matchers/matcher.ts'
import { withoutDistributionLibraries } from '#features/vulnerabilities/matching/distribution-libraries.ts'
import { withUnconfirmed } from '#features/vulnerabilities/matching/unconfirmed-libraries.ts'
import type { SoftwareSet } from '#features/vulnerabilities/matching/software-set.ts'
import { catalogueOf, type Label } from './matching-corpus.ts'
import { newTally, type Score } from './matching-tallies.ts'

/** Packages of registries, and what people found out about them. */

const purlTypes: Readonly<Record<string, string>> = {
  PyPI: 'pypi',
  Maven: 'maven',
  npm: 'npm',
  Go: 'golang',
  NuGet: 'nuget',
  RubyGems: 'gem',
  Packagist: 'composer',
}

/** By its URL where there is a registry, else as a distribution's. */
export function installedOf(ecosystem: string, name: string, version: string): Installed {
  const type = purlTypes[ecosystem]
  if (type === undefined) return { origin: 'rpm', ecosystem, name, version }
  const path = name
    .split(ecosystem === 'Maven' ? ':' : '/')
    .map(encodeURIComponent)
    .join('/')
  return {
    origin: 'sbom',
    ecosystem,
    name,
    version,
    purl: `pkg:${type}/${path}@${encodeURIComponent(version)}`,
  }
}

interface Coordinates {
  readonly ecosystem: string
  readonly package: string
}

/**
 * The labels have a name and a version, but not whose: it is taken for the package of a registry that is called so and
 * has that version. The other labels of its image are what else is installed there, as far as anybody labelled it.
 * Counted are the labels whose CVE is in the records; those whose package no record knows as well, and apart.
 */
export function registryPackages(labels: readonly Label[], advisories: readonly Advisory[]): Score[] {
  const { rulesOf } = catalogueOf('osv', advisories)
  const coordinatesOf = registryOf(advisories)
  const cves = new Set(advisories.flatMap(({ cveIds }) => cveIds))
  const byImage = Map.groupBy(labels, ({ image }) => image)
  const all = newTally('libraries and programs, labels by hand')
  const known = newTally('of these with a package of a registry')
  const confirmed = newTally('of these found, confirmed')
  const unconfirmed = newTally('of these found, unconfirmed')
  for (const label of labels) {
    const { package: name, version, cve, expected } = label
    if (isOfManager(label) || !cves.has(cve)) continue
    const found = coordinatesOf(label)
    const installed: Installed = found
      ? installedOf(found.ecosystem, found.package, version)
      : { origin: 'sbom', ecosystem: '', name, version }
    const standing = standingOf(label, found, byImage.get(label.image) ?? [])
    const isFound = standing.isOwn && matchesOf(installed, rulesOf).some(({ cveId }) => cveId === cve)
    all.add(isFound, expected)
    if (found) known.add(isFound, expected)
    if (isFound) (standing.isUnconfirmed ? unconfirmed : confirmed).add(true, expected)
  }
  return [all.score(), known.score(), confirmed.score(), unconfirmed.score()]
}

/** By name, whole or without its group, and version. */
function registryOf(advisories: readonly Advisory[]): (label: Label) => Coordinates | undefined {
  const byName = new Map<string, (Coordinates & { readonly versions: ReadonlySet<string> })[]>()
  const packages = Map.groupBy(
    advisories.flatMap(({ rules }) => rules).filter(({ ecosystem }) => isRegistry(ecosystem)),
    (rule) => `${rule.ecosystem}\n${rule.package}`,
  )
  for (const rules of packages.values()) {
    const [first] = rules
    if (!first) continue
    const { ecosystem, package: name } = first
    const versions = new Set(rules.flatMap((rule) => rule.versions))
    for (const spelled of new Set([name, name.split(/[:/]/).at(-1) ?? name])) {
      const key = nameKey(spelled)
      byName.set(key, [...(byName.get(key) ?? []), { ecosystem, package: name, versions }])
    }
  }
  return ({ package: name, version }) =>
    byName.get(nameKey(name))?.find(({ versions }) => versions.size === 0 || versions.has(version))
}

const isRegistry = (ecosystem: string): boolean => purlTypes[ecosystem] !== undefined
const nameKey = (name: string): string => name.toLowerCase().replaceAll(/[-_.]+/g, '-')

/**
 * The labels only guess at the kind, by the name: versions with a release (`1.1.0i-14.15.1`) in an image of a
 * distribution of RPM are its packages', and so are those with the mark of a distribution.
 */
const isOfManager = ({ package_kind_guess: kind, version, distro_hint: hint }: Label): boolean =>
  kind !== 'language-or-binary' ||
  /\.(?:module|el\d|fc\d)/.test(version) ||
  (/^(?:sle|suse|opensuse|el|ubi|rhel|centos|alma|rocky|amazon|fedora)/.test(hint ?? '') &&
    /^[^-]+-\d[\d.]*$/.test(version))

interface Standing {
  /** No package of the distribution contains it. */
  readonly isOwn: boolean
  readonly isUnconfirmed: boolean
}

/** What else of an image somebody labelled is no whole list of its packages, and is judged as the part that it is. */
function standingOf(label: Label, found: Coordinates | undefined, image: readonly Label[]): Standing {
  if (!found) return { isOwn: true, isUnconfirmed: false }
  const packages = image
    .filter(isOfManager)
    .map(({ package: name, version, package_kind_guess: kind }, at) => ({
      id: at + 1,
      name,
      sourceName: '',
      version,
      // of some release, whose feed is not there
      ecosystem: kind === 'apk' ? 'Alpine:v' : '',
    }))
  const ids = packages.map(({ id }) => id)
  const libraries = [{ softwareId: 0, ...found, version: label.version }]
  const all: SoftwareSet = {
    assetId: label.image,
    kernel: '',
    origin: 'sbom',
    distribution: label.distro_hint ?? '',
    ids: [0, ...ids],
    seenAt: '',
  }
  const own = withoutDistributionLibraries([all], libraries, packages)
  const [left] = withUnconfirmed(own, libraries, { named: packages, listed: new Set(ids) })
  return {
    isOwn: left?.ids.includes(0) ?? false,
    isUnconfirmed: left?.unconfirmed?.has(0) ?? false,
  }
}
