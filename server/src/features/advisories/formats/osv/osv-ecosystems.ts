/**
 * Ecosystems with case-insensitive package names; of Go, package URLs are to be in small letters and often are not, and no
 * two modules differ in case alone.
 */
const CASELESS = new Set(['NuGet', 'Packagist', 'Go', 'GitHub Actions'])
/** Distributions whose records name source packages. */
const OF_SOURCES =
  /^(Debian|Ubuntu|Alpine|Wolfi|Chainguard|Alpaquita|BellSoft Hardened Containers|MinimOS)(:|$)/

/**
 * Normalises an OSV ecosystem (schema 1.7, "Defined ecosystems"): `Ubuntu:22.04:LTS` becomes `Ubuntu:22.04`, the
 * repository of `Maven:` is dropped, and main streams of Red Hat get the release number.
 */
export function ecosystemOf(reported: string): string {
  if (reported.startsWith('Maven:')) return 'Maven'
  if (reported.startsWith('Ubuntu:')) return reported.replace(/:LTS$/, '')
  if (reported.startsWith('Red Hat:')) return redHatStream(reported.slice('Red Hat:'.length))
  return reported
}

/**
 * `enterprise_linux:9::appstream` becomes `Red Hat:9`. Extended streams have their own fixes and keep their name:
 * `Red Hat:rhel_eus:9.2`.
 */
export function redHatStream(product: string): string {
  const [name = '', version = ''] = product.split(':')
  return name === 'enterprise_linux' && version !== ''
    ? `Red Hat:${version.split('.')[0]}`
    : `Red Hat:${name}:${version}`
}

/** The normalised package name; PEP 503 for Python. */
export function nameIn(ecosystem: string, name: string): string {
  if (ecosystem === 'PyPI') return name.toLowerCase().replace(/[-_.]+/g, '-')
  return CASELESS.has(ecosystem) ? name.toLowerCase() : name
}

export const namesSources = (ecosystem: string): boolean => OF_SOURCES.test(ecosystem)

/** `ruby:3.3` in `Moderate: ruby:3.3 security, bug fix, and enhancement update`. */
export const moduleIn = (summary: string): string | undefined =>
  /(?:^|\s)([a-z][\w.+-]*:[\w.+-]+)\s/i.exec(summary.replace(/^\w+: /, ' '))?.[1]
