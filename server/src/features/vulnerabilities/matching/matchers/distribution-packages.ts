import { distributionOfPurl, listsFixesOnly, parsePurl } from '#features/software/software.ts'
import type { BuiltAs, Installed } from './matcher.ts'

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

/**
 * The package that brought a library, where its distribution lists fixes only: that it is silent clears nothing, and
 * what the registry's advisories say holds, but for what the distribution speaks of.
 */
export function builderOfLibrary({ purl = '', source }: Installed): BuiltAs | undefined {
  if (!/[?&]distro=/.test(purl)) return undefined
  const read = parsePurl(purl)
  const ecosystem = read ? distributionOfPurl(read) : ''
  const prefix = PREFIXES[read?.type ?? '']
  if (!read || prefix === undefined || !listsFixesOnly(ecosystem)) return undefined
  return { ecosystem, package: source?.name ?? `${prefix}${read.name}`, needsMention: false }
}

/** What Alpine and Wolfi put before names of a registry. */
const PREFIXES: Readonly<Record<string, string>> = {
  pypi: 'py3-',
  gem: 'ruby-',
  npm: '',
  composer: 'php-',
  maven: '',
  golang: '',
}
