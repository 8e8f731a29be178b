import type { Advisory, Rule } from '../advisory.ts'
import { FeedError } from '../feeds/feed-error.ts'
import { jsonDocuments } from './json-items.ts'
import {
  allFields,
  datesOf,
  fieldsOf,
  isCveId,
  requireObject,
  requireText,
  textOf,
  texts,
  type Fields,
} from './json-fields.ts'
import type { FeedFormat } from './format.ts'
import { parsePurl } from './purl.ts'
import { ubuntuRelease } from './debian/distribution-releases.ts'

/** Ubuntu's OpenVEX documents (0.2): one vulnerability each, statements by release. */
export const ubuntuVex: FeedFormat = {
  async *read({ content }) {
    for await (const { number, value } of jsonDocuments(content)) {
      const document = requireObject(value, number)
      const statements = allFields(document['statements'])
      if (document['statements'] === undefined) throw new FeedError(`record ${number} has no statements`)
      const byName = Map.groupBy(statements, (it) =>
        requireText(fieldsOf(it['vulnerability'])['name'], 'vulnerability.name', `record ${number}`),
      )
      for (const [id, about] of byName) yield { advisory: advisoryFrom(id, document, about) }
    }
  },
}

function advisoryFrom(id: string, document: Fields, statements: readonly Fields[]): Advisory {
  const vulnerability = fieldsOf(statements[0]?.['vulnerability'])
  return {
    id,
    cveIds: [id].filter(isCveId),
    aliases: [],
    state: 'published',
    isDisputed: false,
    description: textOf(vulnerability['description']),
    ...datesOf(statements[0]?.['timestamp'], document['timestamp']),
    scores: [],
    weaknesses: [],
    references: texts(vulnerability['aliases']).filter((it) => it.startsWith('https://')),
    rules: distinct(statements.flatMap(rulesOf)),
  }
}

/**
 * Architectures and binary packages are listed individually; the source package covers them all. The listed version
 * is the current one of the release: that it is fixed says nothing about earlier versions.
 */
function rulesOf(statement: Fields): Rule[] {
  const status = textOf(statement['status'])
  const isAbsent = textOf(statement['justification']) === 'vulnerable_code_not_present'
  const verdict = verdicts[status]
  if (!verdict) return []
  const purls = allFields(statement['products']).flatMap((it) => parsePurl(textOf(it['@id'])) ?? [])
  return purls
    .filter((it) => it.type === 'deb' && it.qualifiers.get('arch') === 'source')
    .map((it) => {
      const isOne = verdict === 'not_affected' && !isAbsent && it.version !== ''
      const end = verdict === 'affected' && it.version !== '' ? { lastAffected: it.version } : {}
      return {
        ecosystem: ubuntuRelease(it.qualifiers.get('distro') ?? ''),
        package: it.name,
        names: 'source',
        verdict,
        ranges: isOne ? [] : [end],
        versions: isOne ? [it.version] : [],
      }
    })
}

const distinct = (rules: readonly Rule[]): Rule[] => [
  ...new Map(rules.map((it) => [JSON.stringify(it), it])).values(),
]

const verdicts: Readonly<Record<string, Rule['verdict']>> = {
  fixed: 'not_affected',
  affected: 'affected',
  not_affected: 'not_affected',
  under_investigation: 'under_investigation',
}
