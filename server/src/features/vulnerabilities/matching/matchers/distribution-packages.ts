import type { Installed } from './matcher.ts'

/** Which software a distribution built. */

const managers = new Set<Installed['origin']>(['dpkg', 'rpm', 'apk', 'pacman'])
const managedPurl = /^pkg:(deb|rpm|apk|apkg|alpm)\//

/** Only the distribution knows what is mended in it. */
export const isDistributionPackage = ({ origin, purl }: Pick<Installed, 'origin' | 'purl'>): boolean =>
  managers.has(origin) || (purl !== undefined && managedPurl.test(purl))
