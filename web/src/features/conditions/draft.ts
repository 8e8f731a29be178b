import { closeOpen, hasOuterOr, joinTerms, splitTerms } from './condition-terms.ts'

/** The names that a condition may begin with, in lower case: fields, their aliases, collections. */
export type Names = ReadonlySet<string>

const BEGINS_WORD = /^\s*(?:or\s+|not\s+|\(\s*)*(?:has|any|no|count)\s+([\w.]+)/i
const COMPARES = /(?:^|[\s(])([a-z][\w.]*)\s*(?:(!=|<=|>=|[=<>])|(:)|\s(in)\s*\()/i

/**
 * Whether a text that is being typed is a condition rather than words to search for. A colon and the words of the
 * language count only beside a known name, since they occur in names, addresses and tags.
 */
export function isCondition(text: string, names: Names): boolean {
  if (/^\s*["(]/.test(text)) return true
  const begun = BEGINS_WORD.exec(text)?.[1]
  if (begun !== undefined && names.has(begun.toLowerCase())) return true
  const [, name = '', comparison] = COMPARES.exec(text) ?? []
  return comparison !== undefined || names.has(name.toLowerCase())
}

/**
 * The terms with what was typed: in the place of the term `at`, else behind them. What begins with `or` is an
 * alternative to the last term.
 */
export function withDraft(terms: readonly string[], draft: string, at?: number): readonly string[] {
  const closed = closeOpen(draft)
  const alternative = /^or\s+(.*)$/is.exec(closed)?.[1]
  if (alternative !== undefined) return orElse(terms, alternative)
  const added = splitTerms(closed).map(({ text }) => text)
  if (at === undefined) return [...terms, ...added]
  return [...terms.slice(0, at), ...added, ...terms.slice(at + 1)]
}

function orElse(terms: readonly string[], alternative: string): readonly string[] {
  const last = terms.at(-1)
  if (last === undefined) return [alternative]
  const inner = last.startsWith('(') && last.endsWith(')') && hasOuterOr(last.slice(1, -1))
  return [...terms.slice(0, -1), `(${inner ? last.slice(1, -1) : last} or ${alternative})`]
}

/** What stands before the draft when the server is asked about it, so that an `or` has something before it. */
export const contextOf = (terms: readonly string[], draft: string): string =>
  /^\s*or(?:\s|$)/i.test(draft) && terms.length > 0 ? `${terms.at(-1)} ` : ''

/** The condition that the terms and the draft would be together. */
export const conditionWith = (terms: readonly string[], draft: string, at?: number): string =>
  joinTerms(withDraft(terms, draft, at))

/** A fault of a condition as the server tells it: in words, and how many characters stand before it. */
export interface Fault {
  readonly message: string
  readonly position: number | undefined
}

const PLACE = / \(at character (\d+)\)\.?$/

export function readFault(message: string): Fault {
  const place = PLACE.exec(message)?.[1]
  return {
    message: message.replace(PLACE, '').replace(/^(?:where|text): /i, ''),
    position: place === undefined ? undefined : Number(place) - 1,
  }
}
