/**
 * A name of the Common Platform Enumeration (NIST IR 7695). Values are lower case and unescaped; `*` is any, `-` is
 * none.
 */
export interface Cpe {
  /** `a` application, `o` operating system, `h` hardware. */
  readonly part: string
  readonly vendor: string
  readonly product: string
  readonly version: string
  readonly update: string
  readonly edition: string
  readonly language: string
  readonly swEdition: string
  readonly targetSw: string
  readonly targetHw: string
  readonly other: string
}

export const ANY = '*'
export const NONE = '-'
const CPE_LENGTH_MAX = 2_048
const FIELDS = 11

/** Reads a formatted string (`cpe:2.3:a:…`) or a URI (`cpe:/a:…`); undefined for anything else. */
export function parseCpe(text: string): Cpe | undefined {
  const trimmed = text.trim()
  if (trimmed.length > CPE_LENGTH_MAX) return undefined
  const lower = trimmed.toLowerCase()
  if (lower.startsWith('cpe:2.3:')) return ofFormatted(lower.slice('cpe:2.3:'.length))
  return lower.startsWith('cpe:/') ? ofUri(lower.slice('cpe:/'.length)) : undefined
}

/** The formatted string of version 2.3. */
export function formatCpe(cpe: Cpe): string {
  const values = [cpe.part, cpe.vendor, cpe.product, cpe.version, cpe.update, cpe.edition, cpe.language]
  return `cpe:2.3:${[...values, cpe.swEdition, cpe.targetSw, cpe.targetHw, cpe.other].map(escaped).join(':')}`
}

/** Any version of a product. */
export const cpeOf = (part: string, vendor: string, product: string, version = ANY): Cpe => ({
  part,
  vendor,
  product,
  version,
  update: ANY,
  edition: ANY,
  language: ANY,
  swEdition: ANY,
  targetSw: ANY,
  targetHw: ANY,
  other: ANY,
})

export type Relation = 'equal' | 'superset' | 'subset' | 'disjoint'

/** How one attribute of a pattern relates to that of a name (NIST IR 7696, table 6-2). */
export function compareAttribute(pattern: string, name: string): Relation {
  if (pattern === name) return 'equal'
  if (pattern === ANY) return 'superset'
  if (name === ANY) return 'subset'
  if (pattern === NONE || name === NONE) return 'disjoint'
  return hasWildcard(pattern) && matchesWildcard(pattern, name) ? 'superset' : 'disjoint'
}

const hasWildcard = (value: string): boolean => /^[*?]|[*?]$/.test(value)

/** Wildcards may stand only at the beginning and the end: `*` for any text, `?` for at most one character. */
function matchesWildcard(pattern: string, name: string): boolean {
  const before = /^(?:\*|\?+)/.exec(pattern)?.[0] ?? ''
  const after = /(?:\*|\?+)$/.exec(pattern.slice(before.length))?.[0] ?? ''
  const core = pattern.slice(before.length, pattern.length - after.length)
  const [maxBefore, maxAfter] = [before, after].map((it) => (it === '*' ? Infinity : it.length))
  for (let at = name.indexOf(core); at >= 0; at = name.indexOf(core, at + 1)) {
    if (at <= (maxBefore ?? 0) && name.length - at - core.length <= (maxAfter ?? 0)) return true
    if (core === '' || at > (maxBefore ?? 0)) break
  }
  return false
}

function ofFormatted(text: string): Cpe | undefined {
  const values = text.match(/(?:\\.|[^:\\])*(?::|$)/gs)?.map((it) => it.replace(/:$/, '')) ?? []
  // the match at the end of the text is empty
  if (values.length !== FIELDS && !(values.length === FIELDS + 1 && values.at(-1) === '')) return undefined
  const plain = values.slice(0, FIELDS).map((it) => it.replaceAll(/\\(.)/gs, '$1'))
  return plain.includes('') ? undefined : ofValues(plain)
}

function ofUri(text: string): Cpe | undefined {
  const values = text.split(':')
  if (values.length > 7) return undefined
  const decoded = values.map((value, index) =>
    index === 5 && value.startsWith('~') ? value : decodeUri(value),
  )
  const [part = '', vendor = '', product = '', version = '', update = '', edition = '', language = ''] =
    decoded.map((it) => it ?? '')
  if (decoded.includes(undefined)) return undefined
  const [, packed = '', swEdition = '', targetSw = '', targetHw = '', other = ''] = edition.startsWith('~')
    ? edition.split('~').map((it) => decodeUri(it) ?? '')
    : ['', edition]
  return ofValues(
    [part, vendor, product, version, update, packed, language, swEdition, targetSw, targetHw, other].map(
      (it) => it || ANY,
    ),
  )
}

function decodeUri(value: string): string | undefined {
  try {
    return decodeURIComponent(value.replaceAll('%01', '?').replaceAll('%02', '*'))
  } catch {
    return undefined
  }
}

function ofValues(values: readonly string[]): Cpe | undefined {
  const [part = '', vendor = '', product = '', version = ANY, update = ANY, edition = ANY, language = ANY] =
    values
  const [swEdition = ANY, targetSw = ANY, targetHw = ANY, other = ANY] = values.slice(7)
  if (!/^[aoh*-]$/.test(part)) return undefined
  return { part, vendor, product, version, update, edition, language, swEdition, targetSw, targetHw, other }
}

/** A single `*` or `-` means any or none; inside a value, point, dash and underscore are not escaped. */
function escaped(value: string): string {
  return value === ANY || value === NONE
    ? value
    : value.replaceAll(/[^a-z0-9._\-?*\u0080-\uffff]/gi, (it) => `\\${it}`)
}
