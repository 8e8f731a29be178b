import type { Advisory, Score } from '../../advisory.ts'
import { jsonItems } from '../json-items.ts'
import {
  allFields,
  datesOf,
  fieldsOf,
  finiteNumberOf,
  listOf,
  requireObject,
  requireText,
  textOf,
  texts,
  optional,
  type Fields,
} from '../json-fields.ts'
import { scoreFrom } from '../../catalogue/cvss-score.ts'
import type { FeedFormat } from '../format.ts'
import { rulesOf } from './nvd-configurations.ts'

const METRICS = ['cvssMetricV31', 'cvssMetricV40', 'cvssMetricV30', 'cvssMetricV2'] as const
/** Source id of CISA's program that scores on behalf of NVD. */
const CISA_ADP = '134c704f-9b21-4f2e-91b3-4a467353bcc0'

/** NVD's JSON 2.0, for both API pages and yearly files. */
export const nvd: FeedFormat = {
  async *read({ content }) {
    for await (const { number, value } of jsonItems(content, ['vulnerabilities'])) {
      const record = requireObject(value, number)
      yield { advisory: advisoryFrom(requireObject(record['cve'], number), number) }
    }
  },
}

function advisoryFrom(cve: Fields, number: number): Advisory {
  const id = requireText(cve['id'], 'id', `record ${number}`)
  const isRejected = textOf(cve['vulnStatus']).toLowerCase() === 'rejected'
  const description = english(cve['descriptions'])
  const tags = allFields(cve['cveTags']).flatMap((it) => texts(it['tags']))
  return {
    id,
    cveIds: [id],
    aliases: [],
    state: isRejected ? 'rejected' : 'published',
    isDisputed: tags.includes('disputed') || /^\*\* ?disputed ?\*\*/i.test(description),
    description,
    ...datesOf(cve['published'], cve['lastModified']),
    scores: scoresOf(cve),
    weaknesses: [...new Set(allFields(cve['weaknesses']).flatMap((it) => weaknessesIn(it['description'])))],
    references: [...new Set(allFields(cve['references']).flatMap((it) => optional(textOf(it['url']))))],
    rules: isRejected ? [] : rulesOf(cve['configurations'], id),
  }
}

function scoresOf(cve: Fields): Score[] {
  const metrics = fieldsOf(cve['metrics'])
  const cna = textOf(cve['sourceIdentifier'])
  return METRICS.flatMap((name) =>
    listOf(metrics[name]).flatMap((it) => {
      const { source, cvssData } = fieldsOf(it)
      const { vectorString, baseScore } = fieldsOf(cvssData)
      return optional(
        scoreFrom(sourceOf(textOf(source), cna), textOf(vectorString), finiteNumberOf(baseScore)),
      )
    }),
  )
}

function sourceOf(source: string, cna: string): string {
  if (source === CISA_ADP) return 'cisa-adp'
  return source === cna && source !== 'nvd@nist.gov' ? 'cna' : source
}

const english = (descriptions: unknown): string =>
  textOf(allFields(descriptions).find((it) => /^en\b/i.test(textOf(it['lang'])))?.['value'])

const weaknessesIn = (description: unknown): readonly string[] =>
  allFields(description).flatMap((it) => /^CWE-\d+$/.exec(textOf(it['value'])) ?? [])
