import type { ConditionCompletionsData } from '#api/generated/conditions.ts'

export type Suggestion = ConditionCompletionsData['conditionCompletions']['suggestions'][number]

/** A completion, and the text up to the cursor that it was asked for. */
export interface Answered {
  readonly asked: string
  readonly from: number
  readonly suggestions: readonly Suggestion[]
}

/** Fields that people ask about most; they come first where nothing is typed. */
const FREQUENT = [
  'type',
  'os',
  'site',
  'owner',
  'tag',
  'last_seen',
  'criticality',
  'risk',
  'severity',
  'cve',
  'exploited',
  'kev',
  'fixable',
  'product',
  'asset.os',
]

/**
 * What still fits of an earlier answer while the next one is awaited: the suggestions for what was typed since. Empty
 * where the text before them has changed.
 */
export function stillFitting({ asked, from, suggestions }: Answered, text: string): readonly Suggestion[] {
  if (text.length < from || text.slice(0, from) !== asked.slice(0, from)) return []
  const typed = text.slice(from).replace(/^"/, '').toLowerCase()
  if (typed === '') return text.trim() === '' ? frequentFirst(suggestions) : suggestions
  return suggestions.filter((it) => {
    const name = it.text.replace(/^"/, '').toLowerCase()
    return it.kind === 'value' ? name.includes(typed) : name.startsWith(typed)
  })
}

function frequentFirst(suggestions: readonly Suggestion[]): readonly Suggestion[] {
  const rank = ({ text }: Suggestion) => {
    const at = FREQUENT.indexOf(text)
    return at === -1 ? FREQUENT.length : at
  }
  return suggestions.toSorted((a, b) => rank(a) - rank(b))
}

/** A text after a suggestion was taken. */
export interface Completed {
  readonly text: string
  readonly cursor: number
  /** The term is whole, so that nothing has to be typed before it is applied. */
  readonly isWhole: boolean
}

interface Place {
  readonly from: number
  readonly cursor: number
}

/** Puts the suggestion in the place of what stands from `from` to the cursor. */
export function complete(draft: string, { from, cursor }: Place, suggestion: Suggestion): Completed {
  const before = draft.slice(0, from)
  const after = draft.slice(cursor)
  const isOpen = depthOf(before + suggestion.text) > 0
  const ends = suggestion.kind === 'value' || suggestion.text === ')' || /\bhas\s+$/i.test(before)
  const isWhole = ends && !isOpen && after.trim() === ''
  const inserted = suggestion.text + (isWhole ? '' : spaceAfter(suggestion))
  const begin = suggestion.text === ')' ? before.trimEnd() : before
  return { text: begin + inserted + after, cursor: begin.length + inserted.length, isWhole }
}

function spaceAfter({ kind, text }: Suggestion): string {
  if (kind === 'collection') return '('
  if (kind === 'comparison' && text === 'in') return ' ('
  return text === '(' ? '' : ' '
}

/** How many parentheses are open at the end. */
export function depthOf(text: string): number {
  const signs = text.replaceAll(/"(?:[^"\\]|\\.)*"/g, '').match(/[()]/g) ?? []
  return signs.reduce((sum, sign) => sum + (sign === '(' ? 1 : -1), 0)
}

const CLOSING: Suggestion = { kind: 'keyword', text: ')', detail: 'nothing more about these' }

/** Inside of parentheses they may be closed wherever another term may follow. */
export const withClosing = (suggestions: readonly Suggestion[], text: string): readonly Suggestion[] =>
  depthOf(text) > 0 && suggestions.some((it) => it.kind === 'keyword' && it.text === 'and')
    ? [CLOSING, ...suggestions]
    : suggestions
