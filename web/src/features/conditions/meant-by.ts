import type { ConditionSubject } from '#api/generated/enums-and-inputs.ts'
import { joinTerms, tokensOf } from './condition-terms.ts'

/**
 * The condition of what a list has: open findings, unless the condition asks about the status itself. The server says
 * the same of archived assets. Empty for everything.
 */
export function meantBy(subject: ConditionSubject, where: string): string {
  return subject !== 'finding' || where === '' || asksAbout(where, 'status')
    ? where
    : joinTerms([where, 'status = open'])
}

/** Whether a condition names the field, outside of quotes and of collections. */
export function asksAbout(where: string, field: string): boolean {
  let depth = 0
  const collections: number[] = []
  const tokens = tokensOf(where)
  return tokens.some(({ kind, text }, at) => {
    if (kind === 'sign' && text === '(') {
      depth++
      if (/^(?:any|no|count)$/i.test(tokens[at - 2]?.text ?? '')) collections.push(depth)
    }
    if (kind === 'sign' && text === ')') {
      if (collections.at(-1) === depth) collections.pop()
      depth--
    }
    const isName = kind === 'word' && text.toLowerCase() === field
    const next = tokens[at + 1]
    const isAsked =
      next?.kind === 'comparison' || next?.text.toLowerCase() === 'in' || tokens[at - 1]?.text === 'has'
    return isName && isAsked && collections.length === 0
  })
}

/** A condition that also holds the words that are searched for, as one phrase. */
export const conditionOf = ({ where, text }: { readonly where: string; readonly text: string }): string =>
  joinTerms([where, text === '' ? '' : `"${text.replaceAll(/["\\]/g, '\\$&')}"`])
