import type { Advisory, Rule } from '../../advisory.ts'
import {
  allFields,
  datesOf,
  fieldsOf,
  finiteNumberOf,
  isCveId,
  listOf,
  requireText,
  textOf,
  optional,
  type Fields,
} from '../json-fields.ts'
import { scoreFrom, parseSeverity } from '../../catalogue/cvss-score.ts'
import { ecosystemOf } from './redhat-products.ts'

const STATES: Readonly<Record<string, Rule['verdict']>> = {
  affected: 'affected',
  'fix deferred': 'affected',
  'will not fix': 'will_not_fix',
  'out of support scope': 'will_not_fix',
  'not affected': 'not_affected',
  'under investigation': 'under_investigation',
}

/** A CVE from Red Hat's Security Data API: fixed packages, and the state of packages without fix. */
export function advisoryFromHydra(record: Fields, number: number): Advisory {
  const id = requireText(record['name'], 'name', `record ${number}`)
  const severity = parseSeverity(textOf(record['threat_severity']))
  const cvss = fieldsOf(record['cvss3'])
  const rules = [
    ...allFields(record['affected_release']).flatMap(repairedRule),
    ...allFields(record['package_state']).flatMap(stateRule),
  ]
  return {
    id,
    cveIds: [id].filter(isCveId),
    aliases: [],
    state: 'published',
    isDisputed: false,
    description: listOf(record['details']).map(textOf).filter(Boolean).at(-1) ?? '',
    ...datesOf(record['public_date'], undefined),
    scores: optional(
      scoreFrom('redhat', textOf(cvss['cvss3_scoring_vector']), finiteNumberOf(cvss['cvss3_base_score'])),
    ),
    ...(severity && { severity }),
    weaknesses: textOf(record['cwe']).match(/CWE-\d+/g) ?? [],
    references: [`https://access.redhat.com/security/cve/${encodeURIComponent(id)}`],
    rules: rules.map((it) => (severity ? { ...it, severity } : it)),
  }
}

/**
 * `python3.9-0:3.9.18-3.el9_4.5`: name, epoch, version and release of the source package; modules have their stream
 * in front.
 */
function repairedRule(release: Fields): Rule[] {
  const ecosystem = ecosystemOf(textOf(release['cpe']))
  const [, name, version = ''] = /^(.+)-(\d+:[^-]+-[^-]+)$/.exec(textOf(release['package'])) ?? []
  const fixedBy = textOf(release['advisory'])
  if (!ecosystem || !name || name.includes('/')) return []
  return [{ ...plain(ecosystem, name), ranges: [{ fixed: version }], ...(fixedBy && { fixedBy }) }]
}

/** `firefox:flatpak/firefox` is not an RPM package; `ruby:3.1/ruby` belongs to a module. */
function stateRule(state: Fields): Rule[] {
  const ecosystem = ecosystemOf(textOf(state['cpe']))
  const verdict = STATES[textOf(state['fix_state']).toLowerCase()]
  const [, stream, name = ''] = /^(?:([^/]+:[^/]+)\/)?([^/:]+)$/.exec(textOf(state['package_name'])) ?? []
  if (!ecosystem || !verdict || name === '' || stream?.includes('flatpak')) return []
  return [{ ...plain(ecosystem, name), verdict, ranges: [{}], ...(stream && { module: stream }) }]
}

const plain = (ecosystem: string, name: string): Rule => ({
  ecosystem,
  package: name,
  names: 'source',
  verdict: 'affected',
  ranges: [],
  versions: [],
})
