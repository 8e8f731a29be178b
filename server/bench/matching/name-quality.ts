import { catalogueOf } from '#features/software/cpe-naming/known-cpe-products.ts'
import { normalisedName } from '#features/software/cpe-naming/normalised-name.ts'
import type { Advisory } from '#features/advisories/advisory.ts'
import { readLabels } from './matching-corpus.ts'
import { newTally, type Score } from './matching-tallies.ts'

interface Pair {
  readonly vendor: string
  readonly product: string
}

interface Named {
  readonly vendor: string
  readonly product: string
  readonly cpes: readonly string[]
  readonly ambiguous: boolean
}

/**
 * What is displayed, to what the CPE dictionary calls it: in a catalogue of the labels' products, and in one that has the
 * products of `advisories` as well, with which they may be confused.
 */
export function productNames(folder: string, advisories: readonly Advisory[]): Score[] {
  const others = advisories.flatMap(({ rules }) =>
    rules.flatMap(({ ecosystem, package: name }) => {
      const [part, vendor = '', product = ''] = name.split(':')
      return ecosystem === 'cpe' && part === 'a' ? [{ vendor, product }] : []
    }),
  )
  return [
    namesIn(folder, 'names to CPE names', []),
    namesIn(folder, 'names to CPE names, among all products', others),
  ]
}

function namesIn(folder: string, name: string, others: readonly Pair[]): Score {
  const labels = readLabels<Named>(folder, 'matching/name-to-cpe.jsonl.gz').filter(
    ({ ambiguous }) => !ambiguous,
  )
  const catalogue = catalogueOf([...labels.flatMap(({ cpes }) => cpes.map(pairOf)), ...others])
  const tally = newTally(name)
  for (const { vendor, product, cpes } of labels) {
    const found = normalisedName({ origin: 'windows', name: product, vendor }, catalogue)
    const isRight = cpes.map(pairOf).some((it) => it.vendor === found.vendor && it.product === found.product)
    // a name that the catalogue does not have finds nothing
    if (!isRight && catalogue.has(`${found.vendor}:${found.product}`)) tally.add(true, false)
    tally.add(isRight, true)
  }
  return tally.score()
}

/** `a:vendor:product`, escaped, as the catalogue has it. */
function pairOf(cpe: string): Pair {
  const [, vendor = '', product = ''] = cpe.split(/(?<!\\):/).map((it) => it.replaceAll(/\\(.)/g, '$1'))
  return { vendor, product }
}
