import type { Advisory, Rule } from '../../advisory.ts'
import { attribute, elements, textAt, type XmlElement } from '#platform/formats/xml-tree.ts'
import { FeedError } from '../../feeds/feed-error.ts'
import { datesOf, isCveId } from '../json-fields.ts'
import { parseSeverity } from '../../catalogue/cvss-score.ts'
import type { FeedFormat } from '../format.ts'
import { xmlParts } from './xml-parts.ts'

/**
 * SUSE's OVAL definitions, one for each vulnerability in each product's file. The comments of criteria contain the
 * tested version, so the tests at the end of the file need not be buffered; comments have no epoch, which SUSE packages
 * do not use.
 */
export const suseOval: FeedFormat = {
  async *read({ name, content }) {
    const product = name.replace(/^.*\/|\.xml$/g, '')
    for await (const { number, element } of xmlParts(content, ['definition'])) {
      if (attribute(element, 'class') === 'vulnerability')
        yield { advisory: { ...advisoryFrom(element, number), scope: product } }
    }
  },
}

function advisoryFrom(definition: XmlElement, number: number): Advisory {
  const title = textAt(definition, 'metadata', 'title')
  if (!title) throw new FeedError(`record ${number} has no title`)
  const word = textAt(definition, 'metadata', 'advisory', 'severity') ?? ''
  const severity = parseSeverity(word)
  const [issued] = elements(definition, 'metadata', 'advisory', 'issued')
  const [updated] = elements(definition, 'metadata', 'advisory', 'updated')
  return {
    id: title,
    cveIds: [title].filter(isCveId),
    aliases: [],
    state: 'published',
    isDisputed: false,
    description: textAt(definition, 'metadata', 'description') ?? '',
    ...datesOf(issued && attribute(issued, 'date'), updated && attribute(updated, 'date')),
    ...(severity && { severity }),
    scores: [],
    weaknesses: [],
    references: elements(definition, 'metadata', 'reference').flatMap((it) => attribute(it, 'ref_url') ?? []),
    rules: merged(elements(definition, 'criteria').flatMap((it) => rulesOf(it, []))).map((it) =>
      severity ? { ...it, severity } : it,
    ),
  }
}

/** Product criteria apply to all packages of the same criteria element. */
function rulesOf(criteria: XmlElement, outer: readonly string[]): Rule[] {
  const comments = elements(criteria, 'criterion').map((it) => attribute(it, 'comment') ?? '')
  const inner = elements(criteria, 'criteria')
  const isAnd = attribute(criteria, 'operator') === 'AND'
  const alternatives = isAnd
    ? inner.filter((it) => productsIn(it).length > 0 && elements(it, 'criteria').length === 0)
    : []
  const products = [...productsIn(criteria), ...alternatives.flatMap(productsIn)]
  const within = products.length > 0 ? products : outer
  return [
    ...comments.flatMap((it) => within.flatMap((product) => ruleFrom(it, product))),
    ...inner.filter((it) => !alternatives.includes(it)).flatMap((it) => rulesOf(it, within)),
  ]
}

const PACKAGE = /^(.+)-([^-\s]+-[^-\s]+) is installed$/

const productsIn = (criteria: XmlElement): string[] =>
  elements(criteria, 'criterion')
    .map((it) => attribute(it, 'comment') ?? '')
    .flatMap((it) => (PRODUCT.test(it) ? it.replace(/ is installed$/, '') : []))

const PRODUCT = /^(SUSE|openSUSE) .+ is installed$/

/** `kernel-default-4.12.14-150.72.1 is installed` means a version before it, as the referenced test shows. */
function ruleFrom(comment: string, product: string): Rule[] {
  if (PRODUCT.test(comment)) return []
  const [, repaired, version = ''] = PACKAGE.exec(comment) ?? []
  const [, name, word] = /^(\S+) is (not affected|affected)$/.exec(comment) ?? []
  const packageName = repaired ?? name
  if (!packageName) return []
  return [
    {
      ecosystem: product.replace(/^(SUSE|openSUSE) /, '$1:'),
      package: packageName,
      names: 'binary',
      verdict: word === 'not affected' ? 'not_affected' : 'affected',
      ranges: [repaired ? { fixed: version } : {}],
      versions: [],
    },
  ]
}

const merged = (rules: readonly Rule[]): Rule[] => [
  ...new Map(rules.map((it) => [JSON.stringify(it), it])).values(),
]
