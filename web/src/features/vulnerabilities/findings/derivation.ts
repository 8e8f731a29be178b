/** One line of the derivation of a finding. */
export interface Line {
  readonly name: string
  /** Several texts are displayed below each other. */
  readonly texts: readonly string[]
}

const MATCHERS: Readonly<Record<string, string>> = {
  distribution: 'what the distribution says of its own package',
  package: 'what the registry says of the package that its URL names',
  cpe: 'the product’s name in the CPE dictionary',
}

/** Display names of version schemes; others are displayed by their id. */
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

/** Converts the derivation of the server to lines; empty fields are omitted. */
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
