import { lettersAndDigits } from './text-normalisation.ts'

/** The CPE vendors and products that the advisory catalogue has rules for. */
export interface Catalogue {
  /** `vendor:product` */
  readonly has: (pair: string) => boolean
  /** Those whose product has these letters and digits, whatever stands between. */
  readonly spelledLike: (letters: string) => readonly Pair[]
}

export interface Pair {
  readonly vendor: string
  readonly product: string
}

/** Iterates the pairs once; 100,000 pairs take some tens of megabytes. */
export function catalogueOf(pairs: Iterable<Pair>): Catalogue {
  const known = new Set<string>()
  const byLetters = new Map<string, Pair[]>()
  for (const { vendor, product } of pairs) {
    const pair = `${vendor}:${product}`
    if (known.has(pair)) continue
    known.add(pair)
    const letters = lettersAndDigits(product)
    const others = byLetters.get(letters)
    if (others) others.push({ vendor, product })
    else byLetters.set(letters, [{ vendor, product }])
  }
  return { has: (pair) => known.has(pair), spelledLike: (letters) => byLetters.get(letters) ?? [] }
}
