import type { Advisory, Rule } from '../advisory.ts'
import { jsonItems } from './json-items.ts'
import { isCveId, requireObject, requireText, textOf, texts, type Fields } from './json-fields.ts'
import { parseSeverity } from '../catalogue/cvss-score.ts'
import type { FeedFormat } from './format.ts'

/** Arch Linux: vulnerability groups of packages built from one source. */
export const arch: FeedFormat = {
  async *read({ content }) {
    for await (const { number, value } of jsonItems(content, [])) {
      yield { advisory: advisoryFrom(requireObject(value, number), number) }
    }
  },
}

function advisoryFrom(group: Fields, number: number): Advisory {
  const id = requireText(group['name'], 'name', `record ${number}`)
  const severity = parseSeverity(textOf(group['severity']))
  const issues = texts(group['issues'])
  return {
    id,
    cveIds: issues.filter(isCveId),
    aliases: issues.filter((it) => !isCveId(it)),
    state: 'published',
    isDisputed: false,
    description: textOf(group['type']),
    ...(severity && { severity }),
    scores: [],
    weaknesses: [],
    references: [`https://security.archlinux.org/${id}`],
    rules: texts(group['packages']).map((name) => ruleOf(group, name)),
  }
}

function ruleOf(group: Fields, name: string): Rule {
  const fixed = textOf(group['fixed'])
  const [fixedBy] = texts(group['advisories'])
  const severity = parseSeverity(textOf(group['severity']))
  return {
    ecosystem: 'Arch Linux',
    package: name,
    names: 'binary',
    verdict: verdicts[textOf(group['status']).toLowerCase()] ?? 'affected',
    ranges: [fixed === '' ? {} : { fixed }],
    versions: [],
    ...(severity && { severity }),
    ...(fixedBy && { fixedBy }),
  }
}

const verdicts: Readonly<Record<string, Rule['verdict']>> = {
  'not affected': 'not_affected',
  unknown: 'under_investigation',
}
