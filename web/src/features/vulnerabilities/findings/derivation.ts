/** How a finding was derived, line by line, in the order in which a person would check it. */
export interface Line {
  readonly name: string
  /** Several where several things are to be said. */
  readonly texts: readonly string[]
}

const MATCHERS: Readonly<Record<string, string>> = {
  distribution: 'what the distribution says of its own package',
  package: 'what the registry says of the package that its URL names',
  cpe: 'the product’s name in the CPE dictionary',
}

/** Orders of versions that have a name among people; of the others their own is shown. */
const ORDERS: Readonly<Record<string, string>> = {
  dpkg: 'Debian versions',
  rpm: 'RPM versions',
  apk: 'Alpine versions',
  pacman: 'Arch versions',
  semver: 'semantic versions',
  pep440: 'Python versions (PEP 440)',
  maven: 'Maven versions',
  rubygems: 'RubyGems versions',
  nuget: 'NuGet versions',
  packagist: 'Composer versions',
  windows: 'Windows builds',
  generic: 'numbers, part by part',
}

/** The server says what it has; nothing is shown of what is empty. */
export function derivationSteps(derivation: unknown): readonly Line[] {
  if (typeof derivation !== 'object' || derivation === null || Array.isArray(derivation)) return []
  const said = derivation as Readonly<Record<string, unknown>>
  const text = (key: string): string => textOf(said[key])
  const order = text('algorithm')
  const lines: readonly (readonly [string, readonly string[]])[] = [
    ['Installed', [text('installedVersion')]],
    ['Affected', [text('rule')]],
    ['Fixed in', [text('fixedVersion')]],
    ['Fixed by', [text('fixedBy')]],
    ['Looked up as', [[text('package'), named(text('ecosystem'))].filter(Boolean).join(' in ')]],
    ['Matched by', [MATCHERS[text('by')] ?? text('by')]],
    ['Compared as', [ORDERS[order] ?? order]],
    ['Notes', Array.isArray(said['notes']) ? said['notes'].map(textOf) : [text('notes')]],
  ]
  return lines.flatMap(([name, texts]) => {
    const nonEmpty = texts.filter(Boolean)
    return nonEmpty.length === 0 ? [] : [{ name, texts: nonEmpty }]
  })
}

const named = (ecosystem: string): string => (ecosystem === 'cpe' ? 'the CPE dictionary' : ecosystem)

const textOf = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : ''
