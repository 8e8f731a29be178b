import { plural } from '#lib/numbers.ts'
import { hasOuterOr, readCompared, splitTerms, tokensOf } from './condition-terms.ts'

/** A term in words: what is asked, how, and for what. The last two are empty where there is nothing to tell apart. */
export interface TermWords {
  readonly field: string
  readonly comparison: string
  readonly value: string
}

const WORDS: Readonly<Record<string, string>> = {
  '=': 'is',
  '!=': 'is not',
  ':': 'contains',
  in: 'is one of',
  '<': 'below',
  '<=': 'at most',
  '>': 'above',
  '>=': 'at least',
}
const TIMES: Readonly<Record<string, string>> = { '<': 'before', '<=': 'until', '>': 'after', '>=': 'since' }
const UNITS: Readonly<Record<string, (n: number) => string>> = {
  h: (n) => plural(n, 'hour', 'hours'),
  d: (n) => plural(n, 'day', 'days'),
  w: (n) => plural(n, 'week', 'weeks'),
  m: (n) => plural(n, 'month', 'months'),
  y: (n) => plural(n, 'year', 'years'),
}

/** `seen < -30d` as `seen`, `before`, `30 days ago`. */
export function describeTerm(term: string): TermWords {
  const compared = readCompared(term)
  if (compared) {
    const { field, comparison, values } = compared
    const isTime = values.some((it) => SPAN.test(it) || DAY.test(it))
    const word = (isTime ? TIMES[comparison] : undefined) ?? WORDS[comparison] ?? comparison
    return { field, comparison: word, value: values.map(describeValue).join(', ') }
  }
  const negated = /^not\s+(.*)$/is.exec(term)?.[1]
  if (negated !== undefined) return describeNegated(negated)
  const has = /^has\s+(\S+)$/i.exec(term)?.[1]
  if (has !== undefined) return { field: has, comparison: 'is known', value: '' }
  return describeCollection(term) ?? { field: readWord(term) ?? term, comparison: '', value: '' }
}

/** A whole condition in one line of words. */
export function describeCondition(where: string): string {
  if (hasOuterOr(where)) return where
  return splitTerms(where)
    .map(({ text }) => describeTerm(text))
    .map(({ field, comparison, value }) => [field, comparison, value].filter(Boolean).join(' '))
    .join(' and ')
}

function describeNegated(term: string): TermWords {
  const { field, comparison, value } = describeTerm(term)
  return comparison === 'is known'
    ? { field, comparison: 'is not known', value }
    : { field: `not ${field}`, comparison, value }
}

/** `any finding(severity = critical)` as `any finding`, `with`, `severity is critical`. */
function describeCollection(term: string): TermWords | undefined {
  const [kind, name, open] = tokensOf(term)
  if (!kind || !name || open?.text !== '(' || !/^(?:any|no|count)$/i.test(kind.text)) return undefined
  const close = term.lastIndexOf(')')
  const inside = describeCondition(term.slice(open.to, close))
  const rest = term.slice(close + 1).trim()
  const field = `${kind.text.toLowerCase()} ${name.text}`
  return { field, comparison: 'with', value: rest === '' ? inside : `${inside} ${rest}` }
}

function readWord(term: string): string | undefined {
  const [word, ...more] = tokensOf(term)
  return more.length === 0 && word?.kind === 'quoted' ? `“${word.text.slice(1, -1)}”` : undefined
}

const SPAN = /^([+-])(\d+)([hdwmy])$/
const DAY = /^\d{4}-\d{2}-\d{2}/

function describeValue(value: string): string {
  const [, sign, number = '', unit = ''] = SPAN.exec(value) ?? []
  if (sign === undefined) return value
  const span = `${number} ${UNITS[unit]?.(Number(number)) ?? unit}`
  return sign === '-' ? `${span} ago` : `in ${span}`
}
