import { signalsIn } from '#features/recognition/readers/fingerprints.ts'
import { recognize } from '#features/recognition/recognition.ts'
import type { Hears, Rule } from '#features/recognition/rules.ts'
import { vendorKey } from '#features/recognition/vendors/vendors.ts'
import type { Example } from './recognition-corpus.ts'

/** What is asked of rules while those that may have been written from the asked text are left out. */
export type LeavingOut = (example: Example) => Hears

/**
 * Leaves a maker out: all rules that name him, and each word of other rules that no other maker's text bears out.
 * Nouns stay: they name no maker. What is left is what we would say of a maker we never heard of.
 */
export function leavingMakersOut(examples: readonly Example[]): LeavingOut {
  const borneOut = bearers(examples, makerOf)
  return (example) => (rule, word) =>
    rule.noun === true ||
    (isOfAnother(rule, example) && isBorneOut(borneOut.get(rule)?.get(word), makerOf(example)))
}

/** Leaves a fingerprint out: each word that no text of another fingerprint bears out. What is left is not of this text. */
export function leavingFingerprintsOut(examples: readonly Example[]): LeavingOut {
  const borneOut = bearers(examples, ({ fingerprint }) => fingerprint)
  return (example) => (rule, word) =>
    rule.noun === true || isBorneOut(borneOut.get(rule)?.get(word), example.fingerprint)
}

/** Who made it; a device of no known maker stands for itself. */
export const makerOf = ({ vendor, fingerprint }: Example): string => vendorKey(vendor) || fingerprint

const isOfAnother = ({ vendor }: Rule, example: Example): boolean =>
  vendor === undefined || vendorKey(vendor) !== vendorKey(example.vendor)

/** A word that stands in no text at all was not written from one. */
const isBorneOut = (by: ReadonlySet<string> | undefined, asked: string): boolean =>
  by === undefined || by.size > 1 || !by.has(asked)

/** Of each word of each rule, whose texts it stands in. */
function bearers(
  examples: readonly Example[],
  of: (example: Example) => string,
): ReadonlyMap<Rule, ReadonlyMap<string, ReadonlySet<string>>> {
  const found = new Map<Rule, Map<string, Set<string>>>()
  for (const example of examples) {
    recognize(signalsIn({ [example.key]: example.text }, 'banner'), (rule, word) => {
      const words = found.get(rule) ?? new Map<string, Set<string>>()
      found.set(rule, words)
      words.set(word, (words.get(word) ?? new Set()).add(of(example)))
      return true
    })
  }
  return found
}
