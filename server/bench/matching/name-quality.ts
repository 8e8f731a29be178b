import { catalogueOf } from '#features/software/cpe-naming/known-cpe-products.ts'
import { normalisedName } from '#features/software/cpe-naming/normalised-name.ts'
import { readLabels } from './matching-corpus.ts'
import { newTally, type Score } from './matching-tallies.ts'

interface Named {
  readonly vendor: string
  readonly product: string
  readonly cpes: readonly string[]
  readonly ambiguous: boolean
}

/** What is displayed, to what the CPE dictionary calls it. */
export function productNames(folder: string): Score {
  const labels = readLabels<Named>(folder, 'matching/name-to-cpe.jsonl.gz').filter(
    ({ ambiguous }) => !ambiguous,
  )
  const catalogue = catalogueOf(labels.flatMap(({ cpes }) => cpes.map(pairOf)))
  const tally = newTally('names to CPE names')
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
function pairOf(cpe: string): { vendor: string; product: string } {
  const [, vendor = '', product = ''] = cpe.split(/(?<!\\):/).map((it) => it.replaceAll(/\\(.)/g, '$1'))
  return { vendor, product }
}
