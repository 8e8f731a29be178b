/** A typing slip further away than this is another word. */
const SLIPS_MAX = 3

/** The known word that was probably meant. */
export function nearest(typed: string, known: readonly string[]): string | undefined {
  const [best] = known
    .map((word) => ({ word, slips: editDistance(typed, word) }))
    .filter(({ word, slips }) => slips <= Math.min(SLIPS_MAX, word.length / 2))
    .toSorted((a, b) => a.slips - b.slips)
  return best?.word
}

/** Levenshtein's distance: letters to add, drop or change. */
export function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, at) => at)
  for (const [i, letter] of a.split('').entries()) {
    const next = [i + 1]
    for (const [j, other] of b.split('').entries()) {
      const changed = (row[j] ?? 0) + (letter === other ? 0 : 1)
      next.push(Math.min((next[j] ?? 0) + 1, (row[j + 1] ?? 0) + 1, changed))
    }
    row = next
  }
  return row[b.length] ?? 0
}
