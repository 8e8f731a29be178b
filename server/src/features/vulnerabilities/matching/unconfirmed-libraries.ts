import { distributionPackageNames, type BuiltPackage, type Library } from './distribution-libraries.ts'
import { isDistributionPackage } from './matchers/distribution-packages.ts'
import type { SoftwareSet } from './software-set.ts'

/**
 * A library of a distribution's asset whose packages are not all known may be the distribution's own, mended without
 * a new version. What a registry's advisories say of it holds, and is unconfirmed. Pure.
 */

/** The package that brings the tree of folders, which no installation of the distribution lacks. */
export const BASE_PACKAGES: readonly string[] = [
  'base-files',
  'filesystem',
  'alpine-baselayout',
  'wolfi-baselayout',
  'chainguard-baselayout',
]

/** What is known of the assets of these lists. */
export interface KnownPackages {
  /** Those with the name of a library's package, or of a base package. */
  readonly named: readonly BuiltPackage[]
  /** Software ids in bills of materials that are packages of a distribution. */
  readonly listed: ReadonlySet<number>
}

/** The sets with those libraries in `unconfirmed` that the distribution was not asked about. */
export function withUnconfirmed(
  sets: readonly SoftwareSet[],
  libraries: readonly Library[],
  { named, listed }: KnownPackages,
): SoftwareSet[] {
  const doubtful = new Set(
    libraries
      .filter((it) => !it.isOfDistribution && distributionPackageNames(it).length > 0)
      .map(({ softwareId }) => softwareId),
  )
  const bases = new Set(named.filter(({ name }) => BASE_PACKAGES.includes(name)).map(({ id }) => id))
  const packages = new Set([...listed, ...named.map(({ id }) => id)])
  const byAsset = Map.groupBy(sets, ({ assetId }) => assetId)
  const asked = new Map(
    [...byAsset].map(([assetId, own]) => [
      assetId,
      !isOfDistribution(own, packages) || own.some(({ ids }) => ids.some((id) => bases.has(id))),
    ]),
  )
  return sets.map((set) => {
    const unconfirmed = asked.get(set.assetId) ? [] : set.ids.filter((id) => doubtful.has(id))
    return unconfirmed.length === 0 ? set : { ...set, unconfirmed: new Set(unconfirmed) }
  })
}

/** Its system is told as one, or packages of one are listed. */
const isOfDistribution = (own: readonly SoftwareSet[], packages: ReadonlySet<number>): boolean =>
  own.some(
    ({ origin, distribution = '', ids }) =>
      distribution !== '' ||
      isDistributionPackage({ origin: origin as 'dpkg' }) ||
      ids.some((id) => packages.has(id)),
  )
