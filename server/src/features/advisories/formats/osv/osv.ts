import type { Advisory, Rule, Score, Severity, VersionRange } from '../../advisory.ts'
import { FeedError } from '../../feeds/feed-error.ts'
import { jsonDocuments } from '../json-items.ts'
import {
  allFields,
  datesOf,
  fieldsOf,
  isCveId,
  requireObject,
  requireText,
  textOf,
  texts,
  optional,
  type Fields,
} from '../json-fields.ts'
import { scoreFrom, parseSeverity } from '../../catalogue/cvss-score.ts'
import type { FeedFormat } from '../format.ts'
import { ecosystemOf, moduleIn, nameIn, namesSources } from './osv-ecosystems.ts'

/** Advisories of distributions list the fixed vulnerabilities under `related`. */
const LISTS_CVES_AS_RELATED =
  /^(ALSA|ALBA|ALEA|RLSA|RLBA|RXSA|RHSA|RHBA|ELSA|USN|UBUNTU|DSA|DLA|DTSA|SUSE|openSUSE|CGA|MGASA|BIT)-/
const SOURCES: Readonly<Record<string, string>> = {
  GHSA: 'github',
  PYSEC: 'pypa',
  GO: 'go',
  RUSTSEC: 'rustsec',
}

/** Open Source Vulnerability format (1.7): one document, JSON Lines, or an archive of documents. */
export const osv: FeedFormat = {
  async *read({ content }) {
    for await (const { number, value } of jsonDocuments(content)) {
      yield { advisory: advisoryFrom(requireObject(value, number), number) }
    }
  },
}

function advisoryFrom(record: Fields, number: number): Advisory {
  const id = requireText(record['id'], 'id', `record ${number}`)
  const others = [...texts(record['aliases']), ...texts(record['upstream'])]
  const aliases = [...new Set(texts(record['aliases']))]
  const state = record['withdrawn'] ? 'withdrawn' : 'published'
  const summary = textOf(record['summary'])
  const description = [summary, textOf(record['details'])].filter(Boolean).join('\n\n')
  const severity = severityOf(record, summary)
  return {
    id,
    cveIds: cveIdsOf(id, others, texts(record['related'])),
    aliases: aliases.filter((it) => it !== id),
    state,
    isDisputed: /\*\* ?disputed ?\*\*/i.test(description.slice(0, 500)),
    description,
    ...datesOf(record['published'], record['modified']),
    scores: scoresOf(id, [record, ...allFields(record['affected'])]),
    ...(severity && { severity }),
    weaknesses: texts(fieldsOf(record['database_specific'])['cwe_ids']),
    references: [...new Set(allFields(record['references']).flatMap((it) => optional(textOf(it['url']))))],
    rules:
      state === 'withdrawn'
        ? []
        : allFields(record['affected']).flatMap((it) => rulesOf(it, { id, summary })),
  }
}

function cveIdsOf(id: string, others: readonly string[], related: readonly string[]): string[] {
  // The id of `UBUNTU-CVE-2021-3782` contains the CVE id.
  const own = [id, ...others, id.replace(/^(UBUNTU|DEBIAN)-/, '')].filter(isCveId)
  const found = own.length > 0 || !LISTS_CVES_AS_RELATED.test(id) ? own : related.filter(isCveId)
  return [...new Set(found)]
}

function scoresOf(id: string, parts: readonly Fields[]): Score[] {
  const source = SOURCES[id.split('-')[0] ?? ''] ?? 'osv'
  const vectors = parts.flatMap((it) =>
    allFields(it['severity']).flatMap((each) =>
      /^CVSS_V[234]$/.test(textOf(each['type'])) ? optional(textOf(each['score'])) : [],
    ),
  )
  return [...new Set(vectors)].flatMap((it) => optional(scoreFrom(source, it)))
}

/** The severity of the database or of Ubuntu, or the first word of the summary (AlmaLinux, Rocky Linux). */
function severityOf(record: Fields, summary: string): Severity | undefined {
  const named = allFields(record['severity']).find((it) => textOf(it['type']) === 'Ubuntu')
  const words = [
    textOf(fieldsOf(record['database_specific'])['severity']),
    textOf(named?.['score']),
    /^(Critical|Important|Moderate|Low): /.exec(summary)?.[1] ?? '',
  ]
  return words.map(parseSeverity).find((it) => it !== undefined)
}

function rulesOf(affected: Fields, advisory: { readonly id: string; readonly summary: string }): Rule[] {
  const { ecosystem: reportedEcosystem, name } = fieldsOf(affected['package'])
  const ecosystem = ecosystemOf(textOf(reportedEcosystem))
  const packageName = nameIn(ecosystem, textOf(name))
  if (ecosystem === '' || packageName === '') return []
  const versions = texts(affected['versions'])
  const ranges = boundedBy(
    affected,
    allFields(affected['ranges']).flatMap((it) => rangesOf(it, advisory.id)),
  )
  // With only commits or no range at all the affected versions are unknown.
  if (ranges.length === 0 && versions.length === 0) return []
  const severity = parseSeverity(textOf(fieldsOf(affected['ecosystem_specific'])['severity']))
  const module = ranges.some((it) => it.fixed?.includes('.module')) ? moduleIn(advisory.summary) : undefined
  return [
    {
      ecosystem,
      package: packageName,
      names: namesSources(ecosystem) ? 'source' : 'binary',
      verdict: 'affected',
      ranges,
      versions,
      ...(module && { module }),
      ...(severity && { severity }),
      fixedBy: advisory.id,
    },
  ]
}

/** Events switch between affected and not affected, in file order, which is version order. */
function rangesOf(range: Fields, id: string): VersionRange[] {
  if (textOf(range['type']) === 'GIT') return []
  const found: VersionRange[] = []
  let open: VersionRange | undefined
  for (const event of allFields(range['events'])) {
    const { introduced, fixed, last_affected: last, limit } = event
    if (introduced !== undefined) {
      if (open) found.push(open)
      const from = requireText(introduced, 'version in an event', id)
      open = from === '0' ? {} : { introduced: from }
    } else if (open) {
      const end = fixed ?? limit
      if (end === undefined && last === undefined) throw new FeedError(`${id} has an event of no known kind`)
      found.push({
        ...open,
        ...(end === undefined ? { lastAffected: textOf(last) } : { fixed: textOf(end) }),
      })
      open = undefined
    }
  }
  return open ? [...found, open] : found
}

/** GitHub gives the last affected version of a range without fix separately: `<= 1.2.3`. */
function boundedBy(affected: Fields, ranges: readonly VersionRange[]): readonly VersionRange[] {
  const note = textOf(fieldsOf(affected['database_specific'])['last_known_affected_version_range'])
  const [, sign, version] = /^(<=?)\s*(\S+)$/.exec(note) ?? []
  if (!version) return ranges
  const end = sign === '<' ? { fixed: version } : { lastAffected: version }
  return ranges.map((it) =>
    it.fixed === undefined && it.lastAffected === undefined ? { ...it, ...end } : it,
  )
}
