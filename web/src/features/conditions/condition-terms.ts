/** One term of a condition: what stands between two `and`. `from` inclusive and `to` exclusive, in the whole text. */
export interface Term {
  readonly text: string
  readonly from: number
  readonly to: number
}

/** A term that compares, in its parts; the values without quotes. */
export interface ComparedTerm {
  readonly field: string
  readonly comparison: string
  readonly values: readonly string[]
}

interface Token {
  readonly kind: 'word' | 'quoted' | 'sign' | 'comparison'
  readonly text: string
  readonly from: number
  readonly to: number
}

const TOKEN = /\s+|"(?:[^"\\]|\\.)*"|[(),]|!=|<=|>=|[=<>:]|[^\s(),"=!<>:]+|[^]/y
/** After a comparison a word may contain the signs that compare, as instants and addresses do. */
const VALUE = /[^\s(),"]+/y
/** A hardware address or an IPv6 address, whose colons do not compare. */
const ADDRESS =
  /(?:[0-9a-f]{2}(?:[:-][0-9a-f]{2}){5}|(?=[0-9a-f]*:[0-9a-f:.]*:)[0-9a-f:.]+(?:\/\d+)?)(?=[\s(),"]|$)/iy

/**
 * The terms of a condition that must all hold. A text with `or` outside of parentheses is one term, and so is one that
 * cannot be read: what is wrong with it, the server says.
 */
export function splitTerms(text: string): readonly Term[] {
  const trimmed = text.trim()
  if (trimmed === '') return []
  const whole = { text: trimmed, from: text.indexOf(trimmed), to: text.indexOf(trimmed) + trimmed.length }
  const tokens = tokensOf(text)
  const terms: Term[] = []
  let at = 0
  while (at < tokens.length) {
    if (isWord(tokens[at], 'or')) return [whole]
    const first = terms.length > 0 && isWord(tokens[at], 'and') ? at + 1 : at
    const end = endOfTerm(tokens, first)
    const [begin, last] = [tokens[first], tokens[end - 1]]
    if (end <= first || !begin || !last) return [whole]
    terms.push({ text: text.slice(begin.from, last.to), from: begin.from, to: last.to })
    at = end
  }
  return terms
}

/** Writes terms as one condition. A term with `or` outside of parentheses gets some, unless it is the only one. */
export function joinTerms(terms: readonly string[]): string {
  const given = terms.map((it) => it.trim()).filter((it) => it !== '')
  return given.length === 1
    ? (given[0] ?? '')
    : given.map((it) => (hasOuterOr(it) ? `(${it})` : it)).join(' and ')
}

/** The condition with one more term; the same one is not added twice. */
export function withTerm(where: string, term: string): string {
  const texts = splitTerms(where).map(({ text }) => text)
  return texts.includes(term) ? where : joinTerms([...texts, term])
}

/** A value as it has to be written after a comparison. */
export const quoteValue = (value: string): string =>
  /^[^\s(),"$\\=!<>:]+$/.test(value) ? value : `"${value.replaceAll(/["\\]/g, '\\$&')}"`

/** `field = value`, or `field in (…)` for several; what `not has` finds for none. */
export function compareTerm(field: string, values: readonly string[]): string {
  if (values.length === 0) return `not has ${field}`
  const [only = ''] = values
  return values.length === 1
    ? `${field} = ${quoteValue(only)}`
    : `${field} in (${values.map(quoteValue).join(', ')})`
}

/** The parts of `field = value` or `field in (…)`; undefined for every other term. */
export function readCompared(term: string): ComparedTerm | undefined {
  const [field, comparison, ...rest] = tokensOf(term)
  if (field?.kind !== 'word' || !comparison) return undefined
  if (comparison.kind === 'comparison' && rest.length === 1)
    return { field: field.text.toLowerCase(), comparison: comparison.text, values: rest.map(valueOf) }
  const isList = isWord(comparison, 'in') && rest[0]?.text === '(' && rest.at(-1)?.text === ')'
  if (!isList) return undefined
  const values = rest.slice(1, -1).filter(({ text }) => text !== ',')
  return { field: field.text.toLowerCase(), comparison: 'in', values: values.map(valueOf) }
}

/** Closes what is open at the end: a quote and parentheses. */
export function closeOpen(text: string): string {
  const trimmed = text.trim()
  const quotes = trimmed.replaceAll(/\\./g, '').replaceAll(/[^"]/g, '').length
  const quoted = quotes % 2 === 1 ? `${trimmed}"` : trimmed
  const depth = tokensOf(quoted).reduce(
    (sum, { text: it }) => sum + (it === '(' ? 1 : it === ')' ? -1 : 0),
    0,
  )
  return quoted + ')'.repeat(Math.max(0, depth))
}

/** Whether a text has an `or` outside of parentheses. */
export function hasOuterOr(text: string): boolean {
  let depth = 0
  return tokensOf(text).some((token) => {
    if (token.text === '(') depth++
    if (token.text === ')') depth--
    return depth === 0 && isWord(token, 'or')
  })
}

/** The words, quotes and signs of a text, without blanks. */
export function tokensOf(text: string): readonly Token[] {
  const tokens: Token[] = []
  let at = 0
  while (at < text.length) {
    const isValue = tokens.at(-1)?.kind === 'comparison'
    const found =
      match(ADDRESS, text, at) ?? (isValue ? match(VALUE, text, at) : undefined) ?? match(TOKEN, text, at)
    if (found === undefined) break
    const to = at + found.length
    if (found.trim() !== '') tokens.push({ kind: kindOf(found, isValue), text: found, from: at, to })
    at = to
  }
  return tokens
}

function match(pattern: RegExp, text: string, at: number): string | undefined {
  pattern.lastIndex = at
  return pattern.exec(text)?.[0]
}

function kindOf(text: string, isValue: boolean): Token['kind'] {
  if (/^[(),"]$/.test(text)) return 'sign'
  if (text.startsWith('"')) return 'quoted'
  return !isValue && /^(?:!=|<=|>=|[=<>:])$/.test(text) ? 'comparison' : 'word'
}

const isWord = (token: Token | undefined, word: string): boolean =>
  token?.kind === 'word' && token.text.toLowerCase() === word

const valueOf = ({ kind, text }: Token): string =>
  kind === 'quoted' ? text.slice(1, -1).replaceAll(/\\(.)/g, '$1') : text

/** The index behind the term that begins at `at`; `at` itself where none does. */
function endOfTerm(tokens: readonly Token[], at: number): number {
  const first = tokens[at]
  if (!first) return at
  if (isWord(first, 'not')) {
    const end = endOfTerm(tokens, at + 1)
    return end === at + 1 ? at : end
  }
  if (first.text === '(') return closing(tokens, at) ?? at
  if (isWord(first, 'has')) return tokens[at + 1]?.kind === 'word' ? at + 2 : at
  if (isWord(first, 'any') || isWord(first, 'no') || isWord(first, 'count'))
    return endOfCollection(tokens, at)
  if (first.kind !== 'word' && first.kind !== 'quoted') return at
  const next = tokens[at + 1]
  if (isWord(next, 'in') && tokens[at + 2]?.text === '(') return closing(tokens, at + 2) ?? at
  if (next?.kind !== 'comparison') return at + 1
  return ['word', 'quoted'].includes(tokens[at + 2]?.kind ?? '') ? at + 3 : at
}

function endOfCollection(tokens: readonly Token[], at: number): number {
  const end = tokens[at + 2]?.text === '(' ? closing(tokens, at + 2) : undefined
  if (end === undefined) return at
  if (!isWord(tokens[at], 'count')) return end
  return tokens[end]?.kind === 'comparison' && tokens[end + 1]?.kind === 'word' ? end + 2 : at
}

/** The index behind the parenthesis that closes the one at `at`. */
function closing(tokens: readonly Token[], at: number): number | undefined {
  let depth = 0
  for (let i = at; i < tokens.length; i++) {
    if (tokens[i]?.text === '(') depth++
    if (tokens[i]?.text === ')' && --depth === 0) return i + 1
  }
  return undefined
}
