import type { Lifecycle, Release } from '../advisory.ts'
import { FeedError } from '../feeds/feed-error.ts'
import { jsonDocuments } from './json-items.ts'
import { allFields, dayOf, fieldsOf, requireText, textOf, optional, type Fields } from './json-fields.ts'
import type { FeedFormat } from './format.ts'

type Identifier = Lifecycle['identifiers'][number]
const KINDS: readonly Identifier['kind'][] = ['cpe', 'purl', 'repology']

/**
 * endoflife.date: the full dump of API v1 (`result`) or of its data repository (`products`), or the older list of one
 * product's releases, whose product is the file name.
 */
export const endoflife: FeedFormat = {
  async *read({ name, content }) {
    let count = 0
    for await (const { value } of jsonDocuments(content)) {
      const products = Array.isArray(value)
        ? [productNamed(name, value)]
        : allFields(wholeOf(fieldsOf(value)))
      for (const it of products) {
        count++
        yield { lifecycle: lifecycleFrom(it, count) }
      }
    }
  },
}

function wholeOf(file: Fields): unknown {
  const whole = file['result'] ?? file['products']
  if (whole === undefined) throw new FeedError('the file has no products')
  return Array.isArray(whole) ? whole : [whole]
}

const productNamed = (file: string, releases: readonly unknown[]): Fields => ({
  name: (file.split('/').pop() ?? '').replace(/\.json$/, ''),
  releases,
})

function lifecycleFrom(product: Fields, number: number): Lifecycle {
  const name = requireText(product['name'], 'name', `product ${number}`)
  return {
    product: name,
    label: textOf(product['label']) || name,
    identifiers: allFields(product['identifiers']).flatMap(identifiersFrom),
    releases: allFields(product['releases']).map((it) => releaseFrom(it, name)),
  }
}

function identifiersFrom(it: Fields): Identifier[] {
  return KINDS.flatMap((kind) =>
    optional(textOf(it['type']) === kind ? textOf(it['id']) : textOf(it[kind])).map((id) => ({ kind, id })),
  )
}

/** An end is a date or a boolean. */
function releaseFrom(it: Fields, product: string): Release {
  const cycle = cycleOf(it['name'] ?? it['releaseCycle'] ?? it['cycle'])
  const end = it['eolFrom'] ?? it['eol']
  const [releasedOn, endsOn] = [dayOf(it['releaseDate']), dayOf(end)]
  const ended = it['isEol'] ?? (endsOn === undefined ? it['eol'] : undefined)
  const extended = [it['eoesFrom'], it['extendedSupport'], it['eoasFrom']].map(dayOf)
  const extendedUntil = extended.filter((day) => day !== undefined && (!endsOn || day > endsOn)).at(0)
  const latest = textOf(fieldsOf(it['latest'])['name']) || textOf(it['latest'])
  return {
    cycle: requireText(cycle, 'name of a release', product),
    label: textOf(it['label']) || textOf(it['releaseLabel']) || cycle,
    ...(releasedOn && { releasedOn }),
    ...(endsOn && { endsOn }),
    ...(!endsOn && typeof ended === 'boolean' && { isEnded: ended }),
    ...(extendedUntil && { extendedUntil }),
    ...(latest && { latest }),
    isLongTerm: Boolean(it['isLts'] ?? it['lts'] ?? false),
  }
}

/** Some cycles are YAML numbers, and JSON numbers in the generated data. */
const cycleOf = (value: unknown): string => (typeof value === 'number' ? String(value) : textOf(value))
