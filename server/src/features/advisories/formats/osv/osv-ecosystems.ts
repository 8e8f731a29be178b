/** Ecosystems in which the case of a name, or what joins its words, does not count. */
const CASELESS = new Set(['NuGet', 'Packagist'])
/** Distributions that speak of source packages. */
const OF_SOURCES =
  /^(Debian|Ubuntu|Alpine|Wolfi|Chainguard|Alpaquita|BellSoft Hardened Containers|MinimOS)(:|$)/

/**
 * An ecosystem of OSV (schema 1.7, "Defined ecosystems") as rules name it: `Ubuntu:22.04:LTS` is `Ubuntu:22.04`, a
 * repository behind `Maven:` does not matter, and main streams of Red Hat go by their number.
 */
export function ecosystemOf(reported: string): string {
  if (reported.startsWith('Maven:')) return 'Maven'
  if (reported.startsWith('Ubuntu:')) return reported.replace(/:LTS$/, '')
  if (reported.startsWith('Red Hat:')) return redHatStream(reported.slice('Red Hat:'.length))
  return reported
}

/**
 * `enterprise_linux:9::appstream` is `Red Hat:9`. Extended streams have fixes of their own, so that they keep theirs:
 * `Red Hat:rhel_eus:9.2`.
 */
export function redHatStream(product: string): string {
  const [name = '', version = ''] = product.split(':')
  return name === 'enterprise_linux' && version !== ''
    ? `Red Hat:${version.split('.')[0]}`
    : `Red Hat:${name}:${version}`
}

/** PEP 503 for Python. */
export function nameIn(ecosystem: string, name: string): string {
  if (ecosystem === 'PyPI') return name.toLowerCase().replace(/[-_.]+/g, '-')
  return CASELESS.has(ecosystem) ? name.toLowerCase() : name
}

export const namesSources = (ecosystem: string): boolean => OF_SOURCES.test(ecosystem)

/** `ruby:3.3` in `Moderate: ruby:3.3 security, bug fix, and enhancement update`. */
export const moduleIn = (summary: string): string | undefined =>
  /(?:^|\s)([a-z][\w.+-]*:[\w.+-]+)\s/i.exec(summary.replace(/^\w+: /, ' '))?.[1]
