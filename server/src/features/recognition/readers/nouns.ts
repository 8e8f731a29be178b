import type { Holding } from '../rules.ts'

/**
 * The noun that says what the thing is: of a compound its last part (`firewall router` is a router), of several the
 * first compound. What stands behind `for` is another thing: a module for a switch is no switch.
 */
export function headNoun(holding: readonly Holding[], text: string): Holding | undefined {
  const nouns = withoutParts(holding.filter(({ kind }) => kind === 'noun').slice(0, NOUNS_MAX))
  let head = nouns[0]
  for (const next of nouns.slice(1)) {
    if (!head || !isCompound(text.slice(head.at + head.length, next.at))) break
    head = next
  }
  return head
}

/** The rules that hold for what the text is about; if none does, those that hold for something else it names. */
export function aboutItself(
  holding: readonly Holding[],
  text: string,
): { held: readonly Holding[]; isAside: boolean } {
  const end = text.search(otherThing)
  if (end < 0) return { held: holding, isAside: false }
  const held = holding.filter(({ at }) => at < end)
  return held.some(({ rule }) => rule.type) ? { held, isAside: false } : { held: holding, isAside: true }
}

/** What stands behind so many nouns is a text about many things. */
const NOUNS_MAX = 16

const otherThing = / (?:for|compatible with|connected to|attached to|powered by) /i

/** Of words that overlap, the longest: `print server` holds no `server`. In their order in the text. */
function withoutParts(nouns: readonly Holding[]): Holding[] {
  const covers = (a: Holding, b: Holding): boolean =>
    a.length > b.length && a.at <= b.at && a.at + a.length >= b.at + b.length
  return nouns.filter((noun) => !nouns.some((other) => covers(other, noun))).toSorted((a, b) => a.at - b.at)
}

/** A space, or one short word: nothing that ends a phrase. */
const isCompound = (between: string): boolean =>
  /^[ /-]?$|^ \w{1,9} $/.test(between) && !/ (?:and|or|with|to|in|on) /.test(between)
