import type { Installed } from './matcher.ts'

/** Whether software is a package built by a distribution. */

const managers = new Set<Installed['origin']>(['dpkg', 'rpm', 'apk', 'pacman'])
const managedPurl = /^pkg:(deb|rpm|apk|apkg|alpm)\//

/** For these, only the distribution's advisories say which fixes were backported. */
export const isDistributionPackage = ({ origin, purl }: Pick<Installed, 'origin' | 'purl'>): boolean =>
  managers.has(origin) || (purl !== undefined && managedPurl.test(purl))
