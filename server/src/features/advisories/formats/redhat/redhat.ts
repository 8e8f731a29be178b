import type { Advisory, Rule, Score } from '../../advisory.ts'
import { FeedError } from '../../feeds/feed-error.ts'
import { jsonDocuments } from '../json-items.ts'
import {
  allFields,
  datesOf,
  fieldsOf,
  finiteNumberOf,
  isCveId,
  requireObject,
  requireText,
  textOf,
  optional,
  type Fields,
} from '../json-fields.ts'
import { scoreFrom, parseSeverity } from '../../catalogue/cvss-score.ts'
import type { FeedFormat } from '../format.ts'
import { productTree, type ProductTree } from './redhat-products.ts'
import { advisoryFromHydra } from './redhat-hydra.ts'
import { rulesOf } from './redhat-rules.ts'

/** Red Hat's CSAF 2.0 documents (advisories and VEX), and responses of its Security Data API. */
export const redhat: FeedFormat = {
  async *read({ content }) {
    for await (const { number, value } of jsonDocuments(content)) {
      const record = requireObject(value, number)
      if (record['document'] === undefined) {
        yield { advisory: advisoryFromHydra(record, number) }
        continue
      }
      const tracking = fieldsOf(fieldsOf(record['document'])['tracking'])
      const id = requireText(tracking['id'], 'document.tracking.id', `record ${number}`)
      const tree = productTree(record['product_tree'])
      const vulnerabilities = allFields(record['vulnerabilities'])
      if (vulnerabilities.length === 0) throw new FeedError(`${id} has no vulnerabilities`)
      for (const it of vulnerabilities) yield { advisory: advisoryFrom(id, it, { tracking, tree }) }
    }
  },
}

interface Document {
  readonly tracking: Fields
  readonly tree: ProductTree
}

function advisoryFrom(id: string, vulnerability: Fields, { tracking, tree }: Document): Advisory {
  const cveId = textOf(vulnerability['cve'])
  const [impact] = allFields(vulnerability['threats']).filter((it) => textOf(it['category']) === 'impact')
  const severity = parseSeverity(textOf(impact?.['details']))
  const notes = allFields(vulnerability['notes'])
  const description = notes.find((it) => textOf(it['category']) === 'description') ?? notes[0]
  return {
    id,
    ...(cveId && cveId !== id && { scope: cveId }),
    cveIds: [cveId].filter(isCveId),
    aliases: [],
    state: textOf(tracking['status']) === 'withdrawn' ? 'withdrawn' : 'published',
    isDisputed: false,
    description: textOf(description?.['text']) || textOf(vulnerability['title']),
    ...datesOf(tracking['initial_release_date'], tracking['current_release_date']),
    scores: scoresOf(vulnerability),
    ...(severity && { severity }),
    weaknesses: optional(textOf(fieldsOf(vulnerability['cwe'])['id'])),
    references: allFields(vulnerability['references']).flatMap((it) => optional(textOf(it['url']))),
    rules: rulesOf(vulnerability, tree, /^RH[SBE]A-/.test(id) ? id : undefined).map((it): Rule =>
      severity ? { ...it, severity } : it,
    ),
  }
}

function scoresOf(vulnerability: Fields): Score[] {
  const all = allFields(vulnerability['scores']).flatMap((it) =>
    [it['cvss_v3'], it['cvss_v4'], it['cvss_v2']].flatMap((score) => {
      const { vectorString, baseScore } = fieldsOf(score)
      return optional(scoreFrom('redhat', textOf(vectorString), finiteNumberOf(baseScore)))
    }),
  )
  return [...new Map(all.map((it) => [it.vector, it])).values()]
}
