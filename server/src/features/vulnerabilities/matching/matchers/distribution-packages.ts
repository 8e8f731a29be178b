import type { Installed } from './matcher.ts'

/** Whether software is a package built by a distribution. */

const managers = new Set<Installed['origin']>(['dpkg', 'rpm', 'apk', 'pacman'])
const managedPurl = /^pkg:(deb|rpm|apk|apkg|alpm)\//

/** For these, only the distribution's advisories say which fixes were backported. */
export const isDistributionPackage = ({ origin, purl }: Pick<Installed, 'origin' | 'purl'>): boolean =>
  managers.has(origin) || (purl !== undefined && managedPurl.test(purl))

/**
 * A library whose files a package of a distribution installed: as its URL says, `pkg:pypi/urllib3@1.24.2?distro=rhel-8`,
 * or as the package manager of the host does, which names the package. The distribution's advisories on that package
 * cover it.
 */
export const isShippedByDistribution = ({
  origin,
  purl,
  source,
}: Pick<Installed, 'origin' | 'purl' | 'source'>): boolean =>
  (origin === 'library' && source !== undefined) || (purl !== undefined && /[?&]distro=/.test(purl))
